/**
 * Server-Sent Events of findings. In: a request, a filter, and the id of the last event that its reader has. Out: what changed since,
 * read from the database, and then what changes. Nothing is kept here of who reads: a restart loses nothing.
 */
import { once } from 'node:events';
import { createSession, type Session } from 'better-sse';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { RequestError } from '../../../../shared/errors.ts';
import { type ChangeWatch, changesAfter, lastChange, watchChanges } from '../../changes.ts';
import type { Schema } from '../../database.ts';
import type { Filter } from '../../queue.ts';

export interface Streams {
  /** Returns once the stream is open. `last` null: from now on. Throws RequestError `too_many_streams`. */
  open(request: FastifyRequest, reply: FastifyReply, filter: Filter, last: number | null): Promise<void>;
  /** Ends all of them; readers connect again by themselves. */
  close(): void;
}

export function createStreams(db: Kysely<Schema>): Streams {
  const watch = watchChanges(db);
  const open = new Set<Session>();
  return {
    async open(request, reply, filter, last) {
      if (open.size >= MOST) throw new RequestError('too_many_streams', 'Too many streams are open. Try again later.');
      const newest = await lastChange(db);
      // of a database that was replaced since, ids may be greater than any: those begin anew
      const from = last === null || last > newest ? newest : last;
      reply.hijack();
      const session = await createSession(request.raw, reply.raw, { headers: headersOf(reply) });
      open.add(session);
      session.on('disconnected', () => open.delete(session));
      session.push({}, 'ready', String(from)); // its id is where a reader goes on that has seen no event yet
      tell({ db, watch, session, reply, filter, from }).catch((err: unknown) => {
        if (session.isConnected) request.log.error({ err }, 'stream of findings ended');
        reply.raw.end();
      });
    },
    close() {
      watch.close();
    },
  };
}

interface Telling {
  db: Kysely<Schema>;
  watch: ChangeWatch;
  session: Session;
  reply: FastifyReply;
  filter: Filter;
  from: number;
}

/** A reader that takes nothing for now is told later, from the database: nothing piles up here. */
async function tell({ db, watch, session, reply, filter, from }: Telling): Promise<void> {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  for (let seen = from; !gone.signal.aborted && !watch.closed; ) {
    const { changed, seq } = await changesAfter(db, seen, filter, AT_ONCE);
    for (const one of changed) if (session.isConnected) session.push(one.row, 'finding', String(one.seq));
    if (reply.raw.writableNeedDrain) await once(reply.raw, 'drain', gone);
    if (seq === seen) await watch.after(seen, gone.signal);
    seen = seq;
  }
  reply.raw.end();
}

/** What was set for any answer holds for this one too; proxies must not hold it back. */
function headersOf(reply: FastifyReply): Record<string, string> {
  const headers = Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)] as const);
  return { ...Object.fromEntries(headers), 'x-accel-buffering': 'no' };
}

const AT_ONCE = 100;
const MOST = 500;
