/** The claim and what was found of it: missing words, details that differ, another model's opinion. In: a row. Out: HTML. */
import { html } from 'ghtml';
import type { Finding, Mismatch, SecondOpinion, Span, Verdict } from '../../../shared/citation.ts';
import type { Row } from '../queue.ts';
import { sourceAddress } from './address.ts';
import { passageOf } from './cited.ts';
import { meter, time, verdictBadge } from './parts.ts';
import { ANSWERS, chance, likelihood, MISMATCHES, UNCHECKABLE } from './words.ts';

/** `article`: where the claim is read. */
export function claimCard({ finding, createdAt }: Row, article: string): string {
  return html`
<section class="claim" aria-labelledby="claim">
<div class="claim-head"><h2 id="claim">Claim</h2>!${verdictBadge(finding.verdict)} !${triggerBadge(finding)}</div>
<p class="claim-text"><span class="claim-context">${finding.claim.context}</span> <strong>!${missingMarked(finding, marker(finding))}</strong></p>
!${missingNote(finding)}
!${mismatchList(finding)}
!${unjudgedNote(finding)}
!${scoreNote(finding)}
!${secondOpinionNote(finding.secondOpinion)}
<p class="facts"><a class="external" href="${article}" target="_blank" rel="noreferrer noopener">Read it in the article</a>
<span class="quiet">revision ${finding.revision}, judged !${time(createdAt)} by ${finding.model}</span></p>
</section>`;
}

/** The claim with the words that nothing supports marked. `marker`: HTML that stands where the citation does. */
export function missingMarked(finding: Finding, marker = ''): string {
  const { text, markerOffset } = finding.claim;
  const spans = missingOf(finding);
  const after = spans.map(({ start, end }) => ({ start: start - markerOffset, end: end - markerOffset }));
  return html`!${marked(text.slice(0, markerOffset), spans)}!${marker}!${marked(text.slice(markerOffset), after)}`;
}

/** `spans`: in their order; they may reach beyond the text. */
function marked(text: string, spans: readonly Span[]): string {
  let at = 0;
  const parts: string[] = [];
  for (const span of spans) {
    const start = Math.max(at, span.start);
    const end = Math.min(text.length, span.end);
    if (start >= end) continue;
    const words = html`<mark class="missing" title="Nothing that was read supports this">${text.slice(start, end)}</mark>`;
    parts.push(html`${text.slice(at, start)}!${words}`);
    at = end;
  }
  return html`!${parts}${text.slice(at)}`;
}

function marker({ citations }: Finding): string {
  return html`<sup class="marker">${citations.length === 0 ? '[citation needed]' : '[citation]'}</sup>`;
}

function triggerBadge({ claim }: Finding): string {
  if (claim.trigger === null) return '';
  return html`<span class="badge">An editor marked it {{${claim.trigger.replaceAll('_', ' ')}}}</span>`;
}

function missingNote(finding: Finding): string {
  const words = missingOf(finding).map(({ start, end }) => `“${finding.claim.text.slice(start, end)}”`);
  if (words.length === 0) return '';
  return html`<p class="detail"><strong>Nothing that was read supports:</strong> ${words.join(', ')}</p>`;
}

function mismatchList(finding: Finding): string {
  if (!FAILING.includes(finding.verdict) || finding.mismatches.length === 0) return '';
  return html`<ul class="mismatches" aria-label="Details that differ">!${finding.mismatches.map((one) => mismatch(finding, one))}</ul>`;
}

function mismatch({ claim, citations }: Finding, { code, claim: { start, end }, page }: Mismatch): string {
  const name = citations.length > 1 && page.title !== '' ? page.title : 'the page';
  const address = sourceAddress(page.url, page.quote);
  const link =
    address === null
      ? html`${name}`
      : html`<a class="external" href="${address}" target="_blank" rel="noreferrer noopener">${name}</a>`;
  return html`<li class="detail"><strong>${MISMATCHES[code]}:</strong> the claim says “${claim.text.slice(start, end)}”; !${link} says “${page.quote}”</li>`;
}

/** What was not judged is never said to fail. */
function missingOf({ verdict, missing }: Finding): readonly Span[] {
  return FAILING.includes(verdict) ? missing : [];
}

const FAILING: readonly Verdict[] = ['contradicted', 'not_supported', 'partially_supported'];

function unjudgedNote({ verdict, uncheckable }: Finding): string {
  if (verdict === 'uncheckable') {
    const why = uncheckable === null ? 'no page can settle it' : UNCHECKABLE[uncheckable];
    return unjudged('Can’t be checked:', why);
  }
  if (verdict !== 'unsupported_language') return '';
  return unjudged(
    'Language not judged:',
    'the claim or its source is in a language in which the model was not measured',
  );
}

function unjudged(what: string, why: string): string {
  return html`<p class="notice notice-unread"><strong>${what}</strong> ${why}. This says nothing about support.</p>`;
}

function scoreNote({ score, failed, verdict }: Finding): string {
  if (score === null) {
    const why = UNSCORED[verdict];
    return why === undefined ? '' : html`<p class="score quiet">No score: ${why}, so nothing was judged.</p>`;
  }
  const nothing = failed === null ? '' : html` <strong>${chance(failed)}</strong> that it fails altogether.`;
  return html`<p class="score">!${meter(score)} <strong>${chance(score)}</strong> chance that what is cited supports this claim: ${likelihood(score)}.!${nothing}</p>`;
}

const UNSCORED: Partial<Record<Verdict, string>> = {
  unsourced: 'no source is cited',
  unavailable: 'no source could be read',
};

function secondOpinionNote(opinion: SecondOpinion | null): string {
  if (opinion === null) return '';
  const { answer, model, evidence } = opinion;
  const line = html`<p class="detail"><strong>Second opinion</strong> (${model}): ${ANSWERS[answer]}</p>`;
  if (evidence.length === 0) return line;
  const quotes = evidence.map((one) => passageOf(one, one.title));
  return html`!${line}<details class="note"><summary>What it quotes</summary>!${quotes}</details>`;
}
