/** Pages whose findings are not shown and that patrol leaves alone; what a person asks for is still checked. In: the database. */
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { Page, WikiId } from '../../shared/citation.ts';
import { RequestError } from '../../shared/errors.ts';
import type { Schema } from './database.ts';

export const OptOut = z.object({
  wiki: WikiId,
  page: Page,
  /** Name of the maintainer. */
  by: z.string(),
  comment: z.string().nullable(),
  createdAt: z.iso.datetime(),
});
export type OptOut = z.infer<typeof OptOut>;

/** The newest first. */
export async function listOptOuts(db: Kysely<Schema>): Promise<OptOut[]> {
  const rows = await db
    .selectFrom('opt_outs')
    .innerJoin('users', 'users.id', 'opt_outs.user_id')
    .select(['opt_outs.wiki as wiki', 'page_id', 'page_title', 'comment', 'created_at', 'users.name as by'])
    .orderBy('created_at', 'desc')
    .orderBy('page_id')
    .execute();
  return rows.map(({ wiki, page_id: id, page_title: title, comment, created_at: createdAt, by }) => {
    return { wiki, page: { id, title }, by, comment, createdAt };
  });
}

/** A page that opted out already is left as it is. */
export async function addOptOut(
  db: Kysely<Schema>,
  { wiki, page, userId, comment }: { wiki: string; page: Page; userId: number; comment: string | null },
): Promise<void> {
  await db
    .insertInto('opt_outs')
    .values({
      wiki,
      page_id: page.id,
      page_title: page.title,
      user_id: userId,
      comment,
      created_at: new Date().toISOString(),
    })
    .onConflict((conflict) => conflict.columns(['wiki', 'page_id']).doNothing())
    .execute();
}

/** Throws RequestError `not_found` for a page that has not opted out. */
export async function removeOptOut(db: Kysely<Schema>, wiki: string, pageId: number): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('opt_outs')
    .where('wiki', '=', wiki)
    .where('page_id', '=', pageId)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) throw new RequestError('not_found', `Page ${pageId} of ${wiki} has not opted out.`);
}

/** Throws RequestError `not_found`: nothing that was found on it is shown. */
export async function refuseOptedOut(db: Kysely<Schema>, wiki: string, pageId: number): Promise<void> {
  const optOut = await db
    .selectFrom('opt_outs')
    .select('page_id')
    .where('wiki', '=', wiki)
    .where('page_id', '=', pageId)
    .executeTakeFirst();
  if (optOut !== undefined) throw new RequestError('not_found', `Page ${pageId} of ${wiki} has opted out.`);
}
