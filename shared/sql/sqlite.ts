/** SQLite for several processes that read before they write. In: a path. Out: a dialect of Kysely. */
import { setTimeout as wait } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely';
import { Database } from './better-sqlite3.ts';
import { sqliteCode, toSqliteError } from './sqlite-errors.ts';

/** Write-ahead log; `durable`: a transaction that was acknowledged outlives a loss of power too. */
export function sqliteDialect(path: string, durable: boolean): SqliteDialect {
  const database = new Database(path);
  database.pragma('busy_timeout = 5000');
  database.pragma('journal_mode = WAL');
  database.pragma(`synchronous = ${durable ? 'FULL' : 'NORMAL'}`);
  database.pragma('foreign_keys = ON');
  database.pragma('busy_timeout = 0'); // `Patient` waits, and lets this process go on
  return new WritingDialect(database);
}

class WritingDialect extends SqliteDialect {
  readonly #database: Database;
  constructor(database: Database) {
    super({ database });
    this.#database = database;
  }
  override createDriver(): Driver {
    return new WritingDriver(this.#database);
  }
  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter();
  }
}

/**
 * Transactions wait for each other where they begin. Of two that had begun to read, the second could not write any more, however long
 * it waited (SQLITE_BUSY_SNAPSHOT: https://www.sqlite.org/isolation.html).
 */
class WritingDriver extends SqliteDriver {
  readonly #database: Database;
  constructor(database: Database) {
    super({ database: remembering(database) });
    this.#database = database;
  }
  override async acquireConnection(): Promise<DatabaseConnection> {
    return new Patient(await super.acquireConnection());
  }
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
  /** SQLite rolls back by itself where the disk is full (https://www.sqlite.org/lang_transaction.html). */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.inTransaction) await super.rollbackTransaction(connection);
  }
}

/** Statements, once each: compiling one takes longer than running it. */
function remembering(database: Database): SqliteDatabase {
  const known = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare(statement) {
      const made: SqliteStatement = known.get(statement) ?? database.prepare<unknown[], unknown>(statement);
      if (known.size >= STATEMENTS) known.clear();
      known.set(statement, made);
      return made;
    },
  };
}

/** Waits for what others have locked without holding up this process, which may itself be who has. */
class Patient implements DatabaseConnection {
  readonly #connection: DatabaseConnection;
  constructor(connection: DatabaseConnection) {
    this.#connection = connection;
  }
  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    for (const end = performance.now() + WAIT_MS; ; ) {
      try {
        return await this.#connection.executeQuery<R>(query);
      } catch (error) {
        if (sqliteCode(error) !== 'SQLITE_BUSY' || performance.now() > end) throw toSqliteError(error);
      }
      await wait(1 + Math.random() * 20);
    }
  }
  streamQuery<R>(query: CompiledQuery, size: number): AsyncIterableIterator<QueryResult<R>> {
    return this.#connection.streamQuery<R>(query, size);
  }
}

/** Migrations in one transaction: of two processes that start at once, the second waits and finds them done. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

const WAIT_MS = 10_000;
const STATEMENTS = 200;
