/** Queries and a corpus → how well each way of searching finds the right page. Reads no command line, prints nothing. */
import { createSearch, type Rankings, type SearchDependencies } from './arms.ts';
import { type ArmFigures, type Ranked, rankOf, summarise } from './metrics.ts';
import { ARMS, type Arm } from './names.ts';
import type { Query } from './queries.ts';

export type RetrievalFigures = Partial<Record<Arm, ArmFigures>>;

/** What was found for one query. */
export interface QueryRow {
  id: string;
  article: string;
  found: Partial<Record<Arm, Omit<Ranked, 'article'> & { pages: string[] }>>;
}

export interface RetrievalInputs extends SearchDependencies {
  queries: readonly Query[];
  onRow(row: QueryRow, done: number): Promise<void>;
}

export async function evaluateRetrieval(inputs: RetrievalInputs): Promise<RetrievalFigures> {
  const search = createSearch(inputs);
  const [first] = inputs.queries;
  if (first !== undefined) await search(first); // the first search opens files and fills caches: not timed
  const rows: QueryRow[] = [];
  for (const query of inputs.queries) {
    const row = toRow(query, await search(query));
    rows.push(row);
    await inputs.onRow(row, rows.length);
  }
  return summariseArms(rows, inputs.arms);
}

/** The arms in their order, those that were asked for. */
export function summariseArms(rows: readonly QueryRow[], arms: readonly Arm[]): RetrievalFigures {
  const asked = ARMS.filter((arm) => arms.includes(arm));
  return Object.fromEntries(asked.map((arm) => [arm, summarise(rows.flatMap((row) => rankedIn(row, arm)))]));
}

function rankedIn({ article, found }: QueryRow, arm: Arm): Ranked[] {
  const ranked = found[arm];
  return ranked === undefined ? [] : [{ rank: ranked.rank, ms: ranked.ms, article }];
}

function toRow({ id, claim, answers }: Query, rankings: Rankings): QueryRow {
  const found = Object.entries(rankings).map(([arm, { pages, ms }]) => [
    arm,
    { rank: rankOf(pages, answers), ms: Number(ms.toFixed(2)), pages: pages.slice(0, SHOWN) },
  ]);
  return { id, article: claim.title, found: Object.fromEntries(found) };
}

/** Pages of a row: enough to see what stood before the right one. */
const SHOWN = 10;
