/**
 * The review service with all that it can serve, for tests of attacks: Redis, a wiki with two articles, a review database with a
 * finding on each, texts that people give, checks, worklists. Out: its origin, its routes, and people of each role.
 */
import { join } from 'node:path';
import { pino } from 'pino';
import { createWiki } from '../../bot/wiki.ts';
import { ACCOUNTS } from '../../deploy/wiki/accounts.ts';
import type { Finding } from '../../shared/citation.ts';
import { createPublisher, openQueues } from '../../shared/queue.ts';
import { connectRedis } from '../../shared/redis.ts';
import { run } from '../../shared/runner.ts';
import { openChecks } from '../../workers/review/checks/checks.ts';
import { createReview } from '../../workers/review/inbox.ts';
import { openMaintenance } from '../../workers/review/maintenance.ts';
import { openSourceStore } from '../../workers/source/store.ts';
import { startWeb } from '../support/web.ts';
import { startGround } from '../workers/review/maintained.ts';
import { rich } from '../workers/review/rich.ts';
import { type Served, type ServeOptions, type SignedIn, serveStore } from '../workers/review/served.ts';
import { findingOf, openStore } from '../workers/review/store.ts';

export interface Whole extends Served {
  /** Of the wiki that findings stand on. */
  wiki: string;
  people: { maintainer: SignedIn; patroller: SignedIn; blocked: SignedIn };
}

/** The first two findings stand on pages of the wiki; `others` come after them. */
export async function serveWhole(options: ServeOptions = {}, ...others: Finding[]): Promise<Whole> {
  const [ground, tools] = await Promise.all([startGround(), startWeb({})]);
  const { config, pages } = ground;
  const wiki = { ...config.wiki, indexPath: new URL('index.php', config.wiki.apiUrl).pathname };
  const [redis, store] = [await connectRedis(config.redisUrl, 'worker'), await openStore()];
  const [publisher, queues] = [createPublisher(redis), openQueues(redis)];
  const sources = await openSourceStore(join(config.dataDir, 'sources.sqlite'));
  const at = (title: keyof typeof pages) => ({ wiki: wiki.id, page: { id: pages[title], title } });
  const findings = [rich(at('Mill')), findingOf('The quay is of granite.', at('Quay')), ...others];
  for (const finding of findings) await store.findings.record(finding);
  const toolUrl = `http://127.0.0.1:${tools.port}`; // knows no list
  const lists = { ...config.tools, pagePileUrl: toolUrl, petScanUrl: toolUrl };
  const maintenance = openMaintenance({ ...config, tools: lists }, store.db, ground.redis);
  const { latestRevision } = createWiki(config.wiki);
  const dependencies = { db: store.db, redis, publisher, queues, log };
  const checks = await openChecks({ ...dependencies, wiki: { id: wiki.id, latestRevision } });
  const served = await serveStore(store, {
    ...{ wiki, wikiOrigins: [wiki.origin], maintenance, texts: { given: sources.given, publisher } },
    checks: { checks, limits: { hourly: 1e6, pageHourly: 1e6 } },
    ...options,
  });
  const handlers = { review: createReview({ findings: store.findings, checks: checks.records }) };
  const runner = run({ handlers, redis, publisher, log });
  return {
    ...{ ...store, ...served, wiki: wiki.id },
    people: {
      maintainer: await served.signIn(ACCOUNTS.admin.name, ['patroller', 'maintainer']),
      patroller: await served.signIn(ACCOUNTS.editor.name),
      blocked: await served.signIn('Eve', []),
    },
    async close() {
      await Promise.all([served.close(), runner.stop(100)]);
      await Promise.all([maintenance.close(), checks.close(), publisher.close(), queues.close()]);
      await sources.close();
      await store.close();
      redis.disconnect();
      await Promise.all([ground.close(), tools.close()]);
    },
  };
}

const log = pino({ level: 'silent' });
