/** Versions of the model side by side: what they judged, what they flagged, and what people said of that. */
import { type Kysely, sql } from 'kysely';
import { wilsonInterval } from '../../evaluation/precision-curve.ts';
import type { Schema } from '../database.ts';
import { lastDecisions } from '../last-decisions.ts';
import type { Figure } from './figure.ts';
import { FAILING } from './funnel.ts';

export async function modelVersions(db: Kysely<Schema>): Promise<Figure> {
  const judged = await db
    .selectFrom('findings')
    .select(['model', sql<number>`SUM(CASE WHEN ${isFailing} THEN 1 ELSE 0 END)`.as('flagged')])
    .select(({ fn }) => [fn.countAll<number>().as('findings'), fn.avg<number | null>('score').as('mean')])
    .groupBy('model')
    .orderBy('model')
    .execute();
  const decided = new Map((await decisionsOnFlagged(db)).map((row) => [row.model, row]));
  return {
    id: 'models',
    title: 'Model versions',
    note: 'Of what each version flagged and people decided on, the share that they confirmed, with its 95 % interval. Versions judged different claims at different times.',
    columns: ['model', 'findings', 'mean score', 'flagged', 'decided', 'confirmed', 'share', 'low', 'high'],
    rows: judged.map(({ model, findings, mean, flagged }) => {
      const { decided: n, confirmed } = decided.get(model) ?? { decided: 0, confirmed: 0 };
      const [low, high] = wilsonInterval(Number(confirmed), n);
      const shares = n === 0 ? [null, null, null] : [Number(confirmed) / n, low, high];
      return [model, findings, mean === null ? null : Number(mean), Number(flagged), n, Number(confirmed), ...shares];
    }),
  };
}

const isFailing = sql`verdict IN (${sql.join([...FAILING])})`;

function decisionsOnFlagged(db: Kysely<Schema>) {
  return lastDecisions(db)
    .where('verdict', 'in', FAILING)
    .select('model')
    .select(({ fn }) => fn.countAll<number>().as('decided'))
    .select(sql<number>`SUM(CASE WHEN decision = 'accept' THEN 1 ELSE 0 END)`.as('confirmed'))
    .groupBy('model')
    .execute();
}
