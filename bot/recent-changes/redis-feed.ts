/**
 * Recent changes from a wiki's own Redis feed ($wgRCFeeds, https://www.mediawiki.org/wiki/Manual:$wgRCFeeds). In: a cursor.
 * Out: steps. Pub/sub forgets what nobody hears: the wiki's API tells what was missed, after every connection, after a
 * silence, and where more came than can be kept.
 */
import { EventEmitter, on } from 'node:events';
import { Redis } from 'ioredis';
import { parseJson } from '../../shared/json.ts';
import type { Cursor } from '../cursor.ts';
import { type ApiFeedOptions, fillGap } from './api.ts';
import { BACKOFF } from './backoff.ts';
import { parseFeedEvent } from './change.ts';
import type { RecentChanges, Step } from './feed.ts';

export interface RedisFeedOptions extends Omit<ApiFeedOptions, 'intervalMs'> {
  /** `redis://host:port/channel`, as the wiki's configuration has it. */
  url: string;
  /** After so long without a message the wiki is asked: a quiet wiki and a lost connection look alike. Milliseconds. */
  silenceMs?: number;
  /** What waits to be read beyond so many messages is asked of the wiki: a long gap is being filled. */
  mostUnread?: number;
}

/** `gap`: what may have been published meanwhile is to be asked for. */
type Heard = { kind: 'gap' } | { kind: 'message'; text: string };

export function createRedisFeed(options: RedisFeedOptions): RecentChanges {
  return {
    async *follow(from, signal) {
      const heard = createHeard(options, signal);
      const redis = subscribe(options, heard.tell);
      let cursor = from;
      try {
        for await (const item of heard.items()) {
          const told = item.kind === 'gap' ? fillGap(cursor, options, signal) : [parseMessage(item.text, cursor)];
          for await (const step of told) {
            cursor = step.cursor;
            yield step;
          }
        }
      } finally {
        heard.stop();
        redis.disconnect();
      }
    },
  };
}

/** What was heard and not yet read: so much and no more. The rest is a gap. */
function createHeard({ silenceMs = 120_000, mostUnread = 10_000 }: RedisFeedOptions, signal: AbortSignal) {
  const emitter = new EventEmitter();
  const emitted = on(emitter, 'heard', { signal });
  let unread = 0;
  let missed = false;
  const silence = setInterval(() => tell({ kind: 'gap' }), silenceMs);
  const tell = (item: Heard) => {
    silence.refresh();
    missed ||= unread >= mostUnread;
    if (missed) return;
    unread += 1;
    emitter.emit('heard', item);
  };
  return {
    tell,
    async *items(): AsyncGenerator<Heard> {
      // `tell` emits every 'heard' with one argument of this type
      for await (const [item] of emitted as AsyncIterable<[Heard]>) {
        yield item;
        unread -= 1;
        if (unread > 0 || !missed) continue;
        missed = false;
        tell({ kind: 'gap' });
      }
    },
    stop: () => clearInterval(silence),
  };
}

function subscribe({ url, log, backoff = BACKOFF }: RedisFeedOptions, hear: (item: Heard) => void): Redis {
  const { address, channel } = parseUrl(url);
  const redis = new Redis(address, {
    autoResubscribe: false, // done here: the gap is filled once the subscription holds
    maxRetriesPerRequest: null,
    retryStrategy: (attempt) => Math.min(backoff.firstMs * 2 ** attempt, backoff.maxMs),
  });
  redis.on('ready', () => {
    redis.subscribe(channel).then(
      () => hear({ kind: 'gap' }),
      () => redis.disconnect(true),
    );
  });
  redis.on('message', (_channel, text) => hear({ kind: 'message', text }));
  redis.on('error', (error) => log.warn({ err: error }, 'no connection to the Redis feed; will connect again'));
  return redis;
}

/** The channel is the path, '/' read as '.'; `rc` without one: as MediaWiki's RedisPubSubFeedEngine does it. */
function parseUrl(url: string): { address: string; channel: string } {
  const parsed = new URL(url);
  const channel = parsed.pathname.slice(1).replaceAll('/', '.') || 'rc';
  parsed.pathname = '';
  return { address: parsed.href, channel };
}

function parseMessage(text: string, cursor: Cursor): Step {
  const parsed = parseFeedEvent(parseJson(text));
  const time = parsed.kind === 'change' && parsed.change.time > cursor.time ? parsed.change.time : cursor.time;
  return { ...parsed, cursor: { time, eventId: null } };
}
