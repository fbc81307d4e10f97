/** Errors that decide what happens to a job, by class and never by message. Expected outcomes are values, not errors. */
import { types } from 'node:util';

/** Try the job again later: a server that is down, a lock, a busy host. Any other error is retried too, but logged as a bug. */
export class TransientError extends Error {
  override readonly name: string = 'TransientError';
}

/** Try the job again, not before a time that is known: others are waited for, or a budget is spent until then. */
export class Busy extends TransientError {
  override readonly name: string = 'Busy';
  readonly retryAfterMs: number;
  constructor(message: string, retryAfterMs: number) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** This process can't do its work and must not start: one line that says what to do. */
export class RefuseToStart extends Error {
  override readonly name: string = 'RefuseToStart';
}

/** A payload that no schema accepts: the job ends at once, the field is named. */
export class BrokenPayload extends Error {
  override readonly name: string = 'BrokenPayload';
}

/** A model gave no usable numbers: the job ends at once, since trying again won't help. */
export class ModelFailure extends Error {
  override readonly name: string = 'ModelFailure';
  readonly code: 'not_finite' | 'wrong_shape' | 'run_failed';
  constructor(code: ModelFailure['code'], options?: ErrorOptions) {
    super(`the model failed: ${code}`, options);
    this.code = code;
  }
}

/** Something a person asked for that can't be had; `code` is for programs, the message for people. */
export class RequestError extends Error {
  override readonly name: string = 'RequestError';
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * What went wrong, for counting and for people who look at many: the class, and the code of the error or of what caused it, as
 * `TransientError:ECONNREFUSED`. Never the message, which may hold a text or an address.
 */
export function codeOf(error: unknown): string {
  if (!isError(error)) return 'unknown';
  const code = causes(error)
    .map(plainCode)
    .find((found) => found !== null);
  const name = PLAIN.test(error.name) ? error.name : 'Error';
  return code === undefined || code === null ? name : `${name}:${code}`;
}

/** Node's own errors too where tests run in a realm of their own. */
function isError(error: unknown): error is Error {
  return error instanceof Error || types.isNativeError(error);
}

function causes(error: Error): unknown[] {
  return [error, ...(isError(error.cause) ? causes(error.cause) : [])];
}

function plainCode(error: unknown): string | null {
  const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' && PLAIN.test(code) ? code : null;
}

/** What programs call things: a value of somebody else's is no label. */
const PLAIN = /^[A-Za-z_][\w]{0,50}$/;
