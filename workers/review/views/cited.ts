/** What is cited: each citation with what was read of it, and the passage that decided. */
import { html } from 'ghtml';
import type { CheckedCitation, Evidence, Finding } from '../../../shared/citation.ts';
import { sourceAddress, type Wikis } from './address.ts';
import { externalLink, hostOf, meter, time } from './parts.ts';
import { standing } from './reliability.ts';
import { chance, REASONS } from './words.ts';

export function citedPanel(finding: Finding, wikis: Wikis): string {
  const { citations, evidence } = finding;
  const origin = citations.find(({ url, readUrl }) => evidence !== null && [url, readUrl].includes(evidence.url));
  return html`
<section class="panel" aria-labelledby="cited">
<h2 id="cited">What is cited</h2>
!${citations.length === 0 ? html`<p class="quiet">Nothing: the claim has no source.</p>` : ''}
!${citations.map((citation) => citedWork(citation, { evidence: citation === origin ? evidence : null, isOneOfSeveral: citations.length > 1, wikis }))}
!${together(finding)}
!${origin === undefined && evidence !== null ? passageOf(evidence, evidence.title) : ''}
</section>`;
}

/** One source's own score is the finding's. */
function together({ citations, score }: Finding): string {
  if (citations.length < 2 || score === null) return '';
  return html`<p class="together">!${meter(score)} <strong>${chance(score)}</strong> chance of support together</p>`;
}

interface Beside {
  evidence: Evidence | null;
  isOneOfSeveral: boolean;
  wikis: Wikis;
}

function citedWork(citation: CheckedCitation, { evidence, isOneOfSeveral, wikis }: Beside): string {
  const title = citation.title ?? citation.text;
  return html`
<div class="work">
<p class="work-title">!${externalLink(citation.url, title === '' ? (citation.url ?? 'Untitled') : title)}</p>
<p class="facts quiet">!${facts(citation, isOneOfSeveral).join(' · ')}</p>
!${standing(citation.reliability, wikis)}
!${citation.reason === null ? '' : unreadable(citation.reason)}
!${evidence === null ? '' : citation.given ? quoteOf(evidence) : passageOf(evidence, 'Closest passage')}
</div>`;
}

function facts(citation: CheckedCitation, isOneOfSeveral: boolean): string[] {
  const alone = citation.score === null || !isOneOfSeveral ? null : `${chance(citation.score)} alone`;
  const known = [hostOf(citation.url), alone];
  const { archiveUrl, archivedAt, readUrl, url } = citation;
  const parts = known.filter((fact) => fact !== null).map((fact) => html`${fact}`);
  if (citation.pages !== undefined) parts.push(html`page ${citation.pages}`);
  if (citation.given) parts.push(html`read from a text that a person gave`);
  if (archivedAt !== null) parts.push(html`read from the archive’s copy of !${time(archivedAt)}`);
  else if (readUrl !== null && readUrl !== url)
    parts.push(html`read at !${externalLink(readUrl, hostOf(readUrl) ?? '')}`);
  if (archiveUrl !== null) parts.push(externalLink(archiveUrl, 'archive link'));
  if (citation.accessDate !== null) parts.push(html`accessed !${time(citation.accessDate)}`);
  if (citation.urlStatus === 'dead') parts.push('marked as dead');
  return parts;
}

function unreadable(reason: NonNullable<CheckedCitation['reason']>): string {
  return html`<p class="notice notice-unread"><strong>Could not be read:</strong> ${REASONS[reason]}. This says nothing about support.</p>`;
}

/** The passage with its quote marked, and a link to that place of the page. */
export function passageOf(evidence: Evidence, label: string): string {
  const address = sourceAddress(evidence.url, evidence.quote);
  const link =
    address === null
      ? ''
      : html`<a class="external" href="${address}" target="_blank" rel="noreferrer noopener">Find it on the page</a>`;
  return html`
<figure class="passage">
<figcaption class="quiet">${label}!${evidence.page === undefined ? '' : html`, page ${evidence.page}`}</figcaption>
<blockquote>!${marked(evidence)}</blockquote>
!${link}
</figure>`;
}

/** Of a text that a person gave: no reader finds it at the page's address. */
function quoteOf({ quote }: Evidence): string {
  return html`<figure class="passage"><figcaption class="quiet">Closest quote</figcaption><blockquote><mark>${quote}</mark></blockquote></figure>`;
}

function marked({ passage, quote }: Evidence): string {
  const at = passage.indexOf(quote);
  if (at < 0) return html`<mark>${quote}</mark>`;
  return html`${passage.slice(0, at)}<mark>${quote}</mark>${passage.slice(at + quote.length)}`;
}
