/**
 * Server-Sent Events of findings. In: a request, a filter, and the id of the last event that its reader has. Out: what changed since,
 * read from the database, and then what changes. Nothing is kept here of who reads: a restart loses nothing.
 */
import { once } from 'node:events';
import { finished } from 'node:stream';
import { createSession, type Session } from 'better-sse';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import pLimit, { type LimitFunction } from 'p-limit';
import { type ChangeWatch, changesAfter, lastChange, watchChanges } from '../../changes.ts';
import type { Schema } from '../../database.ts';
import type { Filter } from '../../filter.ts';
import { countStreams, streamHeaders } from './open-streams.ts';

export interface Streams {
  /** Returns once the stream is open. `last` null: from now on. Throws RequestError `too_many_streams`. */
  open(request: FastifyRequest, reply: FastifyReply, filter: Filter, last: number | null): Promise<void>;
  /** Ends all of them; readers connect again by themselves. */
  close(): void;
}

export function createStreams(db: Kysely<Schema>): Streams {
  const watch = watchChanges(db);
  const enter = countStreams();
  const oneByOne = pLimit(1); // who asks for all that ever changed must not keep the database from others
  return {
    async open(request, reply, filter, last) {
      enter(request, reply);
      const newest = await lastChange(db);
      // of a database that was replaced since, ids may be greater than any: those begin anew
      const from = last === null || last > newest ? newest : last;
      reply.hijack();
      const session = await createSession(request.raw, reply.raw, { headers: streamHeaders(reply) });
      session.push({}, 'ready', String(from)); // its id is where a reader goes on that has seen no event yet
      tell({ db, watch, oneByOne, session, reply, filter, from }).catch((err: unknown) => {
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
  oneByOne: LimitFunction;
  session: Session;
  reply: FastifyReply;
  filter: Filter;
  from: number;
}

/** A reader that takes nothing for now is told later, from the database: nothing piles up here. */
async function tell({ db, watch, oneByOne, session, reply, filter, from }: Telling): Promise<void> {
  const gone = new AbortController();
  finished(reply.raw, () => gone.abort()); // also of one that was closed before it was opened
  for (let seen = from; !gone.signal.aborted && !watch.closed; ) {
    const { changed, seq } = await oneByOne(changesAfter, db, seen, filter, AT_ONCE);
    for (const one of changed) if (session.isConnected) session.push(one.row, 'finding', String(one.seq));
    if (reply.raw.writableNeedDrain) await once(reply.raw, 'drain', gone);
    if (seq === seen) await watch.after(seen, gone.signal);
    seen = seq;
  }
  reply.raw.end();
}

const AT_ONCE = 100;
