/**
 * Texts of fetched pages by their hash, and which of them stay though their page has another text by now: what people decided on is
 * labelled data (`workers/review/export.ts`). Never what a person gave.
 */
import { type Kysely, sql } from 'kysely';
import { packText, unpackText } from './packed-text.ts';
import type { SourceTables } from './tables.ts';

export interface Texts {
  /** By a source's `contentHash`. Null: there is no such text any more. */
  get(contentHash: string): Promise<string | null>;
  /** From now on. One that is not there is passed over. */
  keep(contentHashes: readonly string[]): Promise<void>;
}

export interface StoredTexts extends Texts {
  /** Before the source that names it: what is put is not dropped for `looseMs`. */
  put(contentHash: string, text: string): Promise<void>;
  /** A page has it no more: it goes unless it is kept or another page has it. */
  loosen(contentHash: string): Promise<void>;
}

/**
 * `looseMs`: for how long a text that no page has stays, longer than any process takes from putting a text to putting its source. That
 * is why nothing here needs a transaction.
 */
export function openTexts(db: Kysely<SourceTables>, looseMs: number): StoredTexts {
  const change = (hashes: readonly string[], values: { kept?: 1; loose_at: null }) =>
    db
      .updateTable('source_texts')
      .set(values)
      .where('hash', 'in', [...hashes])
      .executeTakeFirstOrThrow();
  return {
    async get(contentHash) {
      const row = await db.selectFrom('source_texts').select('body').where('hash', '=', contentHash).executeTakeFirst();
      return row === undefined ? null : unpackText(row.body);
    },
    async keep(contentHashes) {
      if (contentHashes.length > 0) await change(contentHashes, { kept: 1, loose_at: null });
    },
    async put(hash, text) {
      if ((await change([hash], { loose_at: null })).numUpdatedRows > 0n) return;
      const row = { hash, body: await packText(text), loose_at: null };
      await db
        .insertInto('source_texts')
        .values(row)
        .onConflict((conflict) => conflict.column('hash').doUpdateSet({ loose_at: null }))
        .execute();
    },
    async loosen(hash) {
      const now = Date.now();
      await db.updateTable('source_texts').set({ loose_at: now }).where('hash', '=', hash).where(UNUSED).execute();
      await db
        .deleteFrom('source_texts')
        .where('loose_at', '<=', now - looseMs)
        .where(UNUSED)
        .execute();
    },
  };
}

const UNUSED = sql<boolean>`kept = 0 and not exists (select 1 from sources where content_hash = source_texts.hash)`;
