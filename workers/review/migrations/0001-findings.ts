/** Findings, the decisions on them, and the pages they stand on. Portable SQL: SQLite and MariaDB. */
import type { Kysely } from 'kysely';
import { isMariaDb } from '../../../shared/sql.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  await createFindings(db);
  await createDecisions(db);
  await createPages(db);
}

async function createFindings(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('findings')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('wiki', 'varchar(255)', (column) => column.notNull())
    .addColumn('page_id', 'integer', (column) => column.notNull())
    .addColumn('page_title', 'varchar(512)', (column) => column.notNull())
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .addColumn('claim_hash', 'varchar(16)', (column) => column.notNull())
    .addColumn('citations_hash', 'varchar(16)', (column) => column.notNull())
    .addColumn('model', 'varchar(128)', (column) => column.notNull())
    .addColumn('verdict', 'varchar(32)', (column) => column.notNull())
    .addColumn('score', 'double precision')
    .addColumn('reason', 'varchar(32)')
    .addColumn('finding', 'json', (column) => column.notNull())
    .addColumn('state', 'varchar(8)', (column) => column.notNull())
    .addColumn('closed_because', 'varchar(16)')
    .addColumn('decision', 'varchar(16)')
    .addColumn('deferrals', 'integer', (column) => column.notNull())
    .addColumn('position', 'double precision', (column) => column.notNull())
    .addColumn('created_at', 'varchar(24)', (column) => column.notNull())
    .addColumn('updated_at', 'varchar(24)', (column) => column.notNull())
    .addUniqueConstraint('findings_anchor', ['wiki', 'page_id', 'claim_hash', 'citations_hash', 'model'])
    .execute();
  const index = (name: string) => db.schema.createIndex(name).on('findings');
  await index('findings_queue').columns(['state', 'position', 'id']).execute();
  await index('findings_page').columns(['page_title', 'state', 'position', 'id']).execute();
  // MariaDB's indexes have 3072 bytes for a row
  const title = isMariaDb(db) ? [] : ['page_title'];
  await index('findings_counts')
    .columns(['state', 'verdict', ...title, 'wiki'])
    .execute();
}

async function createDecisions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('decisions')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('finding_id', 'integer', (column) => column.notNull().references('findings.id'))
    .addColumn('decision', 'varchar(16)', (column) => column.notNull())
    .addColumn('user', 'varchar(255)')
    .addColumn('comment', 'text')
    .addColumn('created_at', 'varchar(24)', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('decisions_finding').on('decisions').column('finding_id').execute();
}

async function createPages(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('pages')
    .addColumn('wiki', 'varchar(255)', (column) => column.notNull())
    .addColumn('page_id', 'integer', (column) => column.notNull())
    .addColumn('title', 'varchar(512)', (column) => column.notNull())
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .addColumn('claims', 'integer', (column) => column.notNull())
    .addColumn('checked', 'integer', (column) => column.notNull())
    .addColumn('anchors', 'json', (column) => column.notNull())
    .addColumn('deleted', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('pages_primary', ['wiki', 'page_id'])
    .execute();
}
