/** Migrations under what still runs: the version before goes on reading and writing, see deploy/decisions/migrations.md. */
import type { Kysely, Migration } from 'kysely';
import { migrateSql, openSql } from '../../../shared/sql.ts';
import { MIGRATIONS, openReviewDatabase } from '../../../workers/review/database.ts';
import { createFindings } from '../../../workers/review/findings.ts';
import { onEachEngine } from '../../support/databases.ts';
import { formerCounts, formerDecide, formerHistory, formerList, formerRecord, type Tables } from './former.ts';
import { ALL, findingOf } from './store.ts';

const TABLE = { table: 'kysely_migration' };
/** What it takes away, by migration, of what the version before asks for. Nothing may join it: a migration adds. */
const BROKEN: Record<string, string[]> = { '0004-triage': ['decisions.user is gone'] };

onEachEngine('migrations', [], cases);

function cases(freshPlace: () => Promise<string>): void {
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((db) => db.destroy()));
  });

  test('the version before lists, counts and takes findings in while people are given their tables, and after', async () => {
    const place = await freshPlace();
    const former = await openAt(place, '0003-following');
    await formerDecide(former, await filled(former, 60));
    let recorded = 60;
    let isDone = false;
    const reading = (async () => {
      for (let after = 0; after < 3; after += isDone ? 1 : 0) {
        recorded += 1;
        await formerRecord(former, findingOf(`Claim ${recorded}.`));
        expect(await formerList(former)).toHaveLength(50);
        expect(await formerCounts(former)).toEqual({ not_supported: recorded });
        expect(await formerHistory(former, 1)).toHaveLength(1);
      }
    })();
    const db = await openReviewDatabase(place).finally(() => {
      isDone = true;
    });
    await reading;
    expect(recorded).toBeGreaterThan(63); // some while it ran
    const rows = await createFindings(db).list(ALL, { limit: recorded + 1 });
    expect(rows).toHaveLength(recorded);
    expect(await db.selectFrom('finding_changes').selectAll().execute()).toHaveLength(recorded);
    // by its words alone: an addon makes errors of the realm that loaded it first, which jest takes for none
    const refusal = await formerDecide(former, 2).catch(({ message }: Error) => message);
    expect(refusal).toMatch(/user/); // it says so, and decides nothing
    await db.destroy();
  }, 60_000);

  test('a migration takes nothing away that the version before asks for, and asks for nothing that it does not give', async () => {
    const db = open(await freshPlace());
    let before = await columnsOf(db);
    for (const name of Object.keys(MIGRATIONS)) {
      await migrateSql(db, upTo(name), TABLE);
      const now = await columnsOf(db);
      expect({ [name]: breaks(before, now) }).toEqual({ [name]: BROKEN[name] ?? [] });
      before = now;
    }
  }, 60_000);

  test('that is noticed: a column that goes, one that has to be given, and a table that goes', async () => {
    const db = open(await freshPlace());
    await db.schema.createTable('mills').addColumn('id', 'integer').addColumn('name', 'varchar(9)').execute();
    await db.schema.createTable('quays').addColumn('id', 'integer').execute();
    const before = await columnsOf(db);
    await db.schema.alterTable('mills').dropColumn('name').execute();
    await db.schema.dropTable('quays').execute();
    await db.schema
      .createTable('wells')
      .addColumn('id', 'integer', (column) => column.notNull())
      .execute();
    const needed = db.schema
      .alterTable('mills')
      .addColumn('depth', 'integer', (column) => column.notNull().defaultTo(1));
    await needed.execute();
    await db.schema.alterTable('mills').addColumn('note', 'json').execute();
    const now = await columnsOf(db);
    expect(breaks(before, now)).toEqual(['mills.name is gone', 'quays.id is gone']);
    const strict = new Map([...now].map(([name, column]) => [name, { ...column, isGiven: name !== 'mills.depth' }]));
    expect(breaks(before, strict)).toContain('mills.depth must be given');
  });
}

const opened: Kysely<Tables>[] = [];

function open(place: string): Kysely<Tables> {
  const db = openSql<Tables>(place);
  opened.push(db);
  return db;
}

/** A database of a former version, as that one has it open. */
async function openAt(place: string, last: string): Promise<Kysely<Tables>> {
  const db = open(place);
  await migrateSql(db, upTo(last), TABLE);
  return db;
}

function upTo(last: string): Record<string, Migration> {
  return Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name <= last));
}

/** The id of the first. */
async function filled(db: Kysely<Tables>, count: number): Promise<number> {
  for (let at = 1; at <= count; at += 1) await formerRecord(db, findingOf(`Claim ${at}.`));
  return 1;
}

/** `isGiven`: whoever inserts a row need not name it. */
type Columns = Map<string, { isGiven: boolean }>;

async function columnsOf(db: Kysely<Tables>): Promise<Columns> {
  const tables = await db.introspection.getTables();
  return new Map(
    tables.flatMap(({ name, columns }) =>
      columns.map((column) => {
        const isGiven = column.isNullable || column.hasDefaultValue || column.isAutoIncrementing;
        return [`${name}.${column.name}`, { isGiven }];
      }),
    ),
  );
}

function breaks(before: Columns, now: Columns): string[] {
  const tables = new Set([...before.keys()].map((name) => name.split('.')[0]));
  const gone = [...before.keys()].filter((name) => !now.has(name)).map((name) => `${name} is gone`);
  const added = [...now].filter(([name]) => !before.has(name) && tables.has(name.split('.')[0]));
  return [...gone, ...added.filter(([, { isGiven }]) => !isGiven).map(([name]) => `${name} must be given`)];
}
