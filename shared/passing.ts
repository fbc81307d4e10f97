/**
 * Which errors pass by themselves: what a job needs is away, full or busy, and the job is not to blame. In: whatever was thrown. Out:
 * a TransientError, or the error as it is. Decided by codes: of Node, undici, SQLite, and Redis' replies.
 */
import { ReplyError } from 'ioredis';
import { TransientError } from './errors.ts';

export function asPassing(error: unknown): unknown {
  if (error instanceof TransientError) return error;
  const code = causes(error).map(codeOf).find(isPassing);
  return code === undefined ? error : new TransientError(`it can't be done just now: ${code}`, { cause: error });
}

function causes(error: unknown): unknown[] {
  return [error, ...(error instanceof Error && error.cause !== undefined ? causes(error.cause) : [])];
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  // what Redis answers begins with its code: https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors
  if (error instanceof ReplyError && error instanceof Error) return /^[A-Z]+/.exec(error.message)?.[0] ?? '';
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' ? code : '';
}

function isPassing(code: string): boolean {
  return PASSING.has(code) || /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN)/.test(code);
}

const PASSING = new Set([
  // the network, or the other end of it
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN'],
  ...['EAI_AGAIN', 'ENOTFOUND', 'UND_ERR_SOCKET', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT'],
  'UND_ERR_BODY_TIMEOUT',
  // a disk without room, or read-only while it is moved; too many open files
  ...['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE'],
  // Redis: https://redis.io/docs/latest/operate/oss_and_stack/management/persistence/ and its failover
  ...['MISCONF', 'OOM', 'LOADING', 'READONLY', 'MASTERDOWN', 'CLUSTERDOWN', 'TRYAGAIN', 'NOREPLICAS', 'UNBLOCKED'],
]);
