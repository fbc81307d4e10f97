/** Where a finding stands in the queue's own order. In: what was judged, how often it was put off. Out: a number, smallest first. Pure. */
import type { Finding, Verdict } from '../../shared/citation.ts';

/** What a row moves back each time it is put off: behind every rank. */
export const DEFERRAL = 16;

/** By verdict, and within each the lowest score first. What people put off goes behind all others, once more each time. */
export function positionOf(finding: Finding, deferrals: number): number {
  return deferrals * DEFERRAL + RANK[finding.verdict] + (finding.score ?? 0);
}

/** Apart by more than the widest score. Positions are stored: a change needs a migration (as `0002-positions.ts`). */
const RANK: Record<Verdict, number> = {
  contradicted: 0,
  not_supported: 2,
  partially_supported: 4,
  unsourced: 6,
  unavailable: 8,
  unsupported_language: 10,
  uncheckable: 12,
  supported: 14,
};

/** Verdicts that nobody needs to act on: nothing of them says that a citation fails. They are shown when they are asked for. */
export const SETTLED: readonly Verdict[] = ['unsupported_language', 'uncheckable', 'supported'];

/** Whether accepting it says that the article has something to mend. */
export function isToMend(verdict: Verdict): boolean {
  return !SETTLED.includes(verdict);
}
