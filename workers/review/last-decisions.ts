/** Of each finding the decision that stands: the last one that was not taken back, if it says that the finding is right or wrong. A query. */
import type { Kysely } from 'kysely';
import type { Schema } from './database.ts';

export function lastDecisions(db: Kysely<Schema>) {
  return db
    .selectFrom('decisions')
    .where('decisions.id', 'in', (last) =>
      last
        .selectFrom('decisions')
        .select(({ fn }) => fn.max<number>('id').as('id'))
        .where('undone_at', 'is', null)
        .groupBy('finding_id'),
    )
    .where('decisions.decision', 'in', ['accept', 'reject']);
}
