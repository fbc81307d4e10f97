/**
 * Findings that follow the article: what happened to a claim in place of "changed", what was decided on, when a finding was judged,
 * and by which citations it is found. Portable SQL: SQLite and MariaDB.
 */
import { type Kysely, sql } from 'kysely';
import { isMariaDb } from '../../../shared/sql.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  // nobody knows any more what happened to them
  await sql`UPDATE findings SET closed_because = 'removed' WHERE closed_because = 'changed'`.execute(db);
  await addColumns(db);
  await sql`UPDATE findings SET judged_at = updated_at`.execute(db);
  await createCitations(db);
  await fillCitations(db);
}

async function addColumns(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema.alterTable('findings').addColumn('reopened_because', 'varchar(16)').execute();
  await schema
    .alterTable('findings')
    .addColumn('judged_at', 'varchar(24)', (column) => column.notNull().defaultTo(''))
    .execute();
  await schema.alterTable('decisions').addColumn('verdict', 'varchar(32)').execute();
  await schema.alterTable('decisions').addColumn('revision', 'bigint').execute();
  await schema.alterTable('decisions').addColumn('model', 'varchar(128)').execute();
  await schema.alterTable('pages').addColumn('gone', 'json').execute();
  await schema
    .alterTable('pages')
    .addColumn('last_log', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
}

async function createCitations(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('citations')
    .addColumn('finding_id', 'integer', (column) => column.notNull().references('findings.id'))
    .addColumn('hash', 'varchar(16)', (column) => column.notNull())
    .addColumn('reason', 'varchar(32)')
    .addPrimaryKeyConstraint('citations_primary', ['finding_id', 'hash'])
    .execute();
  await db.schema.createIndex('citations_hash').on('citations').column('hash').execute();
  await db.schema.createIndex('citations_reason').on('citations').column('reason').execute();
}

/** Some findings at a time: there may be millions. */
async function fillCitations(db: Kysely<unknown>): Promise<void> {
  // MariaDB runs a migration again that was killed
  const insert = isMariaDb(db) ? sql`INSERT IGNORE` : sql`INSERT`;
  for (let after = 0; ; ) {
    const { rows } = await sql<Row>`SELECT id, finding FROM findings WHERE id > ${after} ORDER BY id LIMIT 500`.execute(
      db,
    );
    for (const { id, finding } of rows) {
      // as any version that wrote it had it
      const { citations } = JSON.parse(finding) as { citations: { hash: string; reason: string | null }[] };
      const reasons = new Map(citations.map(({ hash, reason }) => [hash, reason]));
      for (const [hash, reason] of reasons) {
        await sql`${insert} INTO citations (finding_id, hash, reason) VALUES (${id}, ${hash}, ${reason})`.execute(db);
      }
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

interface Row {
  id: number;
  finding: string;
}
