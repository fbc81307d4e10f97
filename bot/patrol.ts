/** Patrol: follows the recent changes of a wiki. In: Config and what it works with. Out: `articles` and `review` jobs. */
import type { Redis } from 'ioredis';
import type { Config } from '../shared/config.ts';
import type { Logger } from '../shared/logger.ts';
import type { Pressure } from '../shared/pressure.ts';
import type { Publisher } from '../shared/queue.ts';
import { createCursorStore } from './cursor.ts';
import { createDebounce } from './debounce.ts';
import { createFollow } from './follow.ts';
import { createListen } from './listen.ts';
import { createApiFeed } from './recent-changes/api.ts';
import { createEventStreams } from './recent-changes/event-streams.ts';
import type { RecentChanges } from './recent-changes/feed.ts';
import { createRedisFeed } from './recent-changes/redis-feed.ts';
import { createDescribeRevisions } from './revisions.ts';
import { readRules } from './rules.ts';
import { createAsk, type Wiki } from './wiki.ts';

export interface PatrolOptions {
  wiki: Wiki;
  redis: Redis;
  publisher: Publisher;
  pressure: Pick<Pressure, 'fullness' | 'relieve'>;
  log: Logger;
}

/** Throws RefuseToStart if the rules can't be read. `stop` waits for what is being handed on. */
export async function startPatrol(config: Config, { wiki, redis, publisher, pressure, log }: PatrolOptions) {
  const abort = new AbortController();
  const debounce = createDebounce(redis, publisher, config.feed.quietMs, pressure);
  const describe = createDescribeRevisions(createAsk(config.wiki));
  const rules = await readRules(config.feed.rules, config.feed);
  const listening = createListen({
    feed: createFeed(config, wiki, log),
    follow: createFollow({ wikiId: config.wiki.id, wiki, describe, rules }),
    publish: debounce.publish,
    cursors: createCursorStore(redis, config.wiki.id, config.feed.kind),
    since: config.feed.since ?? new Date().toISOString(),
    log,
    counts: new Map(),
  });
  const running = listening.run(abort.signal);
  // articles of patrol come from elsewhere too, and are put off, while no edit is heard
  const relieving = setInterval(() => {
    pressure.relieve().catch((err: unknown) => log.warn({ err }, 'not looked whether too much waits'));
  }, RELIEVE_MS);
  return {
    async stop() {
      clearInterval(relieving);
      abort.abort();
      await running;
      await debounce.close();
    },
  };
}

function createFeed({ feed, wiki: { userAgent, id } }: Config, wiki: Wiki, log: Logger): RecentChanges {
  switch (feed.kind) {
    case 'eventstreams':
      return createEventStreams({ url: feed.eventStreamsUrl, serverName: id, userAgent, wiki, log });
    case 'redis':
      return createRedisFeed({ url: feed.redisUrl, wiki, log });
    case 'api':
      return createApiFeed({ wiki, log });
  }
}

const RELIEVE_MS = 5000;
