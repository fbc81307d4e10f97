/**
 * What a person's look at a finding is expected to bring. In: a finding, how often its page is read. Out: a number to sort by, and the
 * columns that hold it. It says nothing about how right a finding is: that is its score.
 */
import type { Kysely } from 'kysely';
import type { Finding, Verdict } from '../../shared/citation.ts';
import type { Schema } from './database.ts';

/**
 * gain = P(fails) × (1 + P(suggestion supports)) / 2 × log₁₀(10 + views a day)
 *
 * The expected number of readers that are spared a failing citation, with two discounts. A confirmed finding alone leads to a tag,
 * which is worth half; one whose suggestion holds is mended at once. Readers count by their logarithm: page views spread over six
 * orders of magnitude, and a linear weight would leave nothing but the most read articles in the queue. Views that are not known
 * count as none: the factor is 1. Rows store it: another formula needs a migration.
 */
export function gainOf(finding: Weighed, views: number | null): number {
  const mended = (1 + (finding.suggestion?.score ?? 0)) / 2;
  return failing(finding) * mended * Math.log10(10 + (views ?? 0));
}

export type Weighed = Pick<Finding, 'verdict' | 'score' | 'suggestion'>;

/** The score is calibrated; without one the verdict says what is known. */
function failing({ verdict, score }: Pick<Finding, 'verdict' | 'score'>): number {
  return score === null ? UNSCORED[verdict] : 1 - score;
}

/** `unavailable`: nothing says either way. The last two leave a person nothing to mend. */
const UNSCORED: Record<Verdict, number> = {
  contradicted: 1,
  not_supported: 1,
  partially_supported: 1,
  unsourced: 1,
  unavailable: 0.5,
  supported: 0,
  unsupported_language: 0,
  uncheckable: 0,
};

/** By these columns findings are chosen and sorted; their place in the queue is another matter. */
export interface Weight {
  views: number | null;
  has_suggestion: 0 | 1;
  gain: number;
  by_score: number;
  by_views: number;
}

/** Of a finding that is being recorded, by what is known of its page. */
export async function weigh(db: Kysely<Schema>, finding: Finding): Promise<Weight> {
  const facts = await db
    .selectFrom('page_facts')
    .select('views')
    .where('wiki', '=', finding.wiki)
    .where('page_id', '=', finding.page.id)
    .executeTakeFirst();
  return weightOf(finding, facts?.views ?? null);
}

/** `views`: of its page, a day; null: not known. */
export function weightOf(finding: Weighed, views: number | null): Weight {
  return {
    views,
    has_suggestion: finding.suggestion === null ? 0 : 1,
    gain: gainOf(finding, views),
    by_score: finding.score ?? 2,
    by_views: views ?? -1,
  };
}
