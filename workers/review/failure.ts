/** An error → what a client is told: a status, a code for programs, a message for people. Logs what is a bug. */
import type { FastifyError, FastifyRequest } from 'fastify';
import { RequestError } from '../../shared/errors.ts';

export interface Failure {
  status: number;
  code: string;
  message: string;
}

export function failureOf(error: FastifyError | Error, request: FastifyRequest): Failure {
  if (error instanceof RequestError) {
    return { status: STATUS[error.code] ?? 400, code: error.code, message: error.message };
  }
  // fastify's own refusals: a body too large, of another type, or not JSON
  if ('statusCode' in error && error.statusCode !== undefined && error.statusCode < 500) {
    return { status: error.statusCode, code: REFUSALS[error.statusCode] ?? 'invalid', message: error.message };
  }
  request.log.error({ err: error, url: request.url }, 'request failed');
  return { status: 500, code: 'internal', message: 'Something went wrong here. Nothing was changed.' };
}

const STATUS: Record<string, number> = {
  invalid: 400,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  unsupported_type: 415,
  unreadable: 422,
  wrong_host: 421,
};
const REFUSALS: Record<number, string> = { 413: 'too_large', 415: 'unsupported_type' };
