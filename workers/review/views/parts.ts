/** Small pieces that several pages show. Every piece escapes what it is given; what goes out is HTML. */
import { html } from 'ghtml';
import type { Finding, Verdict } from '../../../shared/citation.ts';
import type { Filter } from '../filter.ts';
import type { Coverage } from '../page.ts';
import { isToMend } from '../position.ts';
import type { Row } from '../queue.ts';
import type { Viewer } from '../session/people.ts';
import { addressOf, sourceAddress } from './address.ts';
import { undoForm } from './undo.ts';
import { DECISIONS, VERDICTS } from './words.ts';

export function verdictBadge(verdict: Verdict): string {
  return html`<span class="badge badge-${verdict}">${VERDICTS[verdict]}</span>`;
}

/** A link that opens beside the review page; plain text where the address is no http(s) URL. `key`: opens it. */
export function externalLink(url: string | null, text: string, key: string | null = null): string {
  const address = sourceAddress(url);
  if (address === null) return html`<bdi>${text}</bdi>`;
  const hint = key === null ? '' : html` <kbd aria-hidden="true">${key}</kbd>`;
  return html`<a class="external" href="${address}" target="_blank" rel="noreferrer noopener" !${key === null ? '' : html`data-key="${key}"`}><bdi>${text}</bdi>!${hint}</a>`;
}

export function hostOf(url: string | null): string | null {
  const address = sourceAddress(url);
  return address === null ? null : new URL(address).host.replace(/^www\./, '');
}

/** The section's path, outermost first. */
export function sectionOf({ claim }: Finding): string {
  return claim.section.length === 0 ? 'Lead' : claim.section.join(' › ');
}

export function time(iso: string): string {
  return html`<time datetime="${iso}">${iso.slice(0, 10)}</time>`;
}

/** Day and time of day. */
export function minute(iso: string): string {
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC</time>`;
}

/** A bar beside a number that is said in words: drawn, because a `<meter>` looks different in every browser. */
export function meter(score: number): string {
  const tone = score < 0.4 ? 'low' : score < 0.85 ? 'middle' : 'high';
  return html`<svg class="meter meter-${tone}" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect width="${Math.round(score * 100)}" height="6"></rect></svg>`;
}

/** How much was checked, never whether all is well. */
export function coverageLine(coverage: Coverage | null, what: string): string {
  if (coverage === null) return '';
  const { checked, claims } = coverage;
  return html`<p class="coverage"><progress value="${checked}" max="${Math.max(claims, 1)}" aria-label="${what}"></progress> <strong>${checked} of ${claims}</strong> ${what}</p>`;
}

/** What comes next. */
const ACCEPTED = ' In the article, the gadget offers to mend it.';

/** What was just decided, said once at the top of the page that follows, with a way back. */
export function doneNotice(done: Row | null, { filter, viewer }: { filter: Filter; viewer?: Viewer }): string {
  if (done === null || done.decision === null) return '';
  const address = addressOf(done.id, filter);
  const undo = viewer?.actor == null ? '' : undoForm(done.id, filter, viewer);
  return html`<div class="notice notice-success done" role="status"><p><strong>${DECISIONS[done.decision]}:</strong> <a href="${address}"><bdi>${excerpt(done.finding.claim.text)}</bdi></a>${done.decision === 'accept' && isToMend(done.finding.verdict) ? ACCEPTED : ''}</p>!${undo}</div>`;
}

function excerpt(text: string): string {
  return text.length <= 90 ? text : `${text.slice(0, 88).trimEnd()}…`;
}
