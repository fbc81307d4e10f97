/**
 * Composition root of the bot: opens what it needs, listens to recent changes and drains `worklists` and `articles`. In: Config.
 * Out: a handle that stops it.
 */
import type { Config } from '../shared/config.ts';
import { openSqlNeed, pingRedis, unanswered } from '../shared/health.ts';
import type { Logger } from '../shared/logger.ts';
import { createOptOuts } from '../shared/opt-outs.ts';
import { createPressure } from '../shared/pressure.ts';
import { createPublisher } from '../shared/queue.ts';
import { connectRedis } from '../shared/redis.ts';
import { run, type Service } from '../shared/runner.ts';
import { openReliabilityStore } from '../workers/suggestion/reliability/store.ts';
import { createArticles } from './articles.ts';
import { openClaimsApart } from './claims/apart.ts';
import { startPatrol } from './patrol.ts';
import { importDaily } from './reliability/daily.ts';
import { openWikiVocabulary } from './vocabulary/wiki-vocabulary.ts';
import { createWiki } from './wiki.ts';
import { startWorklists } from './worklists/start.ts';

export async function startBot(config: Config, log: Logger): Promise<Service> {
  const redis = await connectRedis(config.redisUrl, 'worker');
  const publisher = createPublisher(redis);
  const wiki = createWiki(config.wiki);
  const { worklists, onRead, close: closeWorklists } = await startWorklists(config, { redis, publisher, log });
  const extraction = openClaimsApart(openWikiVocabulary(config, log), log);
  const optOuts = createOptOuts(redis);
  const isOptedOut = (wikiId: string, pageId: number) => optOuts.has({ wiki: wikiId, pageId });
  const articles = createArticles({ wiki, extract: extraction.extract, isOptedOut, onRead, log });
  const reliability = await openReliabilityStore(config.databases.reliability);
  const importing = await importDaily(config, reliability, log);
  await importing.first; // what the lists rule out is never suggested: no claim is checked before they are read
  const pressure = createPressure(redis, config.queueLimit);
  const runner = run({ handlers: { worklists, articles }, redis, publisher, log, admit: pressure.admit });
  const patrol = await startPatrol(config, { wiki, redis, publisher, pressure, log });
  const sql = openSqlNeed(config.databases.worklists);
  return {
    ready: () => unanswered({ redis: () => pingRedis(redis), ...sql.needs }),
    async stop(deadlineMs) {
      await Promise.all([patrol.stop(), importing.stop(), runner.stop(deadlineMs)]);
      await Promise.all([closeWorklists(), extraction.close(), pressure.close()]);
      await reliability.close();
      await Promise.all([publisher.close(), sql.close()]);
      redis.disconnect();
    },
  };
}
