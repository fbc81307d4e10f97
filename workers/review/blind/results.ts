/** What people said in the comparison → judgements as the evaluation reads them, and how far it is. Judges by pseudonym. */
import type { Kysely } from 'kysely';
import { hashText } from '../../../shared/hash.ts';
import type { SourceJudgement } from '../../evaluation/agreement.ts';
import type { Schema } from '../database.ts';
import { JUDGES } from './items.ts';

/** In the order in which they were made. `item`: id of the finding. `since`: ISO time. */
export async function blindJudgements(db: Kysely<Schema>, since = ''): Promise<SourceJudgement[]> {
  const rows = await db
    .selectFrom('blind_judgements')
    .innerJoin('blind_items', 'blind_items.id', 'blind_judgements.item_id')
    .innerJoin('users', 'users.id', 'blind_judgements.user_id')
    .select(['blind_items.finding_id', 'users.wiki', 'users.subject', 'cited', 'suggested', 'preferred'])
    .where('blind_judgements.created_at', '>=', since)
    .orderBy('blind_judgements.created_at')
    .orderBy('blind_judgements.item_id')
    .execute();
  return rows.map(({ finding_id, wiki, subject, cited, suggested, preferred }) => ({
    item: String(finding_id),
    judge: hashText(`${wiki} ${subject}`),
    ...{ cited, suggested, preferred },
  }));
}

export interface BlindProgress {
  /** Items with all their judgements, of those that were begun. */
  complete: number;
  begun: number;
  /** How many this person has judged. */
  own: number;
}

export async function blindProgress(db: Kysely<Schema>, userId: number | null): Promise<BlindProgress> {
  const items = await db
    .selectFrom('blind_judgements')
    .select('item_id')
    .select(({ fn }) => fn.countAll<number>().as('judges'))
    .groupBy('item_id')
    .execute();
  const own = await db
    .selectFrom('blind_judgements')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId ?? 0)
    .executeTakeFirstOrThrow();
  return { complete: items.filter(({ judges }) => judges >= JUDGES).length, begun: items.length, own: own.count };
}
