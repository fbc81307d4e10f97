/**
 * The name of a requeue says when it began and whether sources are read again for it, so that every stage that meets the name
 * knows. In and out: a `RequestId`. Which findings it is about is deliberately absent.
 */
import { randomInt } from 'node:crypto';
import { RequestId } from './pipeline.ts';

/** `r`, the time, a number, and `_read` where sources that were read before `began` are read again. */
export function requeueName(began: Date, { readAgain }: { readAgain: boolean }): string {
  const number = randomInt(36 ** 3).toString(36);
  return RequestId.parse(`r${began.getTime().toString(36)}_${number}${readAgain ? '_read' : ''}`);
}

export function isRequeue(request: string): boolean {
  return NAME.test(request);
}

/** Time (ms) before which no source may have been read that this request is answered from; 0: as usual. */
export function readAgainSince(request: string | undefined): number {
  const [, time, , read] = NAME.exec(request ?? '') ?? [];
  return time === undefined || read === undefined ? 0 : Number.parseInt(time, 36);
}

const NAME = /^r([0-9a-z]{8,9})_([0-9a-z]{1,3})(_read)?$/;
