import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Generated, type Kysely, type Migration, sql } from 'kysely';
import { RefuseToStart, TransientError } from '../../shared/errors.ts';
import { isMariaDb, migrateSql, openSql, transact } from '../../shared/sql.ts';
import { mariaDbUnavailable, startMariaDb, type TestMariaDb } from '../support/mariadb.ts';

interface Things {
  things: { id: Generated<number>; name: string; kind: string; n: number; note: string | null };
}

const things: Migration = {
  async up(db) {
    await db.schema
      .createTable('things')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('name', 'varchar(255)', (column) => column.notNull())
      .addColumn('kind', 'varchar(16)', (column) => column.notNull())
      .addColumn('n', 'integer', (column) => column.notNull())
      .addUniqueConstraint('things_name', ['name', 'kind'])
      .execute();
    await db.schema.createIndex('things_n').on('things').column('n').execute();
  },
};
const notes: Migration = {
  up: async (db) => db.schema.alterTable('things').addColumn('note', 'json').execute(),
};
const MIGRATIONS = { '0001-things': things, '0002-notes': notes };
const TABLE = { table: 'things_migration' };

let folder: string;
let maria: TestMariaDb | null = null;
const opened: Kysely<Things>[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sidelight-sql-'));
  if (mariaDbUnavailable() === null) maria = await startMariaDb();
}, 60_000);
afterAll(async () => {
  await Promise.all(opened.map((db) => db.destroy()));
  await maria?.stop();
  await rm(folder, { recursive: true, force: true });
});

const sqlitePlace = async () => join(await mkdtemp(join(folder, 'file-')), 'things.sqlite');
const mariaPlace = async () => {
  if (maria === null) throw new Error('asked for only where it is');
  return maria.freshDatabase();
};
const engines: [string, () => Promise<string>][] = [['SQLite', sqlitePlace]];
if (mariaDbUnavailable() === null) engines.push(['MariaDB', mariaPlace]);

function open(place: string): Kysely<Things> {
  const db = openSql<Things>(place);
  opened.push(db);
  return db;
}
async function migrated(place: string): Promise<Kysely<Things>> {
  const db = open(place);
  await migrateSql(db, MIGRATIONS, TABLE);
  return db;
}

describe.each(engines)('%s', (engine, freshPlace) => {
  const thing = { kind: 'mill', n: 1, note: null };

  it('is told apart, in a transaction too', async () => {
    const db = open(await freshPlace());
    expect(isMariaDb(db)).toBe(engine === 'MariaDB');
    await db.transaction().execute(async (trx) => expect(isMariaDb(trx)).toBe(engine === 'MariaDB'));
  });

  it('compares text byte for byte, and gives numbers and JSON as they were written', async () => {
    const db = await migrated(await freshPlace());
    for (const name of ['mill', 'Mill', 'mill ', 'míll', '𝔪ill'])
      await db
        .insertInto('things')
        .values({ ...thing, name })
        .execute();
    await db.updateTable('things').set({ note: '{"b": 1,  "a":"\\\\"}' }).where('name', '=', 'Mill').execute();
    const { rows } = await sql`select count(*) as count, sum(n) as sum, avg(n) as avg from things`.execute(db);
    expect(rows).toEqual([{ count: 5, sum: 5, avg: 1 }]);
    expect(await db.selectFrom('things').select(['name', 'note']).where('name', '=', 'Mill').execute()).toEqual([
      { name: 'Mill', note: '{"b": 1,  "a":"\\\\"}' },
    ]);
    const names = await db.selectFrom('things').select('name').orderBy('name').execute();
    expect(names.map(({ name }) => name)).toEqual(['Mill', 'mill', 'mill ', 'míll', '𝔪ill']);
  });

  it('leaves a row that is there alone, or changes it, and says which', async () => {
    const db = await migrated(await freshPlace());
    const insert = (n: number) => db.insertInto('things').values({ ...thing, name: 'a', n });
    const ignoring = (n: number) => insert(n).onConflict((conflict) => conflict.columns(['name', 'kind']).doNothing());
    expect((await ignoring(1).executeTakeFirst()).numInsertedOrUpdatedRows).toBe(1n);
    expect((await ignoring(2).executeTakeFirst()).numInsertedOrUpdatedRows).toBe(0n);
    const upsert = insert(5).onConflict((conflict) =>
      conflict.columns(['name', 'kind']).doUpdateSet((eb) => ({ n: eb('things.n', '+', eb.ref('excluded.n')) })),
    );
    await upsert.execute();
    expect(await db.selectFrom('things').select(['id', 'n']).execute()).toEqual([{ id: 1, n: 6 }]);
    const changed = await db.updateTable('things').set({ n: 6 }).executeTakeFirst();
    expect(changed.numUpdatedRows).toBe(1n);
    expect(
      await db
        .insertInto('things')
        .values({ ...thing, name: 'b' })
        .returning(['id', 'name'])
        .execute(),
    ).toMatchObject([{ name: 'b' }]);
  });

  it('leaves no row out for another reason', async () => {
    const db = await migrated(await freshPlace());
    // of the wrong shape on purpose
    const empty = { ...thing, name: null as unknown as string };
    const ignoring = db
      .insertInto('things')
      .values([empty])
      .onConflict((conflict) => conflict.doNothing());
    // an addon's error may be of another realm
    await expect(ignoring.execute()).rejects.toMatchObject({ message: expect.stringMatching(/null/i) });
  });

  it('lets no change of a reader who writes get lost, however many there are', async () => {
    const place = await freshPlace();
    const first = await migrated(place);
    await first
      .insertInto('things')
      .values({ ...thing, name: 'a', n: 0 })
      .execute();
    const add = (db: Kysely<Things>) =>
      transact(
        db,
        async (trx) => {
          const { n } = await trx.selectFrom('things').select('n').executeTakeFirstOrThrow();
          await trx
            .updateTable('things')
            .set({ n: n + 1 })
            .execute();
        },
        { turn: 'things' },
      );
    const writers = [first, open(place), open(place)];
    await Promise.all(Array.from({ length: 60 }, (_, i) => add(writers[i % 3] ?? first)));
    expect(await first.selectFrom('things').select('n').execute()).toEqual([{ n: 60 }]);
  });

  it('is brought forward once by all who start at the same time', async () => {
    const place = await freshPlace();
    await Promise.all(Array.from({ length: 4 }, () => migrated(place)));
    expect(await open(place).selectFrom('things').selectAll().execute()).toEqual([]);
  });

  it('is refused where a newer version wrote it, without its password', async () => {
    const place = await freshPlace();
    await migrated(place);
    const refusal = await migrateSql(open(place), { '0001-things': things }, TABLE).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(RefuseToStart);
    expect(String(refusal)).toContain('0002-notes');
    if (engine === 'MariaDB') expect(String(refusal)).not.toContain(new URL(place).password);
  });
});

const withMariaDb = mariaDbUnavailable() === null ? describe : describe.skip;

withMariaDb('a shared MariaDB', () => {
  it('repeats a transaction that it rolled back for another one', async () => {
    const place = await mariaPlace();
    const db = await migrated(place);
    await db
      .insertInto('things')
      .values([{ ...thing('a') }, { ...thing('b') }])
      .execute();
    const both = (names: readonly string[], other: Kysely<Things>) =>
      transact(other, async (trx) => {
        for (const name of names) {
          await trx
            .updateTable('things')
            .set((eb) => ({ n: eb('n', '+', 1) }))
            .where('name', '=', name)
            .execute();
        }
      });
    const second = open(place);
    await Promise.all(
      Array.from({ length: 16 }, (_, i) => (i % 2 === 0 ? both(['a', 'b'], db) : both(['b', 'a'], second))),
    );
    expect(await db.selectFrom('things').select('n').execute()).toEqual([{ n: 17 }, { n: 17 }]);
  });

  it('goes on with a migration that was killed in the middle', async () => {
    const db = open(await mariaPlace());
    let killed = true;
    const halfway: Migration = {
      async up(inner) {
        await things.up(inner);
        await notes.up(inner);
        if (killed) throw new Error('killed');
      },
    };
    await expect(migrateSql(db, { '0001-things': halfway }, TABLE)).rejects.toThrow('killed');
    killed = false;
    await migrateSql(db, { '0001-things': halfway }, TABLE);
    expect(await db.selectFrom('things').selectAll().execute()).toEqual([]);
  });

  it('says that it is away, and is used again once it is back', async () => {
    const own = await startMariaDb();
    const db = await migrated(own.url);
    try {
      await db.insertInto('things').values(thing('a')).execute();
      await own.pause({ kill: true });
      await expect(db.selectFrom('things').selectAll().execute()).rejects.toBeInstanceOf(TransientError);
      await own.startAgain();
      expect(await db.selectFrom('things').select('name').execute()).toEqual([{ name: 'a' }]);
    } finally {
      await db.destroy();
      await own.stop();
    }
  }, 60_000);

  const thing = (name: string) => ({ name, kind: 'mill', n: 1, note: null });
});
