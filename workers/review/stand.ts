/**
 * Whether a person's decision stands when the same claim and citations are judged again, by any model. Pure. Why it is so:
 * deploy/decisions/decided-findings.md.
 */
import type { Selectable } from 'kysely';
import { type CheckedCitation, type Decision, Finding, type Verdict } from '../../shared/citation.ts';
import { normalizeText } from '../../shared/hash.ts';
import type { FindingTable } from './database.ts';
import { isToMend } from './position.ts';

type Decided = Pick<Selectable<FindingTable>, 'decision' | 'finding'>;

/** Accepting and rejecting settle a finding; the rest puts it off. */
export function isFinal(decision: Decision | null): decision is 'accept' | 'reject' {
  return decision === 'accept' || decision === 'reject';
}

export type State = Pick<Selectable<FindingTable>, 'state' | 'closed_because'>;

/** Of a finding whose claim is on the page: what was accepted waits to be mended, if there is something to mend. */
export function stateAfter(decision: Decision | null, verdict: Verdict): State {
  if (!isFinal(decision)) return { state: 'open', closed_because: null };
  if (decision === 'accept' && isToMend(verdict)) return { state: 'accepted', closed_because: null };
  return { state: 'closed', closed_because: 'decided' };
}

/**
 * A source has another text than the one decided on, and that says what the person did not: another verdict, on other words of
 * the source. Dates and counters change a page at every look and are none of that.
 */
export function isReopened({ decision, finding }: Decided, now: Finding): boolean {
  const before = Finding.parse(JSON.parse(finding));
  const says = SAYS[now.verdict];
  if (says === null || now.verdict === before.verdict || says === personSays(decision, before.verdict)) return false;
  return isOtherText(before, now) && !isSameQuote(before, now);
}

/** What a verdict says of the citations; null: nothing that a source's text could change. */
const SAYS: Record<Verdict, 'fails' | 'holds' | null> = {
  contradicted: 'fails',
  not_supported: 'fails',
  partially_supported: 'fails',
  supported: 'holds',
  unsourced: null,
  unavailable: null,
  unsupported_language: null,
  uncheckable: null,
};

function personSays(decision: Decision | null, verdict: Verdict): 'fails' | 'holds' | null {
  const said = SAYS[verdict];
  if (said === null || decision === 'accept') return said;
  return said === 'fails' ? 'holds' : 'fails';
}

function isOtherText(before: Finding, now: Finding): boolean {
  const known = new Map(before.citations.map((citation) => [citation.hash, citation]));
  return now.citations.some((citation) => isOther(known.get(citation.hash), citation));
}

/** What could not be read then and can be now is other text; what was read by a version that kept no hash is not known to be. */
function isOther(before: CheckedCitation | undefined, { contentHash }: CheckedCitation): boolean {
  if (before === undefined || contentHash === undefined) return false;
  if (before.contentHash === undefined) return before.reason !== null;
  return before.contentHash !== contentHash;
}

function isSameQuote(before: Finding, now: Finding): boolean {
  if (before.evidence === null || now.evidence === null) return false;
  return normalizeText(before.evidence.quote) === normalizeText(now.evidence.quote);
}
