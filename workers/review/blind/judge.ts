/** What a person says of the two passages of an item → kept, once a person and five times an item. */
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { RequestError } from '../../../shared/errors.ts';
import { Sufficiency } from '../../evaluation/agreement.ts';
import { type Schema, writing } from '../database.ts';
import { getItem, JUDGES } from './items.ts';

/** `one` and `other`: in the order in which they were shown. */
export const Judgement = z.object({
  one: Sufficiency,
  other: Sufficiency,
  better: z.enum(['one', 'other', 'neither']),
});
export type Judgement = z.infer<typeof Judgement>;

/** The same once more changes nothing. Throws RequestError `not_found`; `conflict` where it is judged otherwise, or often enough. */
export async function judge(db: Kysely<Schema>, id: number, userId: number, said: Judgement): Promise<void> {
  await writing(db, async (trx) => {
    const { first } = await getItem(trx, id, userId);
    const row = { item_id: id, user_id: userId, first, ...unblind(said, first), created_at: new Date().toISOString() };
    const all = await trx.selectFrom('blind_judgements').selectAll().where('item_id', '=', id).execute();
    const own = all.find(({ user_id }) => user_id === userId);
    if (own === undefined && all.length < JUDGES) await trx.insertInto('blind_judgements').values(row).execute();
    else if (own === undefined)
      throw new RequestError('conflict', 'Others have judged this one often enough meanwhile.');
    else if (!isSame(own, row)) throw new RequestError('conflict', 'You have judged this one already, otherwise.');
  });
}

type Row = Pick<Schema['blind_judgements'], 'cited' | 'suggested' | 'preferred'>;

function unblind({ one, other, better }: Judgement, first: 'cited' | 'suggested'): Row {
  const second = first === 'cited' ? 'suggested' : 'cited';
  const preferred = better === 'neither' ? 'neither' : better === 'one' ? first : second;
  return first === 'cited' ? { cited: one, suggested: other, preferred } : { cited: other, suggested: one, preferred };
}

function isSame(one: Row, other: Row): boolean {
  return one.cited === other.cited && one.suggested === other.suggested && one.preferred === other.preferred;
}
