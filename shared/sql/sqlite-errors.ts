/** Errors of SQLite by their code. In: what better-sqlite3 throws. Out: TransientError where a later try may go well. */
import { z } from 'zod';
import { TransientError } from '../errors.ts';

/** `SQLITE_BUSY` and the like (https://sqlite.org/rescode.html); '' for any other error. */
export function sqliteCode(error: unknown): string {
  const code = Coded.safeParse(error).data?.code ?? '';
  return code.startsWith('SQLITE_') ? code : '';
}

/** The same error if it does not pass by itself. */
export function toSqliteError(error: unknown): unknown {
  const code = sqliteCode(error);
  return PASSING.test(code) ? new TransientError(`SQLite can't just now (${code})`, { cause: error }) : error;
}

/** By its code alone: an addon makes errors of the realm that loaded it first. */
const Coded = z.object({ code: z.string() });
/** Full disk, which also keeps files from being made or grown (IOERR, CANTOPEN, NOMEM of a mapping), and others' locks. */
const PASSING = /^SQLITE_(FULL|BUSY|LOCKED|PROTOCOL|IOERR|CANTOPEN|NOMEM)/;
