/** The claim and what was found of it: missing words, details that differ, another model's opinion. In: a row. Out: HTML. */
import { html } from 'ghtml';
import type { Finding, Mismatch, SecondOpinion, Span } from '../../../shared/citation.ts';
import type { Confirmed } from '../confirmed.ts';
import { FAILING, type Mark } from '../marks.ts';
import type { Row } from '../queue.ts';
import { sourceAddress } from './address.ts';
import { passageOf } from './cited.ts';
import { type Layer, markedText } from './marked.ts';
import { time, verdictBadge } from './parts.ts';
import { scoreNote } from './score.ts';
import { ANSWERS, MISMATCHES, UNCHECKABLE } from './words.ts';

export interface ClaimCard {
  row: Row;
  /** Where the claim is read: address of the article. */
  article: string;
  marks: readonly Mark[];
  confirmed: Confirmed | null;
}

export function claimCard({ row, article, marks, confirmed }: ClaimCard): string {
  const { finding, createdAt } = row;
  return html`
<section class="claim" aria-labelledby="claim">
<div class="claim-head"><h2 id="claim">Claim</h2>!${verdictBadge(finding.verdict)} !${triggerBadge(finding)}
<p class="facts"><a class="external" data-key="e" href="${article}" target="_blank" rel="noreferrer noopener">Read it in the article <kbd aria-hidden="true">e</kbd></a>
<span class="quiet">revision ${finding.revision}, judged !${time(createdAt)} by ${finding.model}</span></p></div>
<p class="claim-text" dir="auto"><span class="claim-context">${finding.claim.context}</span> <strong>!${missingMarked(finding, marker(finding), marks)}</strong></p>
!${detailList(finding)}
!${unjudgedNote(finding)}
!${scoreNote(finding, confirmed)}
!${secondOpinionNote(finding.secondOpinion)}
</section>`;
}

/** The claim with the words that nothing supports marked, and `marks`. `marker`: HTML that stands where the citation does. */
export function missingMarked(finding: Finding, marker = '', marks: readonly Mark[] = []): string {
  const { text, markerOffset } = finding.claim;
  const layers = missingOf(finding).map((span): Layer => ({ ...span, className: 'missing' }));
  const after = <T extends Span>(spans: readonly T[]) =>
    spans.map((span) => ({ ...span, start: span.start - markerOffset, end: span.end - markerOffset }));
  const before = markedText(text.slice(0, markerOffset), layers, marks);
  return html`!${before}!${marker}!${markedText(text.slice(markerOffset), after(layers), after(marks))}`;
}

function marker({ citations }: Finding): string {
  return html`<sup class="marker">${citations.length === 0 ? '[citation needed]' : '[citation]'}</sup>`;
}

function triggerBadge({ claim }: Finding): string {
  if (claim.trigger === null) return '';
  return html`<span class="badge">An editor marked it {{${claim.trigger.replaceAll('_', ' ')}}}</span>`;
}

function detailList(finding: Finding): string {
  if (!FAILING.includes(finding.verdict)) return '';
  const entries = [...missingNote(finding), ...finding.mismatches.map((one) => mismatch(finding, one))];
  return entries.length === 0
    ? ''
    : html`<ul class="details" aria-label="What was found of the claim’s details">!${entries}</ul>`;
}

function missingNote(finding: Finding): string[] {
  const words = missingOf(finding).map(({ start, end }) => html`<bdi>“${finding.claim.text.slice(start, end)}”</bdi>`);
  if (words.length === 0) return [];
  return [
    html`<li class="detail missing-note"><strong>Nothing that was read supports:</strong> !${words.join(', ')}</li>`,
  ];
}

function mismatch({ claim, citations }: Finding, { code, claim: { start, end }, page }: Mismatch): string {
  const name = citations.length > 1 && page.title !== '' ? page.title : 'the page';
  const address = sourceAddress(page.url, page.quote);
  const link =
    address === null
      ? html`<bdi>${name}</bdi>`
      : html`<a class="external" href="${address}" target="_blank" rel="noreferrer noopener"><bdi>${name}</bdi></a>`;
  return html`<li class="detail mismatch"><strong>${MISMATCHES[code]}:</strong> the claim says <bdi>“${claim.text.slice(start, end)}”</bdi>; !${link} says <bdi>“${page.quote}”</bdi></li>`;
}

/** What was not judged is never said to fail. */
function missingOf({ verdict, missing }: Finding): readonly Span[] {
  return FAILING.includes(verdict) ? missing : [];
}

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

function secondOpinionNote(opinion: SecondOpinion | null): string {
  if (opinion === null) return '';
  const { answer, model, evidence } = opinion;
  const line = html`<p class="detail"><strong>Second opinion</strong> (${model}): ${ANSWERS[answer]}</p>`;
  if (evidence.length === 0) return line;
  const quotes = evidence.map((one) => passageOf(one, one.title));
  return html`!${line}<details class="note"><summary>What it quotes</summary>!${quotes}</details>`;
}
