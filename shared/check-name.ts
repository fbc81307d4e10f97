/**
 * The name of a check that somebody asked for: jobs that carry it are followed (`progress.ts`), all others are not. In and out: a
 * `RequestId`. What is checked is deliberately absent.
 */
import { randomBytes } from 'node:crypto';
import { RequestId } from './pipeline.ts';

/** `c`, the time, and a number that nobody guesses. */
export function checkName(began: Date): string {
  const number = BigInt(`0x${randomBytes(10).toString('hex')}`)
    .toString(36)
    .padStart(16, '0');
  return RequestId.parse(`c${began.getTime().toString(36)}_${number}`);
}

export function isCheck(request: string): boolean {
  return NAME.test(request);
}

const NAME = /^c[0-9a-z]{8,9}_[0-9a-z]{16}$/;
