/** SQLite for several processes that read before they write. In: a database. Out: a dialect of Kysely. */
import { CompiledQuery, type Driver, SqliteDialect } from 'kysely';

/**
 * Transactions wait for each other where they begin. Of two that had begun to read, the second could not write any more, however long
 * it waited (SQLITE_BUSY_SNAPSHOT: https://www.sqlite.org/isolation.html).
 */
export class WritingDialect extends SqliteDialect {
  override createDriver(): Driver {
    const driver = super.createDriver();
    driver.beginTransaction = async (connection) => {
      await connection.executeQuery(CompiledQuery.raw('begin immediate'));
    };
    return driver;
  }
}
