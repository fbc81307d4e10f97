/**
 * Streams of events that are open: so many in all, and of one address or account not all of them. In: a request that wants one. Out:
 * nothing, or RequestError; and what every stream's headers are. Counted in the memory of this process.
 */
import { finished } from 'node:stream';
import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequestError } from '../../../../shared/errors.ts';

/** Counts one more until its connection is closed. Throws RequestError `too_many_streams`. */
export type EnterStreams = (request: FastifyRequest, reply: FastifyReply) => void;

export function countStreams(most = MOST, mostOfOne = MOST_OF_ONE): EnterStreams {
  const open = new Map<string, number>();
  let all = 0;
  return ({ actor, ip }, reply) => {
    const who = actor === null ? normalizeIP(ip) : `account ${actor.id}`;
    const own = open.get(who) ?? 0;
    if (all >= most || own >= mostOfOne) {
      throw new RequestError('too_many_streams', 'Too many streams are open. Try again later.');
    }
    all += 1;
    open.set(who, own + 1);
    finished(reply.raw, () => {
      all -= 1;
      const left = (open.get(who) ?? 1) - 1;
      if (left === 0) open.delete(who);
      else open.set(who, left);
    });
  };
}

const MOST = 500;
/** Many still: behind a proxy that hides addresses, all who are not signed in are one. */
const MOST_OF_ONE = 100;

/** What was set for any answer holds for a stream too; proxies must not hold it back. */
export function streamHeaders(reply: FastifyReply): Record<string, string> {
  const headers = Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)] as const);
  return { ...Object.fromEntries(headers), 'x-accel-buffering': 'no' };
}
