/** Of citations with a score, how many failed: as people decided here, beside what was measured when the model was trained. */
import type { Kysely } from 'kysely';
import { wilsonInterval } from '../../evaluation/precision-curve.ts';
import { decidedBands, publishedBands } from '../confirmed.ts';
import type { Schema } from '../database.ts';
import type { Figure } from './figure.ts';

/** Of the model that judged last: scores of different versions don't compare. */
export async function precision(db: Kysely<Schema>): Promise<Figure> {
  const newest = await db.selectFrom('findings').select('model').orderBy('id', 'desc').limit(1).executeTakeFirst();
  const model = newest?.model ?? '';
  const here = newest === undefined ? [] : await decidedBands(db, model);
  const sources = [
    ['decided here', here.filter(({ decided }) => decided > 0)],
    ['published', publishedBands(model)],
  ] as const;
  return {
    id: 'precision',
    title: 'Failed citations by score',
    note: `Of citations with such a score, the share that failed: by people’s last decisions here, and as published for ${model || 'the model'} (cross-validated, MODEL_CARD.md). The bars are 95 % intervals. People see low scores first, so that high ones are decided rarely.`,
    columns: ['source', 'score from', 'score below', 'decided', 'failed', 'share', 'low', 'high'],
    rows: sources.flatMap(([source, bands]) =>
      bands.map(({ from, below, decided, confirmed }) => {
        const [low, high] = wilsonInterval(confirmed, decided);
        return [source, from, below, decided, confirmed, confirmed / decided, low, high];
      }),
    ),
  };
}
