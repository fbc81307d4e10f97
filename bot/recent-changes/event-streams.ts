/**
 * Recent changes of a Wikimedia wiki from EventStreams
 * (https://wikitech.wikimedia.org/wiki/Event_Platform/EventStreams_HTTP_Service). In: a cursor. Out: steps; events of other
 * wikis only move the cursor. The stream drops every connection after some 15 minutes (T242767): the next one goes on from
 * the last event's id. It keeps 7 days: what is older is asked of the wiki.
 */
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { Agent, fetch, type Response } from 'undici';
import { z } from 'zod';
import { TransientError } from '../../shared/errors.ts';
import { parseJson } from '../../shared/json.ts';
import type { Logger } from '../../shared/logger.ts';
import { retryAfterMs } from '../../shared/retry-after.ts';
import type { Cursor } from '../cursor.ts';
import { fillGap, type RecentChangesApi } from './api.ts';
import { BACKOFF, type BackoffLimits, createBackoff } from './backoff.ts';
import { fieldOf, type ParsedChange, parseFeedEvent } from './change.ts';
import type { RecentChanges, Step } from './feed.ts';

export interface EventStreamsOptions {
  url: string;
  /** Host name of the wiki, as events have it in `server_name`. */
  serverName: string;
  userAgent: string;
  /** Tells what the stream no longer keeps. */
  wiki: RecentChangesApi;
  log: Logger;
  /** A connection without an event for so long is given up: all wikis together are never silent. Milliseconds. */
  silenceMs?: number;
  backoff?: BackoffLimits;
}

export function createEventStreams(options: EventStreamsOptions): RecentChanges {
  return {
    async *follow(from, signal) {
      const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 }); // the watchdog has the time
      try {
        yield* connections(from, options, agent, signal);
      } finally {
        await agent.destroy();
      }
    },
  };
}

/** One connection after the other, each from where the last one ended. */
async function* connections(
  from: Cursor,
  options: EventStreamsOptions,
  agent: Agent,
  signal: AbortSignal,
): AsyncGenerator<Step> {
  const pauses = createBackoff(options.backoff ?? BACKOFF);
  let cursor = from;
  for (;;) {
    try {
      const isKept = Date.now() - Date.parse(cursor.time) < KEPT_MS;
      for await (const step of isKept ? connection(cursor, options, agent, signal) : fillGap(cursor, options, signal)) {
        cursor = step.cursor;
        pauses.reset();
        yield step;
      }
    } catch (error) {
      signal.throwIfAborted();
      const down = error instanceof StreamDown ? error : new StreamDown('no connection', { cause: error });
      if (down.positionRefused) cursor = { ...cursor, eventId: null };
      options.log.warn({ err: down, retryInMs: pauses.nextMs() }, 'no connection to EventStreams; will try again');
      await pauses.pause(signal, down.retryAfterMs);
    }
  }
}

/** Why a connection ended, and what to do before the next. */
class StreamDown extends TransientError {
  override readonly name = 'StreamDown';
  /** As a 429 or 503 asks for. */
  retryAfterMs = 0;
  /** The stream no longer knows the last event's id: go on by time. */
  positionRefused = false;
}

/** All steps of one connection. Throws what ended it. */
async function* connection(
  from: Cursor,
  options: EventStreamsOptions,
  agent: Agent,
  signal: AbortSignal,
): AsyncGenerator<Step> {
  const watchdog = createWatchdog(options.silenceMs ?? 120_000);
  try {
    const response = await fetch(address(options.url, from), {
      headers: { accept: 'text/event-stream', 'user-agent': options.userAgent, ...position(from) },
      dispatcher: agent,
      signal: AbortSignal.any([signal, watchdog.signal]),
    });
    if (response.status !== 200 || response.body === null) throw await refusal(response, from);
    for await (const step of read(response.body, options.serverName, from)) {
      watchdog.rest();
      yield step;
      watchdog.watch();
    }
  } finally {
    watchdog.stop();
  }
  throw new StreamDown('the stream ended');
}

/** Aborts `signal` after so long a silence. Rests while a step is worked on. */
function createWatchdog(silenceMs: number) {
  const abort = new AbortController();
  let isResting = false;
  const timer = setTimeout(() => isResting || abort.abort(new StreamDown('silence')), silenceMs);
  return {
    signal: abort.signal,
    rest() {
      isResting = true;
    },
    watch() {
      isResting = false;
      timer.refresh();
    },
    stop: () => clearTimeout(timer),
  };
}

/** By the last event's id where there is one, else by time; `since` reaches back less than 7 days. */
function position({ eventId }: Cursor): Record<string, string> {
  return eventId === null ? {} : { 'last-event-id': eventId };
}

function address(url: string, { eventId, time }: Cursor): URL {
  const address = new URL(url);
  if (eventId === null) address.searchParams.set('since', time);
  return address;
}

async function refusal(response: Response, from: Cursor): Promise<StreamDown> {
  await response.body?.cancel();
  const down = new StreamDown(`HTTP ${response.status}`);
  down.retryAfterMs = Math.min(retryAfterMs(response.headers.get('retry-after'), Date.now()) ?? 0, LONGEST_PAUSE_MS);
  down.positionRefused = response.status === 400 && from.eventId !== null;
  return down;
}

async function* read(body: NonNullable<Response['body']>, serverName: string, from: Cursor): AsyncGenerator<Step> {
  let cursor = from;
  for await (const messages of receive(body)) {
    for (const { id, data } of messages) {
      const event = parseJson(data);
      const envelope = Envelope.safeParse(event);
      cursor = { time: envelope.data?.meta.dt ?? cursor.time, eventId: id ?? cursor.eventId };
      yield { ...(envelope.success ? parse(envelope.data, event, serverName) : malformed(envelope.error)), cursor };
    }
  }
}

/** As many at a time as came together. */
async function* receive(body: NonNullable<Response['body']>): AsyncGenerator<EventSourceMessage[]> {
  let messages: EventSourceMessage[] = [];
  let tooLong = false;
  const parser = createParser({
    onEvent: (message) => void messages.push(message),
    onError({ type }) {
      if (type === 'max-buffer-size-exceeded') tooLong = true;
    },
    maxBufferSize: LONGEST_EVENT,
  });
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    if (tooLong) throw new StreamDown('an event without end');
    const received = messages;
    messages = [];
    if (received.length > 0) yield received;
  }
}

/** Canary events are made up, to show that the stream flows (T266798). */
function parse(envelope: z.infer<typeof Envelope>, event: unknown, serverName: string): ParsedChange {
  const ours = envelope.meta.domain !== 'canary' && envelope.server_name === serverName;
  return ours ? parseFeedEvent(event) : { kind: 'other' };
}

function malformed(error: z.ZodError): ParsedChange {
  return { kind: 'malformed', field: fieldOf(error) };
}

/** Whatever a server asks for. */
const LONGEST_PAUSE_MS = 3_600_000;
/** Characters. */
const LONGEST_EVENT = 2 ** 24;
/** The stream keeps 7 days; a position on its edge would be gone before the connection stands. */
const KEPT_MS = 6.5 * 24 * 3_600_000;

const Envelope = z.object({
  server_name: z.string(),
  meta: z.object({ domain: z.string(), dt: z.iso.datetime() }),
});
