/** The review database: its tables as types, opened and migrated. In: a path. Out: Kysely. Queries live beside their verbs. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { type Generated, Kysely, type Migration, Migrator, SqliteDialect } from 'kysely';
import type { ClosedBecause, Decision, UnavailableReason, Verdict } from '../../shared/citation.ts';
import { RefuseToStart } from '../../shared/errors.ts';
import * as findings from './migrations/0001-findings.ts';
import * as positions from './migrations/0002-positions.ts';
import * as following from './migrations/0003-following.ts';

export interface Schema {
  findings: FindingTable;
  citations: CitationTable;
  decisions: DecisionTable;
  pages: PageTable;
}

/** One row an anchor (claim and its group of citations) and model version. Times are ISO. */
export interface FindingTable {
  id: Generated<number>;
  wiki: string;
  page_id: number;
  page_title: string;
  /** The newest revision it was judged at. */
  revision: number;
  claim_hash: string;
  citations_hash: string;
  model: string;
  verdict: Verdict;
  score: number | null;
  reason: UnavailableReason | null;
  /** A `Finding` as JSON. */
  finding: string;
  state: 'open' | 'closed';
  closed_because: ClosedBecause | null;
  /** The last one; `decisions` keeps them all. Null again for a finding that opened again. */
  decision: Decision | null;
  /** Why it opened again after a person had decided; null once a person decides anew. */
  reopened_because: ReopenedBecause | null;
  /** How often people put it off: each sends it once more behind the others. */
  deferrals: number;
  /** Place in the queue, lowest first. */
  position: number;
  created_at: string;
  updated_at: string;
  /** When it was judged last. */
  judged_at: string;
}

export type ReopenedBecause = 'source_changed';

/** The citations of each finding: by them it is found. */
export interface CitationTable {
  finding_id: number;
  hash: string;
  /** Why it could not be read; null if it was. */
  reason: UnavailableReason | null;
}

export interface DecisionTable {
  id: Generated<number>;
  finding_id: number;
  decision: Decision;
  /** Null while there is no sign-in. */
  user: string | null;
  comment: string | null;
  created_at: string;
  /** What was decided on; null for decisions from before that was kept. */
  verdict: Verdict | null;
  revision: number | null;
  model: string | null;
}

/** What the newest revision of a page holds. */
export interface PageTable {
  wiki: string;
  page_id: number;
  title: string;
  revision: number;
  claims: number;
  /** How many of its anchors have a finding. */
  checked: number;
  /** All its claims, as a JSON array: see `page.ts`. */
  anchors: string;
  /** What became of claims that it had before, as a JSON array, newest first: see `page.ts`. Null: none is known. */
  gone: string | null;
  deleted: 0 | 1;
  /** Number of the newest log entry that deleted or restored it; 0: none did. */
  last_log: number;
}

/** Opens and migrates. A database that a newer version has migrated further is refused: RefuseToStart. */
export async function openReviewDatabase(path: string): Promise<Kysely<Schema>> {
  mkdirSync(dirname(path), { recursive: true });
  const sqlite = new Database(path);
  sqlite.pragma('journal_mode = WAL');
  sqlite.pragma('busy_timeout = 5000');
  sqlite.pragma('foreign_keys = ON');
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: sqlite }) });
  try {
    await refuseNewer(db, path);
    await migrate(db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return db;
}

/** By name, in order. A file that was released is never changed; a new one is added. */
const migrations: Record<string, Migration> = {
  '0001-findings': findings,
  '0002-positions': positions,
  '0003-following': following,
};

/** Kysely would say so too, but only in a message's words. */
async function refuseNewer(db: Kysely<Schema>, path: string): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === 'kysely_migration')) return;
  // Kysely's own table, which Schema does not name
  const done = await (db as unknown as Kysely<{ kysely_migration: { name: string } }>)
    .selectFrom('kysely_migration')
    .select('name')
    .execute();
  const unknown = done.find((migration) => !(migration.name in migrations));
  if (unknown === undefined) return;
  throw new RefuseToStart(
    `${path} was written by a newer version (migration ${unknown.name}): update Sidelight, or set DATA_DIR to another folder.`,
  );
}

async function migrate(db: Kysely<Schema>): Promise<void> {
  const provider = { getMigrations: async () => migrations };
  const { error } = await new Migrator({ db, provider }).migrateToLatest();
  if (error !== undefined) throw error;
}
