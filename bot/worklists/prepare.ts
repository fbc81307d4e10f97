/** SQL → its statement, compiled once: compiling costs more than running one that is as small as ours. */
import type Database from 'better-sqlite3';

export type Prepare = (sql: string) => Database.Statement<unknown[]>;

export function createPrepare(database: Database.Database): Prepare {
  const prepared = new Map<string, Database.Statement<unknown[]>>();
  return (sql) => {
    const statement = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };
}
