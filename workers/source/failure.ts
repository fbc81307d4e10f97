/** Why there is no response. In: what a socket, undici or a signal threw. Out: a coded reason; what is no remote's doing is thrown on. */
import type { UnavailableReason } from '../../shared/citation.ts';
import { TransientError } from '../../shared/errors.ts';
import { REFUSED_ADDRESS } from './address.ts';

/** `detail` is for a maintainer: 'HTTP 404', 'ECONNREFUSED'. */
export interface Failure {
  kind: 'unavailable';
  reason: UnavailableReason;
  detail: string;
}

export function unavailable(reason: UnavailableReason, detail: string): Failure {
  return { kind: 'unavailable', reason, detail: detail.slice(0, 500) };
}

/** undici wraps the socket's error, sometimes twice: the innermost code decides. What is no remote's doing is thrown on. */
export function toFailure(error: unknown): Failure {
  if (error instanceof TransientError || isBug(error)) throw error;
  const codes = causes(error).flatMap((cause) =>
    'code' in cause && typeof cause.code === 'string' ? [cause.code] : [cause.name],
  );
  const detail = codes.at(-1) ?? 'error';
  if (codes.includes(REFUSED_ADDRESS)) return unavailable('refused_address', detail);
  if (codes.some((code) => TOO_LARGE.has(code))) return unavailable('too_large', detail);
  return unavailable(codes.some((code) => TIMEOUTS.has(code)) ? 'timeout' : 'unreachable', detail);
}

/** Ours, and to be seen: as a reason it would be said of every page. Whatever a remote does has a code, or a signal's name. */
function isBug(error: unknown): boolean {
  const [cause] = causes(error);
  return cause !== undefined && BUGS.has(cause.name) && !('code' in cause) && cause.cause === undefined;
}

function causes(error: unknown): Error[] {
  if (typeof error !== 'object' || error === null || !('name' in error)) return [];
  const cause = error as Error; // Node's errors may come from another realm, where instanceof fails
  return [cause, ...causes(cause.cause)];
}

const BUGS: ReadonlySet<string> = new Set(['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError']);
/** undici's own, and llhttp's for headers without end. */
const TOO_LARGE: ReadonlySet<string> = new Set(['UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW']);
const TIMEOUTS: ReadonlySet<string> = new Set([
  'TimeoutError',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);
