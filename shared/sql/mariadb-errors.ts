/** Errors of MariaDB by their number. In: what mysql2 throws. Out: TransientError where a later try may go well. */
import { z } from 'zod';
import { TransientError } from '../errors.ts';

/** Rolled back for another transaction's sake: nothing of it was done, and it may be repeated at once. */
export class SqlConflict extends TransientError {
  override readonly name: string = 'SqlConflict';
}

/** The same error if it does not pass by itself, without its statement. */
export function toSqlError(error: unknown): unknown {
  // with its values in it: texts, and what is secret, which a log would show
  if (typeof error === 'object' && error !== null) Reflect.deleteProperty(error, 'sql');
  const { errno, code, fatal } = MysqlError.parse(error);
  const cause = { cause: error };
  if (errno !== undefined && CONFLICTS.has(errno))
    return new SqlConflict('MariaDB let another transaction go first', cause);
  if (errno !== undefined && PASSING.has(errno)) return new TransientError(`MariaDB can't just now (${code})`, cause);
  // a connection that is closed already takes no statement, and says so without a code
  if ((code !== undefined && GONE.test(code)) || (fatal && code === undefined)) {
    return new TransientError(`MariaDB does not answer (${code ?? 'closed'})`, cause);
  }
  return error;
}

/** Whether a connection is of no use after it. */
export function endsConnection(error: unknown): boolean {
  return MysqlError.parse(error).fatal;
}

const MysqlError = z
  .object({ errno: z.number().optional(), code: z.string().optional(), fatal: z.boolean().default(false) })
  .catch({ fatal: false });

/** https://mariadb.com/kb/en/mariadb-error-code-reference/: lock wait timeout, deadlock. */
const CONFLICTS = new Set([1205, 1213]);
/**
 * Full disk or table, too many connections (of all, of one user), shutting down, network errors, read-only while a replica takes
 * over, killed connection, statement that took too long.
 */
const PASSING = new Set([
  1021, 1040, 1053, 1114, 1158, 1159, 1160, 1161, 1203, 1226, 1290, 1836, 1927, 1969, 1970, 4166,
]);
const GONE = /^(E(CONN|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)|PROTOCOL_|ER_NORMAL_SHUTDOWN)/;
