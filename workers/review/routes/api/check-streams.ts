/**
 * Checks as they go on, as Server-Sent Events: `check`, with the check as data. A stream ends with its check; a browser that comes back
 * for one that is over is told to stay away (204: https://html.spec.whatwg.org/multipage/server-sent-events.html).
 */
import { finished } from 'node:stream';
import { createSession } from 'better-sse';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Checks } from '../../checks/checks.ts';
import { isFinal } from '../../checks/standing.ts';
import { countStreams, streamHeaders } from './open-streams.ts';

export interface CheckStreams {
  /** Returns when the stream has ended. Throws RequestError `not_found` and `too_many_streams` before anything is sent. */
  open(request: FastifyRequest, reply: FastifyReply, id: string): Promise<FastifyReply>;
  /** Ends all of them; readers connect again by themselves. */
  close(): void;
}

export function createCheckStreams(checks: Pick<Checks, 'get' | 'watch'>): CheckStreams {
  const open = new Set<AbortController>();
  const enter = countStreams();
  return {
    async open(request, reply, id) {
      const { state } = await checks.get(id);
      if (isFinal(state) && request.headers['last-event-id'] !== undefined) return reply.code(204).send();
      enter(request, reply);
      try {
        await tell(request, reply, id);
      } catch (err) {
        request.log.warn({ err, check: id }, 'check not followed');
      }
      reply.raw.end();
      return reply;
    },
    close() {
      for (const stream of open) stream.abort();
    },
  };

  async function tell(request: FastifyRequest, reply: FastifyReply, id: string): Promise<void> {
    reply.hijack();
    const session = await createSession(request.raw, reply.raw, { headers: streamHeaders(reply) });
    // no signal of them all: what listens to one that lives as long as the service is kept as long (Node 20's AbortSignal.any)
    const gone = new AbortController();
    open.add(gone);
    finished(reply.raw, () => gone.abort()); // also of one that was closed before it was opened
    gone.signal.addEventListener('abort', () => open.delete(gone));
    for await (const check of checks.watch(id, gone.signal)) session.push(check, 'check', `${id}-${check.state}`);
  }
}
