/** What the review database has of the articles of a run: counts, and the findings themselves. Changes nothing there. */
import type { Kysely } from 'kysely';
import { type Decision, Finding, type Verdict } from '../../shared/citation.ts';
import type { Schema } from '../../workers/review/database.ts';
import type { At } from '../../workers/review/matching.ts';

export interface CountedFindings {
  /** Open findings by verdict. */
  open: Partial<Record<Verdict, number>>;
  /** How many a person decided on. */
  decided: number;
  /** Claims that have been judged since `since`, or that a person had decided on, by page. */
  judged: Map<number, number>;
}

export interface ArticleFinding {
  /** Of the review page. */
  id: number;
  finding: Finding;
  decision: Decision | null;
}

/** `pages`: some hundreds at most, since each is a variable of the query. `since`: ISO time. */
export async function countFindings(
  db: Kysely<Schema>,
  at: { wiki: string; pages: readonly number[]; since: string },
): Promise<CountedFindings> {
  const rows = await current(db, at)
    .select(({ fn, eb }) => [
      'page_id',
      'verdict',
      'state',
      fn.countAll<number>().as('findings'),
      fn.sum<number>(eb.case().when(isDecided(eb)).then(1).else(0).end()).as('decided'),
      fn
        .sum<number>(
          eb
            .case()
            .when(eb.or([eb('judged_at', '>=', at.since), isDecided(eb)]))
            .then(1)
            .else(0)
            .end(),
        )
        .as('judged'),
    ])
    .groupBy(['page_id', 'verdict', 'state'])
    .execute();
  const counted: CountedFindings = { open: {}, decided: 0, judged: new Map() };
  for (const { page_id: page, verdict, state, findings, decided, judged } of rows) {
    if (state === 'open') counted.open[verdict] = (counted.open[verdict] ?? 0) + Number(findings);
    counted.decided += Number(decided);
    counted.judged.set(page, (counted.judged.get(page) ?? 0) + Number(judged));
  }
  return counted;
}

/** Open ones and decided ones, by page, in the order of the review page. `verdicts`: [] for all. */
export async function readFindings(
  db: Kysely<Schema>,
  at: { wiki: string; pages: readonly number[]; verdicts: readonly Verdict[] },
): Promise<Map<number, ArticleFinding[]>> {
  let query = current(db, at)
    .where(({ eb, or }) => or([eb('state', '=', 'open'), isDecided(eb)]))
    .select(['id', 'page_id', 'finding', 'decision']);
  if (at.verdicts.length > 0) query = query.where('verdict', 'in', [...at.verdicts]);
  const byPage = new Map<number, ArticleFinding[]>();
  for (const { id, page_id: page, finding, decision } of await query.orderBy('position').orderBy('id').execute()) {
    const found = { id, finding: Finding.parse(JSON.parse(finding)), decision };
    byPage.set(page, [...(byPage.get(page) ?? []), found]);
  }
  return byPage;
}

/** By a person, and still on the page. */
function isDecided(at: At) {
  return at.or([at('state', '=', 'accepted'), at('closed_because', '=', 'decided')]);
}

/** Without what another model has judged since. */
function current(db: Kysely<Schema>, { wiki, pages }: { wiki: string; pages: readonly number[] }) {
  return db
    .selectFrom('findings')
    .where('wiki', '=', wiki)
    .where('page_id', 'in', [...pages])
    .where(({ eb, or }) => or([eb('closed_because', 'is', null), eb('closed_because', '!=', 'superseded')]));
}
