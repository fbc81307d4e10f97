/**
 * Recent changes of a Wikimedia wiki from EventStreams
 * (https://wikitech.wikimedia.org/wiki/Event_Platform/EventStreams_HTTP_Service). In: a cursor. Out: steps; events of other
 * wikis only move the cursor. The stream drops every connection after some 15 minutes (T242767): the next one goes on from
 * the last event's id.
 */
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { Agent, fetch, type Response } from 'undici';
import { z } from 'zod';
import { TransientError } from '../../shared/errors.ts';
import { parseJson } from '../../shared/json.ts';
import type { Logger } from '../../shared/logger.ts';
import type { Cursor } from '../cursor.ts';
import { BACKOFF, type BackoffLimits, createBackoff } from './backoff.ts';
import { type ParsedChange, parseFeedEvent } from './change.ts';
import type { RecentChanges, Step } from './feed.ts';

export interface EventStreamsOptions {
  url: string;
  /** Host name of the wiki, as events have it in `server_name`. */
  serverName: string;
  userAgent: string;
  log: Logger;
  /** A connection that is silent for so long is given up: all wikis together never are. Milliseconds. */
  silenceMs?: number;
  backoff?: BackoffLimits;
}

export function createEventStreams(options: EventStreamsOptions): RecentChanges {
  return {
    async *follow(from, signal) {
      const { silenceMs = 120_000 } = options;
      const agent = new Agent({ headersTimeout: silenceMs, bodyTimeout: silenceMs });
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
      for await (const step of connection(cursor, options, agent, signal)) {
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
  const response = await fetch(address(options.url, from), {
    headers: { accept: 'text/event-stream', 'user-agent': options.userAgent, ...position(from) },
    dispatcher: agent,
    signal,
  });
  if (response.status !== 200 || response.body === null) throw await refusal(response, from);
  yield* read(response.body, options.serverName, from);
  throw new StreamDown('the stream ended');
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
  down.retryAfterMs = Math.min((Number(response.headers.get('retry-after')) || 0) * 1000, LONGEST_PAUSE_MS);
  down.positionRefused = response.status === 400 && from.eventId !== null;
  return down;
}

async function* read(body: NonNullable<Response['body']>, serverName: string, from: Cursor): AsyncGenerator<Step> {
  let cursor = from;
  const messages = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const { id, data } of messages) {
    const event = parseJson(data);
    const envelope = Envelope.safeParse(event);
    cursor = { time: envelope.data?.meta.dt ?? cursor.time, eventId: id ?? cursor.eventId };
    yield { ...(envelope.success ? parse(envelope.data, event, serverName) : malformed(envelope.error)), cursor };
  }
}

/** Canary events are made up, to show that the stream flows (T266798). */
function parse(envelope: z.infer<typeof Envelope>, event: unknown, serverName: string): ParsedChange {
  const ours = envelope.meta.domain !== 'canary' && envelope.server_name === serverName;
  return ours ? parseFeedEvent(event) : { kind: 'other' };
}

function malformed(error: z.ZodError): ParsedChange {
  return { kind: 'malformed', field: error.issues[0]?.path.join('.') || 'event' };
}

/** Whatever a server asks for. */
const LONGEST_PAUSE_MS = 3_600_000;

const Envelope = z.object({
  server_name: z.string(),
  meta: z.object({ domain: z.string(), dt: z.iso.datetime() }),
});
