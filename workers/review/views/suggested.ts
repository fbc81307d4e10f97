/** The suggestion beside what is cited, or why there is none: not searched is not the same as nothing found. */
import { html } from 'ghtml';
import type { Finding, SearchCoverage, Suggestion } from '../../../shared/citation.ts';
import type { Wikis } from './address.ts';
import { passageOf } from './cited.ts';
import { externalLink, hostOf, meter } from './parts.ts';
import { standing } from './reliability.ts';
import { chance } from './words.ts';

export function suggestionPanel({ suggestion, searched }: Finding, wikis: Wikis): string {
  return html`
<section class="panel !${suggestion === null ? '' : 'panel-suggestion'}" aria-labelledby="suggestion">
<h2 id="suggestion">Suggestion</h2>
!${suggestion === null ? html`<p>${absent(searched)}</p>` : suggested(suggestion, wikis)}
<p class="facts quiet">${answered(searched)}</p>
</section>`;
}

function suggested(suggestion: Suggestion, wikis: Wikis): string {
  return html`
<div class="work">
<p class="work-title">!${externalLink(suggestion.url, suggestion.title === '' ? suggestion.url : suggestion.title)}</p>
<p class="facts"><span class="quiet">${hostOf(suggestion.url)}</span> !${meter(suggestion.score)} <strong>${chance(suggestion.score)}</strong> chance of support</p>
!${standing(suggestion.reliability, wikis)}
</div>
!${passageOf(suggestion.evidence, 'Supporting passage')}`;
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
