/** An error → what a client is told: a status, a code for programs, a message for people. Logs what is a bug. */
import type { FastifyError, FastifyRequest } from 'fastify';
import { RequestError, TransientError } from '../../shared/errors.ts';

export interface Failure {
  status: number;
  code: string;
  message: string;
}

export function failureOf(error: FastifyError | Error, request: FastifyRequest): Failure {
  if (error instanceof RequestError) {
    return { status: STATUS[error.code] ?? 400, code: error.code, message: error.message };
  }
  if ('code' in error && String(error.code).startsWith('FST_CSRF_')) return FORGED;
  if (error instanceof TransientError) return { status: 503, code: 'unavailable', message: error.message };
  // fastify's own refusals: a body too large, of another type, or not JSON
  if ('statusCode' in error && error.statusCode !== undefined && error.statusCode < 500) {
    return { status: error.statusCode, code: REFUSALS[error.statusCode] ?? 'invalid', message: error.message };
  }
  // without the query: at the end of a sign-in the wiki's code stands there
  request.log.error({ err: error, path: request.url.split('?')[0] }, 'request failed');
  return { status: 500, code: 'internal', message: 'Something went wrong here. Nothing was changed.' };
}

/** The same for a token that is missing, forged, or of a session that has ended. */
const FORGED: Failure = {
  status: 403,
  code: 'forged',
  message:
    'This was not sent from a page of your session. Open the page again and send it from there. Nothing was changed.',
};

const STATUS: Record<string, number> = {
  invalid: 400,
  not_signed_in: 401,
  bad_token: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  decided: 409,
  closed: 409,
  leased: 409,
  no_lease: 409,
  stale: 409,
  nothing_to_undo: 409,
  not_yours: 409,
  reopened: 409,
  too_large: 413,
  unsupported_type: 415,
  unreadable: 422,
  wrong_host: 421,
  stale_sign_in: 400,
  declined: 403,
  blocked: 403,
  wiki_failed: 502,
  wiki_away: 503,
  method_not_allowed: 405,
  no_such_worklist: 404,
  no_requeue: 404,
  no_such_list: 404,
  no_such_category: 404,
  name_taken: 409,
  paused: 409,
  no_run: 409,
  too_many: 409,
  too_many_requests: 429,
  too_many_streams: 503,
  no_queues: 503,
  worklists_elsewhere: 503,
  cut_short: 503,
};
const REFUSALS: Record<number, string> = { 413: 'too_large', 415: 'unsupported_type' };
