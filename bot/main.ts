/**
 * Composition root of the bot: opens what it needs, listens to recent changes and drains `articles`. In: Config. Out: a handle
 * that stops it.
 */
import type { Config } from '../shared/config.ts';
import type { Logger } from '../shared/logger.ts';
import { createPublisher } from '../shared/queue.ts';
import { connectRedis } from '../shared/redis.ts';
import { run, type Service } from '../shared/runner.ts';
import { openReliabilityStore } from '../workers/suggestion/reliability/store.ts';
import { createArticles } from './articles.ts';
import { extractClaims } from './claims/extract.ts';
import { createCursorStore } from './cursor.ts';
import { createFollow } from './follow.ts';
import { createListen } from './listen.ts';
import { createApiFeed } from './recent-changes/api.ts';
import { createEventStreams } from './recent-changes/event-streams.ts';
import type { RecentChanges } from './recent-changes/feed.ts';
import { createRedisFeed } from './recent-changes/redis-feed.ts';
import { importDaily } from './reliability/daily.ts';
import { createWiki, type Wiki } from './wiki.ts';

export async function startBot(config: Config, log: Logger): Promise<Service> {
  const redis = await connectRedis(config.redisUrl, 'worker');
  const publisher = createPublisher(redis);
  const wiki = createWiki(config.wiki);
  const articles = createArticles({ wiki, extract: async (html, title) => extractClaims(html, title), log });
  const reliability = openReliabilityStore(config.databases.reliability);
  const importing = importDaily(config, reliability, log);
  await importing.first; // what the lists rule out is never suggested: no claim is checked before they are read
  const runner = run({ handlers: { articles }, redis, publisher, log });
  const listening = listen(config, wiki, { redis, publisher, log });
  return {
    async stop(deadlineMs) {
      await Promise.all([listening.stop(), importing.stop(), runner.stop(deadlineMs)]);
      reliability.close();
      await publisher.close();
      redis.disconnect();
    },
  };
}

type Means = Pick<Parameters<typeof run>[0], 'redis' | 'publisher' | 'log'>;

function listen(config: Config, wiki: Wiki, { redis, publisher, log }: Means) {
  const abort = new AbortController();
  const counts = new Map();
  const listening = createListen({
    feed: createFeed(config, wiki, log),
    follow: createFollow({ wikiId: config.wiki.id, wiki, rules: { includeBots: config.feed.includeBots } }),
    publisher,
    cursors: createCursorStore(redis, config.wiki.id, config.feed.kind),
    since: config.feed.since ?? new Date().toISOString(),
    log,
    counts,
  });
  const running = listening.run(abort.signal);
  return {
    async stop() {
      abort.abort();
      await running;
      log.info({ heard: Object.fromEntries(counts) }, 'stopped listening');
    },
  };
}

function createFeed({ feed, wiki: { userAgent, id } }: Config, wiki: Wiki, log: Logger): RecentChanges {
  switch (feed.kind) {
    case 'eventstreams':
      return createEventStreams({ url: feed.eventStreamsUrl, serverName: id, userAgent, log });
    case 'redis':
      return createRedisFeed({ url: feed.redisUrl, wiki, log });
    case 'api':
      return createApiFeed({ wiki, log });
  }
}
