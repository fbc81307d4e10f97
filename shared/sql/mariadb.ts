/** MariaDB through mysql2. In: `mariadb://…`. Out: a dialect of Kysely on which what is written for SQLite means the same. */
import {
  type Kysely,
  type MigrationLockOptions,
  MysqlAdapter,
  MysqlDialect,
  type MysqlPool,
  type MysqlPoolConnection,
  type MysqlQueryResult,
  type QueryCompiler,
  sql,
} from 'kysely';
import mysql from 'mysql2';
import { z } from 'zod';
import { TransientError } from '../errors.ts';
import { MariaDbCompiler } from './mariadb-compiler.ts';
import { endsConnection, toSqlError } from './mariadb-errors.ts';

export interface PoolLimits {
  /** Of one process: ToolsDB lets an account have 20 in all (https://wikitech.wikimedia.org/wiki/Help:Toolforge/ToolsDB). */
  connections?: number;
  /** After that a statement's connection is taken for lost; 0: never. */
  statementMs?: number;
}

export function mariaDbDialect(place: string, limits: PoolLimits = {}): MysqlDialect {
  return new MariaDbDialect({ pool: pooled(place, limits) });
}

class MariaDbDialect extends MysqlDialect {
  override createAdapter(): MysqlAdapter {
    return new MariaDbAdapter();
  }
  override createQueryCompiler(): QueryCompiler {
    return new MariaDbCompiler();
  }
}

/** Inserts and deletes return rows (not updates). Each store of a database has a lock of its own for its migrations. */
export class MariaDbAdapter extends MysqlAdapter {
  override get supportsReturning(): boolean {
    return true;
  }
  override async acquireMigrationLock(db: Kysely<unknown>, { lockTable }: MigrationLockOptions): Promise<void> {
    await sql`select get_lock(${migrationLock(lockTable)}, 3600)`.execute(db);
  }
  override async releaseMigrationLock(db: Kysely<unknown>, { lockTable }: MigrationLockOptions): Promise<void> {
    await sql`select release_lock(${migrationLock(lockTable)})`.execute(db);
  }
}

/** Names of locks are of all databases of a server, and no longer than 64 characters. */
function migrationLock(lockTable: string) {
  return sql`md5(concat(database(), ${` ${lockTable}`}))`;
}

function pooled(place: string, { connections = 4, statementMs = 60_000 }: PoolLimits): MysqlPool {
  const { hostname, port, username, password, pathname } = new URL(place);
  const pool = mysql.createPool({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || 3306),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: pathname.slice(1),
    charset: 'utf8mb4',
    connectionLimit: connections,
    maxIdle: 1,
    idleTimeout: 30_000,
    connectTimeout: CONNECT_MS,
    keepAliveInitialDelay: 10_000,
    decimalNumbers: true,
    jsonStrings: true,
    dateStrings: true,
  });
  return {
    getConnection: (callback) =>
      pool.getConnection((error, connection) => {
        // who gets an error looks at no connection
        if (error) callback(toSqlError(error), undefined as never);
        else prepare(connection, statementMs, callback);
      }),
    end: (callback) => pool.end((error) => callback(error ? toSqlError(error) : null)),
  };
}

/** Once a connection, before the first statement of whoever asked for it. */
function prepare(
  connection: mysql.PoolConnection,
  statementMs: number,
  callback: (error: unknown, connection: MysqlPoolConnection) => void,
): void {
  const known = bounds.get(connection);
  const made = known ?? bounded(connection, statementMs);
  const next = ([statement, ...others]: readonly string[]) => {
    if (statement === undefined) callback(null, made);
    else {
      ask(connection, statement, [], CONNECT_MS, (error) => {
        if (error === null) next(others);
        else {
          connection.destroy();
          callback(error, made);
        }
      });
    }
  };
  bounds.set(connection, made);
  next(known === undefined ? SESSION : []);
}

/** What `insert ignore` left out for any reason but a key that was there is an error, as on SQLite. */
function bounded(connection: mysql.PoolConnection, statementMs: number): MysqlPoolConnection {
  function query(statement: string, values: unknown[], callback?: Answer): never {
    if (callback === undefined) throw new Error('rows are not streamed');
    ask(connection, statement, values, statementMs, (error, result) => {
      if (error !== null || !leftOut(statement, result)) callback(error, result);
      else ask(connection, 'show warnings', [], statementMs, (_, warnings) => callback(lost(warnings), result));
    });
    // the overload of Kysely that streams is the one that returns something
    return undefined as never;
  }
  return { query, release: () => connection.release() };
}

/**
 * Answers once. A connection that was cut says so after hours, so a statement has its time (0: all). mysql2's own timeout goes on where
 * the connection is lost, and answers a second time.
 */
function ask(connection: mysql.PoolConnection, statement: string, values: unknown[], ms: number, answer: Answer): void {
  let isAnswered = false;
  const once: Answer = (error, result) => {
    clearTimeout(timer);
    if (!isAnswered) answer(error, result);
    isAnswered = true;
  };
  const giveUp = () => {
    connection.destroy();
    once(new TransientError(`MariaDB has not answered for ${ms / 1000} s`), []);
  };
  const timer = ms === 0 ? undefined : setTimeout(giveUp, ms);
  connection.query(statement, values, (error, result) => {
    if (error && endsConnection(error)) connection.destroy();
    // @ts-expect-error mysql2 types what procedures give too, which nobody calls
    const answered: MysqlQueryResult = result;
    once(error ? toSqlError(error) : null, error ? [] : answered);
  });
}

type Answer = (error: unknown, result: MysqlQueryResult) => void;
const bounds = new WeakMap<object, MysqlPoolConnection>();

function leftOut(statement: string, result: unknown): boolean {
  return statement.startsWith('insert ignore') && (Warned.safeParse(result).data?.warningStatus ?? 0) > 0;
}

function lost(warnings: unknown): Error | null {
  const other = Warnings.parse(warnings).find(({ Code }) => Code !== DUPLICATE);
  return other === undefined ? null : new Error(`MariaDB left a row out or cut it (${other.Code}): ${other.Message}`);
}

const Warned = z.object({ warningStatus: z.number() });
const Warnings = z.array(z.object({ Code: z.number(), Message: z.string() })).catch([]);
const DUPLICATE = 1062;

/**
 * Text compares byte for byte, no value is cut to fit, a reader sees what was committed when it reads. A transaction that stands idle
 * (its host is cut off) hands on what it holds.
 */
const SESSION = [
  'set names utf8mb4 collate utf8mb4_nopad_bin',
  'set session transaction isolation level read committed',
  "set session sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION', idle_transaction_timeout = 15, innodb_lock_wait_timeout = 10",
];
const CONNECT_MS = 10_000;
