/** How many claims go how far: seen, fetched, verified, flagged, accepted. Findings that another model judged anew count once. */
import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely';
import type { Verdict } from '../../../shared/citation.ts';
import type { Schema } from '../database.ts';
import type { Figure } from './figure.ts';

export async function funnel(db: Kysely<Schema>): Promise<Figure> {
  const checked = await countWhere(db, () => []);
  const unchecked = await db
    .selectFrom('pages')
    .select(({ fn }) => [fn.sum<number | null>('claims').as('claims'), fn.sum<number | null>('checked').as('checked')])
    .where('deleted', '=', 0)
    .executeTakeFirstOrThrow();
  const steps: [string, number][] = [
    ['seen', checked + Math.max(0, (unchecked.claims ?? 0) - (unchecked.checked ?? 0))],
    ['fetched', await countWhere(db, (at) => [at.exists(readCitation(at))])],
    ['verified', await countWhere(db, (at) => [at('score', 'is not', null)])],
    ['flagged', await countWhere(db, (at) => [at('score', 'is not', null), at('verdict', 'in', FAILING)])],
    [
      'accepted',
      await countWhere(db, (at) => [
        at('score', 'is not', null),
        at('verdict', 'in', FAILING),
        at('decision', '=', 'accept'),
      ]),
    ],
  ];
  return {
    id: 'funnel',
    title: 'From claim to decision',
    note: 'Claims that were seen; of which at least one source was read; that were judged; whose citation seems to fail; and of which a person says that it does.',
    columns: ['step', 'claims'],
    rows: steps,
  };
}

/** Verdicts that say of a citation that it fails. */
export const FAILING: readonly Verdict[] = ['contradicted', 'not_supported', 'partially_supported'];

type At = ExpressionBuilder<Schema, 'findings'>;

async function countWhere(db: Kysely<Schema>, conditions: (at: At) => Expression<SqlBool>[]): Promise<number> {
  const { count } = await db
    .selectFrom('findings')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where((at) => at.or([at('closed_because', 'is', null), at('closed_because', '!=', 'superseded')]))
    .where((at) => at.and(conditions(at)))
    .executeTakeFirstOrThrow();
  return count;
}

function readCitation(at: At) {
  return at
    .selectFrom('citations')
    .select('citations.hash')
    .whereRef('citations.finding_id', '=', 'findings.id')
    .where('citations.reason', 'is', null);
}
