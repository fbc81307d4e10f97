/** SQLite for several processes that read before they write. In: a path. Out: a dialect of Kysely. */
import Database from 'better-sqlite3';
import { CompiledQuery, type Driver, SqliteAdapter, SqliteDialect } from 'kysely';

/** Write-ahead log; `durable`: a transaction that was acknowledged outlives a loss of power too. */
export function sqliteDialect(path: string, durable: boolean): SqliteDialect {
  const database = new Database(path);
  database.pragma('busy_timeout = 5000');
  database.pragma('journal_mode = WAL');
  database.pragma(`synchronous = ${durable ? 'FULL' : 'NORMAL'}`);
  database.pragma('foreign_keys = ON');
  return new WritingDialect({ database });
}

/**
 * Transactions wait for each other where they begin. Of two that had begun to read, the second could not write any more, however long
 * it waited (SQLITE_BUSY_SNAPSHOT: https://www.sqlite.org/isolation.html).
 */
class WritingDialect extends SqliteDialect {
  override createDriver(): Driver {
    const driver = super.createDriver();
    driver.beginTransaction = async (connection) => {
      await connection.executeQuery(CompiledQuery.raw('begin immediate'));
    };
    return driver;
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter();
  }
}

/** Migrations in one transaction: of two processes that start at once, the second waits and finds them done. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
