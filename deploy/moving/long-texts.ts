/**
 * Texts that earlier versions kept plain, and that are longer than one statement of a MariaDB may be: packed where they lie, so that
 * they can be copied. In: the open SQLite form of the sources. Out: nothing. What they say stays the same.
 */
import { type Kysely, sql } from 'kysely';
import { RefuseToStart } from '../../shared/errors.ts';
import { fitsPacked, packText, unpackText } from '../../workers/source/packed-text.ts';

/** Throws RefuseToStart for one that is too long packed too. */
export async function packLongTexts(db: Kysely<unknown>): Promise<void> {
  for (const [table, key] of TEXTS) {
    const [texts, id] = [sql.table(table), sql.ref(key)];
    const { rows: long } = await sql<{ id: string }>`
      select ${id} as id from ${texts} where length(body) > ${PLAIN_BYTES}`.execute(db);
    for (const row of long) {
      const { rows } = await sql<{ body: Buffer }>`select body from ${texts} where ${id} = ${row.id}`.execute(db);
      const text = await unpackText(rows[0]?.body ?? Buffer.of());
      if (!(await fitsPacked(text))) {
        throw new RefuseToStart(
          `a text of ${text.length} characters is too long for MariaDB (${table}, ${key} ${row.id}): delete its row first`,
        );
      }
      await sql`update ${texts} set body = ${await packText(text)} where ${id} = ${row.id}`.execute(db);
    }
  }
}

const TEXTS = [
  ['source_texts', 'hash'],
  ['given_sources', 'key'],
] as const;
/** What `packText` makes is no longer. */
const PLAIN_BYTES = 7 * 1024 ** 2;
