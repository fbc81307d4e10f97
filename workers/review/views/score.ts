/** What a finding's score means, in words that people can check. In: a finding, how findings like it turned out. Out: HTML. */
import { html } from 'ghtml';
import type { Finding, Verdict } from '../../../shared/citation.ts';
import type { Confirmed } from '../confirmed.ts';
import { meter } from './parts.ts';
import { chance, inTen, likelihood } from './words.ts';

export function scoreNote(finding: Finding, confirmed: Confirmed | null): string {
  const { score, failed, verdict } = finding;
  if (score === null) {
    const why = UNSCORED[verdict];
    return why === undefined ? '' : html`<p class="score quiet">No score: ${why}, so nothing was judged.</p>`;
  }
  const nothing = failed === null ? '' : html` <strong>${chance(failed)}</strong> that it supports nothing of it.`;
  return html`<p class="score">!${meter(score)} <strong>${chance(score)}</strong> chance that what is cited supports all of this claim: ${likelihood(score)}.!${nothing}</p>
!${confirmed === null ? '' : html`<p class="score-meaning">${meaningOf(finding, confirmed)}</p>`}`;
}

/** "Of findings with this score, 9 in 10 were confirmed": said with the numbers, and where they come from. */
function meaningOf({ verdict }: Finding, { band, source }: Confirmed): string {
  const { from, below, decided, confirmed } = band;
  const fine = verdict === 'supported';
  const part = fine ? decided - confirmed : confirmed;
  const range = `${Math.round(from * 100)} to ${Math.round(below * 100)} %`;
  return source === 'here'
    ? `Of findings with this score (${range}), ${inTen(part, decided)} were ${fine ? 'found to be fine' : 'confirmed'}: ${part} of ${decided} that people decided on here.`
    : `Of citations with this score (${range}), ${inTen(part, decided)} ${fine ? 'were fine' : 'failed'}: ${part} of ${decided} in the model’s published test. Too few were decided here to tell.`;
}

const UNSCORED: Partial<Record<Verdict, string>> = {
  unsourced: 'no source is cited',
  unavailable: 'no source could be read',
};
