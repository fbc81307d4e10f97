/** Small pieces that several pages show. Every piece escapes what it is given; what goes out is HTML. */
import { html } from 'ghtml';
import type { Finding, Verdict } from '../../../shared/citation.ts';
import type { Coverage } from '../page.ts';
import { isToMend, type Row } from '../queue.ts';
import { addressOf, sourceAddress } from './address.ts';
import { DECISIONS, VERDICTS } from './words.ts';

export function verdictBadge(verdict: Verdict): string {
  return html`<span class="badge badge-${verdict}">${VERDICTS[verdict]}</span>`;
}

/** A link that opens beside the review page; plain text where the address is no http(s) URL. */
export function externalLink(url: string | null, text: string): string {
  const address = sourceAddress(url);
  if (address === null) return html`<span>${text}</span>`;
  return html`<a class="external" href="${address}" target="_blank" rel="noreferrer noopener">${text}</a>`;
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

/** What was just decided, said once at the top of the page that follows. */
export function doneNotice(done: Row | null): string {
  if (done === null || done.decision === null) return '';
  const address = addressOf(done.id, { state: 'open' });
  return html`<p class="notice notice-success" role="status"><strong>${DECISIONS[done.decision]}:</strong> <a href="${address}">${excerpt(done.finding.claim.text)}</a>${done.decision === 'accept' && isToMend(done.finding.verdict) ? ACCEPTED : ''}</p>`;
}

function excerpt(text: string): string {
  return text.length <= 90 ? text : `${text.slice(0, 88).trimEnd()}…`;
}
