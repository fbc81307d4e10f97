/** Composition root of the review service: drains `review` into SQL and serves it. In: Config. Out: a handle that stops it. */
import { mkdirSync } from 'node:fs';
import { sql } from 'kysely';
import { createWiki } from '../../bot/wiki.ts';
import type { Config } from '../../shared/config.ts';
import { pingRedis, unanswered } from '../../shared/health.ts';
import type { Logger } from '../../shared/logger.ts';
import { createPublisher, openQueues } from '../../shared/queue.ts';
import { tellQueues } from '../../shared/queue-state.ts';
import { connectRedis } from '../../shared/redis.ts';
import { run, type Service } from '../../shared/runner.ts';
import { openExtractApart } from '../source/extract/apart.ts';
import { openSourceStore } from '../source/store.ts';
import { openChecks } from './checks/checks.ts';
import { openReviewDatabase } from './database.ts';
import { followFacts } from './facts/facts.ts';
import { createFindings } from './findings.ts';
import { createReview } from './inbox.ts';
import { openMaintenance } from './maintenance.ts';
import { createReviewServer } from './server.ts';
import { sessionSecret } from './session/secret.ts';

export async function startReview(config: Config, log: Logger): Promise<Service> {
  mkdirSync(config.dataDir, { recursive: true });
  const database = await openReviewDatabase(config.databases.review);
  const findings = createFindings(database);
  const indexPath = new URL('index.php', config.wiki.apiUrl).pathname;
  const redis = await connectRedis(config.redisUrl, 'worker');
  const publisher = createPublisher(redis);
  const sources = await openSourceStore(config.databases.sources, config.sources);
  const extraction = openExtractApart({ log });
  const texts = { given: sources.given, publisher, extract: extraction.extract };
  const keepTexts = async (contentHashes: readonly string[]) => {
    try {
      await sources.texts.keep(contentHashes);
    } catch (error) {
      log.warn({ err: error }, 'texts that were decided on are not kept'); // the decision is
    }
  };
  const asking = await connectRedis(config.redisUrl, 'producer'); // people are told at once that it is away
  const counters = await connectRedis(config.redisUrl, 'counter');
  const maintenance = openMaintenance(config, database, asking);
  await maintenance.tellOptOuts();
  const wiki = createWiki(config.wiki);
  const [asked, queues] = [createPublisher(asking), openQueues(asking)];
  const checks = await openChecks({
    ...{ db: database, redis: asking, publisher: asked, queues, log },
    wiki: { id: config.wiki.id, latestRevision: wiki.latestRevision },
  });
  const needs = { redis: () => pingRedis(redis), sql: () => sql`select 1`.execute(database) };
  const ready = () => unanswered(needs);
  const server = createReviewServer({
    ready,
    queueRedis: asking,
    db: database,
    findings,
    log,
    wiki: { ...config.wiki, indexPath },
    wikiOrigins: config.gadgetOrigins,
    publicUrl: config.reviewUrl ?? config.review.url,
    signIn: { ...config.signIn, secret: sessionSecret(config.signIn) },
    leases: { leaseMs: config.leaseMs, keepTexts },
    texts,
    maintenance,
    checks: { checks, limits: config.checks },
    rates: config.rates,
    counters,
  });
  await server.listen({ host: config.review.host, port: config.review.port });
  const runner = run({
    handlers: { review: createReview({ findings, checks: checks.records }) },
    redis,
    publisher,
    log,
  });
  const facts = followFacts(config, database, log);
  const endTelling = tellQueues(asking);
  return {
    ready,
    async stop(deadlineMs) {
      endTelling();
      await Promise.all([server.close(), runner.stop(deadlineMs), facts.stop()]);
      await extraction.close();
      await Promise.all([publisher.close(), maintenance.close(), checks.close(), asked.close(), queues.close()]);
      asking.disconnect();
      counters.disconnect();
      redis.disconnect();
      await sources.close();
      await database.destroy();
    },
  };
}
