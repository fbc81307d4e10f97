/**
 * What a score has meant: of citations with a score like it, how many failed, as people decided here or as was measured when the
 * model was trained. In: decisions, published figures. Out: bands of the score; one sentence's worth for one finding.
 */
import { type Kysely, sql } from 'kysely';
import type { Finding, Verdict } from '../../shared/citation.ts';
import type { Schema } from './database.ts';
import { lastDecisions } from './last-decisions.ts';
import { PUBLISHED } from './published.ts';

/** Of scores from `from` up to but not `below`; the last one holds 1, too. */
export interface Band {
  from: number;
  below: number;
  /** Citations of which is known whether they fail. */
  decided: number;
  /** Those that do. */
  confirmed: number;
}

export interface Confirmed {
  band: Band;
  /** `here`: people's decisions on this service. `published`: labelled pairs, see MODEL_CARD.md. */
  source: 'here' | 'published';
}

/** As many decisions a band needs to be told: fewer say little (a share of .9 of 20 is .70 to .97). */
export const ENOUGH = 20;

/**
 * From decisions made here, ten bands. Only scores of `model` count: those of other versions don't compare. The last decision on a
 * finding that was not undone counts, if it is accept or reject.
 */
export async function decidedBands(db: Kysely<Schema>, model: string): Promise<Band[]> {
  const decile = sql<number>`FLOOR(findings.score * 10 + 1e-9)`;
  const fails = sql<number>`SUM(CASE WHEN (decisions.verdict = 'supported') = (decisions.decision = 'reject') THEN 1 ELSE 0 END)`;
  const rows = await lastDecisions(db)
    .innerJoin('findings', 'findings.id', 'decisions.finding_id')
    .where('decisions.model', '=', model)
    .where('findings.score', 'is not', null)
    .where('decisions.verdict', 'in', SCORED)
    .select([decile.as('decile'), fails.as('confirmed')])
    .select(({ fn }) => fn.countAll<number>().as('decided'))
    .groupBy('decile')
    .execute();
  return TENTHS.map((tenth) => {
    const inside = rows.filter(({ decile }) => Math.min(decile, 9) === tenth);
    const sum = (column: 'decided' | 'confirmed') => inside.reduce((all, row) => all + Number(row[column]), 0);
    return { from: tenth / 10, below: (tenth + 1) / 10, decided: sum('decided'), confirmed: sum('confirmed') };
  });
}

/** Measured when the model was trained; [] for a model of which nothing is published. */
export function publishedBands(model: string): readonly Band[] {
  return PUBLISHED[model] ?? [];
}

/** Where a person's word says whether the citation fails. */
const SCORED: readonly Verdict[] = ['contradicted', 'not_supported', 'partially_supported', 'supported'];
const TENTHS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

export interface ConfirmedShares {
  /** Null where the finding has no score, or neither people nor training say enough of scores like it. */
  of(finding: Pick<Finding, 'score' | 'model' | 'verdict'>): Promise<Confirmed | null>;
}

/** Asks the database every ten minutes and once a model at most: it is shown on every screen, and reads all decisions. `now`: ms. */
export function createConfirmedShares(db: Kysely<Schema>, now: () => number = Date.now): ConfirmedShares {
  const known = new Map<string, { bands: Promise<Band[]>; at: number }>();
  const decided = (model: string) => {
    const kept = known.get(model);
    if (kept !== undefined && now() - kept.at < KEPT_MS) return kept.bands;
    const bands = decidedBands(db, model);
    known.set(model, { bands, at: now() });
    return bands;
  };
  return {
    async of({ score, model, verdict }) {
      if (score === null || !SCORED.includes(verdict)) return null;
      const here = bandOf(await decided(model), score);
      if (here !== null && here.decided >= ENOUGH) return { band: here, source: 'here' };
      const published = bandOf(publishedBands(model), score);
      return published === null ? null : { band: published, source: 'published' };
    },
  };
}

const KEPT_MS = 10 * 60_000;

/** The band that a score lies in. */
export function bandOf(bands: readonly Band[], score: number): Band | null {
  return bands.find(({ from, below }) => score >= from && (score < below || below === 1)) ?? null;
}
