/**
 * What a fleet has brought about: the current findings of every claim, and the decisions that stand. In: the review database. Out:
 * outcomes that compare between runs, with what two runs may differ in left out (deploy/decisions/faults.md).
 */
import { Finding } from '../../shared/citation.ts';
import { hashText } from '../../shared/hash.ts';
import { openSql } from '../../shared/sql.ts';
import type { Schema } from '../../workers/review/database.ts';
import type { Acknowledged } from './patroller.ts';

/** By claim: each of its current findings, as one line. */
export type Outcomes = Map<string, string[]>;

export interface Kept {
  outcomes: Outcomes;
  /** Findings that were searched for in a part of the corpus only. */
  partly: number;
  /** Why citations could not be read, each reason once. */
  reasons: string[];
  /** Of each finding, what was decided and stands. */
  decisions: Map<number, string[]>;
}

export async function readKept(database: string): Promise<Kept> {
  const db = openSql<Schema>(database);
  try {
    const rows = await db
      .selectFrom('findings')
      .select(['page_title', 'claim_hash', 'citations_hash', 'finding', 'closed_because'])
      .where((at) => at.or([at('closed_because', 'is', null), at('closed_because', '=', 'decided')]))
      .execute();
    const made = await db
      .selectFrom('decisions')
      .select(['finding_id', 'decision'])
      .where('undone_at', 'is', null)
      .execute();
    const kept: Kept = { outcomes: new Map(), partly: 0, reasons: [], decisions: new Map() };
    for (const { finding_id: id, decision } of made) push(kept.decisions, id, decision);
    const reasons = new Set<string>();
    for (const row of rows) {
      const finding = Finding.parse(JSON.parse(row.finding));
      push(kept.outcomes, `${row.page_title}: ${finding.claim.text}`, toLine(finding));
      if (isPartly(finding)) kept.partly += 1;
      for (const { reason } of finding.citations) if (reason !== null) reasons.add(reason);
    }
    return { ...kept, reasons: [...reasons] };
  } finally {
    await db.destroy();
  }
}

function isPartly({ searched }: Finding): boolean {
  return searched !== null && searched.shardsAnswered < searched.shardsAsked;
}

/** Verdict, score, why each citation could not be read, what is suggested. Times, revisions and addresses of copies are left out. */
function toLine({ verdict, score, reason, evidence, citations, suggestion, searched }: Finding): string {
  return JSON.stringify({
    verdict,
    score: round(score),
    reason,
    evidence: evidence === null ? null : hashText(evidence.quote),
    citations: citations.map(({ url, score: own, reason: why }) => [url, round(own), why]),
    suggestion: suggestion === null ? null : [suggestion.url, round(suggestion.score)],
    searched: searched === null ? null : 'searched',
  });
}

/** Sums of floats come in another order where a batch is another. */
function round(score: number | null): number | null {
  return score === null ? null : Math.round(score * 1000) / 1000;
}

function push<K>(map: Map<K, string[]>, key: K, value: string): void {
  map.set(key, [...(map.get(key) ?? []), value]);
}

export interface Comparison {
  claims: number;
  /** Claims without a current finding, or with another one than in the undisturbed run. */
  lost: number;
  /** Claims with more than one current finding, claims that no article has, and decisions kept twice. */
  doubled: number;
  decisions_lost: number;
  /** The first of them, for people. */
  examples: string[];
}

/** `meant`: every claim of the latest revisions, as outcomes have them. */
export function compare(
  meant: readonly string[],
  { undisturbed, disturbed }: { undisturbed: Kept; disturbed: Kept },
  acknowledged: readonly Acknowledged[],
): Comparison {
  const examples: string[] = [];
  const tell = (is: boolean, what: () => string) => {
    if (is && examples.length < MOST_EXAMPLES) examples.push(what());
    return is;
  };
  const isLost = (claim: string) => {
    const [now, then] = [disturbed.outcomes.get(claim)?.[0], undisturbed.outcomes.get(claim)?.[0]];
    return tell(now === undefined || now !== then, () => `${claim}\n  undisturbed ${then}\n  disturbed   ${now}`);
  };
  const known = new Set(meant);
  const isDoubled = ([claim, lines]: [string, string[]]) =>
    tell(lines.length > 1 || !known.has(claim), () => `${claim}: ${lines.length} findings\n  ${lines.join('\n  ')}`);
  const decisions = acknowledged.map(({ finding, decision }) => ({
    decision,
    kept: disturbed.decisions.get(finding) ?? [],
  }));
  return {
    claims: meant.length,
    lost: meant.filter(isLost).length,
    doubled: [...disturbed.outcomes].filter(isDoubled).length + decisions.filter(({ kept }) => kept.length > 1).length,
    decisions_lost: decisions.filter(({ decision, kept }) => !kept.includes(decision)).length,
    examples,
  };
}

const MOST_EXAMPLES = 5;
