/**
 * What a check needs, for one test file: Redis, a review database, workers with the real models over a small corpus, and the service.
 * The wiki is given: a real one, or what a test says of it. Each part can be stopped and started again.
 */
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { type ArticlesOptions, createArticles } from '../../../bot/articles.ts';
import { extractClaims } from '../../../bot/claims/extract.ts';
import { createLogger } from '../../../shared/logger.ts';
import type { Handlers } from '../../../shared/pipeline.ts';
import { createPublisher, openQueues } from '../../../shared/queue.ts';
import { connectRedis } from '../../../shared/redis.ts';
import { type Runner, run } from '../../../shared/runner.ts';
import { createFind } from '../../../workers/find/stage.ts';
import { createDense } from '../../../workers/retrieval/dense/retrieve.ts';
import { noExpansion } from '../../../workers/retrieval/expansion/expander.ts';
import { createSparse } from '../../../workers/retrieval/sparse/retrieve.ts';
import type { CheckedWiki } from '../../../workers/review/checks/begin.ts';
import { type Checks, openChecks } from '../../../workers/review/checks/checks.ts';
import { createReview } from '../../../workers/review/inbox.ts';
import { createReader } from '../../../workers/source/read.ts';
import { createSources } from '../../../workers/source/sources.ts';
import { openSourceStore } from '../../../workers/source/store.ts';
import { createRanker } from '../../../workers/suggestion/rank.ts';
import { openReliabilityStore } from '../../../workers/suggestion/reliability/store.ts';
import { createSuggest } from '../../../workers/suggestion/suggest.ts';
import { loadModels, loadVerifier } from '../../../workers/verification/verifier.ts';
import { createVerify } from '../../../workers/verification/verify.ts';
import { startRedis } from '../../support/redis.ts';
import { openTestGeneration } from '../suggestion/generation.ts';
import { type ServeOptions, serveStore, WIKI_ORIGIN } from './served.ts';
import { openStore } from './store.ts';

export const WIKI = new URL(WIKI_ORIGIN).host;
const log = createLogger('silent', 'test');

export type Page = { url: string; title: string; text: string };

/** Redis and a database that outlive the service, and what connects to them. */
export async function startGround() {
  const server = await startRedis();
  const redis = await connectRedis(server.url, 'worker');
  const store = await openStore();
  const publisher = createPublisher(redis);
  const queues = openQueues(redis);
  return {
    ...{ url: server.url, redis, store, publisher, queues },
    drain: (handlers: Handlers, shards: readonly number[] = []): Runner => {
      const runner = run({ handlers, redis, publisher, log });
      for (const shard of shards) runner.attend(shard);
      return runner;
    },
    async close() {
      await Promise.all([publisher.close(), queues.close()]);
      redis.disconnect();
      await store.close();
      await server.stop();
    },
  };
}
export type Ground = Awaited<ReturnType<typeof startGround>>;

/** The review service with its checks, and the stage that it drains. */
export async function startService(
  ground: Ground,
  wiki: CheckedWiki['latestRevision'],
  options: ServeOptions & { limits?: { hourly: number; pageHourly: number }; port?: number } = {},
) {
  const { limits = { hourly: 1000, pageHourly: 1000 }, port, ...served } = options;
  const redis: Redis = await connectRedis(ground.url, 'producer');
  const publisher = createPublisher(redis);
  const queues = openQueues(redis);
  const { db, findings } = ground.store;
  const known = { id: WIKI, latestRevision: wiki };
  const checks: Checks = await openChecks({ db, redis, publisher, queues, wiki: known, log });
  const service = await serveStore(ground.store, { ...served, checks: { checks, limits } }, port);
  const runner = ground.drain({ review: createReview({ findings, checks: checks.records }) });
  return {
    ...service,
    checks,
    async close() {
      await Promise.all([service.close(), runner.stop(100)]);
      await Promise.all([checks.close(), publisher.close(), queues.close()]);
      redis.disconnect();
    },
  };
}
export type CheckService = Awaited<ReturnType<typeof startService>>;

/** The real handlers of all other stages, over a corpus of these pages. */
export async function openWorkers(wiki: ArticlesOptions['wiki'], corpus: readonly Page[]) {
  const models = await loadModels('workers/models');
  const verifier = await loadVerifier('workers/models', models);
  const generation = openTestGeneration(models.encoder);
  await generation.add(...corpus);
  const sources = await openSourceStore(join(generation.dataDir, 'sources.sqlite'));
  const reliability = await openReliabilityStore(join(generation.dataDir, 'reliability.sqlite'));
  const exclusions = async () => ({ reliability: await reliability.current(), allowUserGenerated: false });
  const ranker = createRanker(models.crossEncoder);
  const settings = { gateway: null, allowLoopback: true, userAgent: 'test', waybackUrl: 'http://127.0.0.1:9' };
  const reader = createReader(settings);
  const current = async () => generation.manifest;
  const openCorpus = async () => generation.corpus;
  const handlers: Handlers = {
    articles: createArticles({ wiki, extract: async (html, title) => extractClaims(html, title), log }),
    sources: createSources({ reader, store: sources, growCorpus: false }),
    verification: createVerify({
      judges: { verifier, secondOpinion: null },
      store: sources,
      generations: { current },
      reliability,
    }),
    'retrieval-sparse': createSparse({
      expander: noExpansion,
      open: async () => ({ index: await generation.opened.sparse(), corpus: generation.corpus }),
    }),
    'retrieval-dense': createDense({
      encoder: models.encoder,
      open: async (_, shard) => generation.opened.held(shard),
    }),
    suggestion: createSuggest({
      ...{ verifier, ranker, reader, store: sources, openCorpus, log },
      exclusions,
    }),
    find: createFind({ current, openCorpus, ranker, exclusions }),
  };
  return {
    handlers,
    async close() {
      await sources.close();
      await reliability.close();
      await generation.remove();
    },
  };
}

/** Polls a condition; jest's own time limit is the deadline. */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}
