/** Stores of a test file on MariaDB: one server a file, and one database that is emptied after each store. */
import { type Kysely, sql } from 'kysely';
import { openSql } from '../../../../shared/sql.ts';
import { startMariaDb, type TestMariaDb } from '../../../support/mariadb.ts';
import { layStoresOn } from '../store.ts';

/** To be called within a `describe`. */
export function useMariaDb(): void {
  let maria: TestMariaDb;
  let free: string[] = [];
  beforeAll(async () => {
    maria = await startMariaDb();
    free = [];
    layStoresOn(async () => {
      const place = free.pop() ?? (await maria.freshDatabase());
      return {
        place,
        async leave() {
          await empty(place);
          free.push(place);
        },
      };
    });
  }, 60_000);
  afterAll(() => maria.stop(0));
}

/** Tables stay, rows go, numbers begin with 1 again: to make the tables anew takes a second. */
async function empty(place: string): Promise<void> {
  const db = openSql<Record<string, never>>(place);
  await db.connection().execute(async (connection) => {
    await sql`set session foreign_key_checks = 0`.execute(connection);
    for (const table of await filled(connection)) {
      await sql`delete from ${sql.table(table)}`.execute(connection);
      await sql`alter table ${sql.table(table)} auto_increment = 1`.execute(connection);
    }
  });
  await db.destroy();
}

/** Tables with rows in them. */
async function filled(db: Kysely<Record<string, never>>): Promise<string[]> {
  names ??= (await db.introspection.getTables()).map(({ name }) => name).filter((name) => !name.startsWith('kysely_'));
  const each = names.map((name) => sql`select ${name} as name where exists (select 1 from ${sql.table(name)})`);
  const { rows } = await sql<{ name: string }>`${sql.join(each, sql` union all `)}`.execute(db);
  return rows.map(({ name }) => name);
}

/** Of the schema, the same in all databases of a file. */
let names: string[] | null = null;
