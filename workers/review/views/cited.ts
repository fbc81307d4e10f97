/** What is cited: each citation with what was read of it, where its copies are, and the passage that decided. */
import { html } from 'ghtml';
import type { CheckedCitation, Evidence, Finding } from '../../../shared/citation.ts';
import { marksIn, type Placed } from '../marks.ts';
import { sourceAddress, type Wikis } from './address.ts';
import { archiveAddress } from './archive.ts';
import { markedText } from './marked.ts';
import { externalLink, hostOf, meter, time } from './parts.ts';
import { placedList } from './placed.ts';
import { standing } from './reliability.ts';
import { chance, REASONS } from './words.ts';

export function citedPanel(finding: Finding, placed: readonly Placed[] | null, wikis: Wikis): string {
  const { citations, evidence } = finding;
  const origin = citations.find(({ url, readUrl }) => evidence !== null && [url, readUrl].includes(evidence.url));
  const beside = { placed, isOneOfSeveral: citations.length > 1, wikis };
  return html`
<section class="panel" aria-labelledby="cited">
<h2 id="cited">What is cited</h2>
!${citations.length === 0 ? html`<p class="quiet">Nothing: the claim has no source.</p>` : ''}
!${citations.map((citation) => citedWork(citation, { ...beside, evidence: citation === origin ? evidence : null, isFirst: citation === (origin ?? citations[0]) }))}
!${together(finding)}
!${origin === undefined && evidence !== null ? passageOf(evidence, evidence.title, placed) : ''}
</section>`;
}

/** One source's own score is the finding's. */
function together({ citations, score }: Finding): string {
  if (citations.length < 2 || score === null) return '';
  return html`<p class="together">!${meter(score)} <strong>${chance(score)}</strong> chance of support together</p>`;
}

interface Beside {
  evidence: Evidence | null;
  placed: readonly Placed[] | null;
  isOneOfSeveral: boolean;
  /** The one that is opened by a key. */
  isFirst: boolean;
  wikis: Wikis;
}

function citedWork(citation: CheckedCitation, { evidence, placed, isOneOfSeveral, isFirst, wikis }: Beside): string {
  const title = citation.title || citation.text || (citation.url ?? 'Untitled');
  const passage = citation.given ? quoteOf : passageOf;
  return html`
<div class="work">
<p class="work-title">!${externalLink(citation.url, title, isFirst ? 'o' : null)}</p>
<p class="facts quiet">!${facts(citation, isOneOfSeveral).join(' · ')}</p>
!${citation.reason === null ? '' : unreadable(citation.reason)}
!${evidence === null ? '' : passage(evidence, citation.given ? 'Closest quote' : 'Closest passage', placed)}
<p class="facts dates quiet">!${dates(citation).join(' · ')}</p>
!${standing(citation.reliability, wikis)}
</div>`;
}

function facts(citation: CheckedCitation, isOneOfSeveral: boolean): string[] {
  const alone = citation.score === null || !isOneOfSeveral ? null : `${chance(citation.score)} alone`;
  const known = [hostOf(citation.url), alone];
  const { archivedAt, readUrl, url } = citation;
  const parts = known.filter((fact) => fact !== null).map((fact) => html`${fact}`);
  if (citation.pages !== undefined) parts.push(html`page ${citation.pages}`);
  if (citation.given) parts.push(html`read from a text that a person gave`);
  if (archivedAt !== null) parts.push(html`read from the archive’s copy of !${time(archivedAt)}`);
  else if (readUrl !== null && readUrl !== url)
    parts.push(html`read at !${externalLink(readUrl, hostOf(readUrl) ?? '')}`);
  if (citation.urlStatus === 'dead') parts.push('marked as dead');
  return parts;
}

function dates({ url, archiveUrl, accessDate, publishedAt, fetchedAt }: CheckedCitation): string[] {
  const parts: string[] = [];
  if (publishedAt !== undefined) parts.push(html`published !${time(publishedAt)}`);
  if (accessDate !== null) parts.push(html`accessed !${time(accessDate)}`);
  if (fetchedAt !== undefined) parts.push(html`fetched !${time(fetchedAt)}`);
  if (archiveUrl !== null) parts.push(externalLink(archiveUrl, 'archive link'));
  const archived = archiveAddress(url, accessDate);
  if (archived !== null && archived !== archiveUrl) parts.push(externalLink(archived, 'Wayback Machine'));
  return parts;
}

function unreadable(reason: NonNullable<CheckedCitation['reason']>): string {
  return html`<p class="notice notice-unread"><strong>Could not be read:</strong> ${REASONS[reason]}. This says nothing about support.</p>`;
}

/** The passage with its quote and the claim's details marked, and a link to that place of the page. */
export function passageOf(evidence: Evidence, label: string, placed: readonly Placed[] | null = null): string {
  const link = externalLink(sourceAddress(evidence.url, evidence.quote), 'Find it on the page');
  return html`
<figure class="passage">
<figcaption class="quiet"><bdi>${label}</bdi>!${evidence.page === undefined ? '' : html`, page ${evidence.page}`}</figcaption>
<blockquote dir="auto">!${marked(evidence, placed)}</blockquote>
!${placedList(placed, evidence.passage)}
!${sourceAddress(evidence.url) === null ? '' : link}
</figure>`;
}

/** Of a text that a person gave: no reader finds it at the page's address. */
function quoteOf(evidence: Evidence, label: string, placed: readonly Placed[] | null): string {
  return html`<figure class="passage"><figcaption class="quiet">${label}</figcaption><blockquote dir="auto">!${marked(evidence, placed)}</blockquote>
!${placedList(placed, evidence.passage)}</figure>`;
}

function marked({ passage, quote }: Evidence, placed: readonly Placed[] | null): string {
  const start = passage.indexOf(quote);
  // a quote that is not in its passage is shown alone: places are in the passage
  if (start < 0) return html`<mark class="quote">${quote}</mark>`;
  return markedText(passage, [{ start, end: start + quote.length, className: 'quote' }], marksIn(placed ?? []));
}
