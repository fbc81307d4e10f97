/**
 * Recent changes from a wiki's own Redis feed ($wgRCFeeds, https://www.mediawiki.org/wiki/Manual:$wgRCFeeds). In: a cursor.
 * Out: steps. Pub/sub forgets what nobody hears: after every connection the wiki's API tells what was missed.
 */
import { EventEmitter, on } from 'node:events';
import { Redis } from 'ioredis';
import { parseJson } from '../../shared/json.ts';
import type { Cursor } from '../cursor.ts';
import { type ApiFeedOptions, changesSince } from './api.ts';
import { BACKOFF } from './backoff.ts';
import { parseFeedEvent } from './change.ts';
import type { RecentChanges, Step } from './feed.ts';

export interface RedisFeedOptions extends Omit<ApiFeedOptions, 'intervalMs'> {
  /** `redis://host:port/channel`, as the wiki's configuration has it. */
  url: string;
}

/** `gap`: subscribed anew; what was published before is to be asked for. */
type Heard = { kind: 'gap' } | { kind: 'message'; text: string };

export function createRedisFeed(options: RedisFeedOptions): RecentChanges {
  return {
    async *follow(from, signal) {
      const heard = new EventEmitter();
      const items = on(heard, 'heard', { signal });
      const redis = subscribe(options, heard);
      let cursor = from;
      try {
        // `subscribe` emits every 'heard' with one argument of this type
        for await (const [item] of items as AsyncIterable<[Heard]>) {
          const told = item.kind === 'gap' ? changesSince(cursor, options, signal) : [parseMessage(item.text, cursor)];
          for await (const step of told) {
            cursor = step.cursor;
            yield step;
          }
        }
      } finally {
        redis.disconnect();
      }
    },
  };
}

function subscribe({ url, log, backoff = BACKOFF }: RedisFeedOptions, heard: EventEmitter): Redis {
  const { address, channel } = parseUrl(url);
  const redis = new Redis(address, {
    autoResubscribe: false, // done here: the gap is filled once the subscription holds
    maxRetriesPerRequest: null,
    retryStrategy: (attempt) => Math.min(backoff.firstMs * 2 ** attempt, backoff.maxMs),
  });
  const hear = (item: Heard) => heard.emit('heard', item);
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
