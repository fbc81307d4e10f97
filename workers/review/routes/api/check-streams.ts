/**
 * Checks as they go on, as Server-Sent Events: `check`, with the check as data. A stream ends with its check; a browser that comes back
 * for one that is over is told to stay away (204: https://html.spec.whatwg.org/multipage/server-sent-events.html).
 */
import { createSession } from 'better-sse';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequestError } from '../../../../shared/errors.ts';
import type { Checks } from '../../checks/checks.ts';
import { isFinal } from '../../checks/standing.ts';

export interface CheckStreams {
  /** Returns when the stream has ended. Throws RequestError `not_found` and `too_many_streams` before anything is sent. */
  open(request: FastifyRequest, reply: FastifyReply, id: string): Promise<FastifyReply>;
  /** Ends all of them; readers connect again by themselves. */
  close(): void;
}

export function createCheckStreams(checks: Pick<Checks, 'get' | 'watch'>): CheckStreams {
  const closing = new AbortController();
  let open = 0;
  return {
    async open(request, reply, id) {
      const { state } = await checks.get(id);
      if (isFinal(state) && request.headers['last-event-id'] !== undefined) return reply.code(204).send();
      if (open >= MOST) throw new RequestError('too_many_streams', 'Too many streams are open. Try again later.');
      open += 1;
      try {
        await tell(request, reply, id);
      } catch (err) {
        request.log.warn({ err, check: id }, 'check not followed');
      }
      open -= 1;
      reply.raw.end();
      return reply;
    },
    close: () => closing.abort(),
  };

  async function tell(request: FastifyRequest, reply: FastifyReply, id: string): Promise<void> {
    reply.hijack();
    const session = await createSession(request.raw, reply.raw, { headers: headersOf(reply) });
    const gone = new AbortController();
    session.once('disconnected', () => gone.abort());
    const signal = AbortSignal.any([gone.signal, closing.signal]);
    for await (const check of checks.watch(id, signal)) session.push(check, 'check', `${id}-${check.state}`);
  }
}

/** What was set for any answer holds for this one too; proxies must not hold it back. */
function headersOf(reply: FastifyReply): Record<string, string> {
  const headers = Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)] as const);
  return { ...Object.fromEntries(headers), 'x-accel-buffering': 'no' };
}

const MOST = 500;
