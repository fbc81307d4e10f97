/** The suggestion beside what is cited, or why there is none: not searched is not the same as nothing found. */
import { html } from 'ghtml';
import type { Finding, SearchCoverage, Suggestion } from '../../../shared/citation.ts';
import type { Placed } from '../marks.ts';
import type { Wikis } from './address.ts';
import { archiveAddress } from './archive.ts';
import { passageOf } from './cited.ts';
import { externalLink, hostOf, meter, time } from './parts.ts';
import { standing } from './reliability.ts';
import { chance } from './words.ts';

export function suggestionPanel(
  { suggestion, searched }: Finding,
  placed: readonly Placed[] | null,
  wikis: Wikis,
): string {
  return html`
<section class="panel !${suggestion === null ? '' : 'panel-suggestion'}" aria-labelledby="suggestion">
<h2 id="suggestion">Suggestion</h2>
!${suggestion === null ? html`<p>${absent(searched)}</p>` : suggested(suggestion, placed, wikis)}
<p class="facts quiet">${answered(searched)}</p>
</section>`;
}

function suggested(suggestion: Suggestion, placed: readonly Placed[] | null, wikis: Wikis): string {
  const { url, title, score, reliability, evidence } = suggestion;
  return html`
<div class="work">
<p class="work-title">!${externalLink(url, title === '' ? url : title)}</p>
<p class="facts"><span class="quiet">${hostOf(url)}</span> !${meter(score)} <strong>${chance(score)}</strong> chance of support</p>
!${passageOf(evidence, 'Supporting passage', placed)}
<p class="facts dates quiet">!${dates(suggestion).join(' · ')}</p>
!${standing(reliability, wikis)}
</div>`;
}

function dates({ url, publishedAt, fetchedAt }: Suggestion): string[] {
  const parts: string[] = [];
  if (publishedAt !== undefined) parts.push(html`published !${time(publishedAt)}`);
  if (fetchedAt !== undefined) parts.push(html`fetched !${time(fetchedAt)}`);
  const archived = archiveAddress(url, null);
  if (archived !== null) parts.push(externalLink(archived, 'Wayback Machine'));
  return parts;
}

function absent(searched: SearchCoverage | null): string {
  if (searched === null || searched.shardsAnswered === 0) return 'Not searched for a better source.';
  return searched.shardsAnswered < searched.shardsAsked
    ? 'No better source in the parts of the corpus that answered.'
    : 'No better source in the corpus.';
}

function answered(searched: SearchCoverage | null): string {
  if (searched === null) return '';
  return `${searched.shardsAnswered} of ${searched.shardsAsked} index parts answered.`;
}
