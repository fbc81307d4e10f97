/**
 * Composition root of the workers: makes the handlers of the given stages and drains their queues. In: Config and stages. Out:
 * a handle that stops it.
 */
import type { Config } from '../shared/config.ts';
import { RequestError } from '../shared/errors.ts';
import type { Logger } from '../shared/logger.ts';
import type { Handler, Handlers, Stage } from '../shared/pipeline.ts';
import { createPublisher, openQueues } from '../shared/queue.ts';
import { connectRedis } from '../shared/redis.ts';
import { type Runner, run } from '../shared/runner.ts';
import { createParts, type Parts } from './parts.ts';
import { createCorpus } from './retrieval/corpus/corpus.ts';
import { fillIndexes } from './retrieval/corpus/index-passages.ts';
import { createDense } from './retrieval/dense/retrieve.ts';
import { createSparse } from './retrieval/sparse/retrieve.ts';
import { createReader } from './source/read.ts';
import { createSources } from './source/sources.ts';
import { createSuggest } from './suggestion/suggest.ts';
import { createVerify } from './verification/verify.ts';

export async function startWorkers(config: Config, stages: readonly Stage[], log: Logger): Promise<Runner> {
  const parts = createParts(config, log);
  const handlers: Handlers = Object.fromEntries(
    await Promise.all(stages.map(async (stage) => [stage, await makeHandler(stage, parts)])),
  );
  const redis = await connectRedis(config.redisUrl, 'worker');
  const publisher = createPublisher(redis);
  const queues = openQueues(redis, config.denseShards);
  const runner = run({ handlers, shards: [0], redis, publisher, log });
  const giving = setInterval(() => {
    queues.giveUpUnattended(UNATTENDED_MS).catch((err) => log.warn({ err }, 'unattended queues not looked at'));
  }, UNATTENDED_MS / 3);
  return {
    async stop(deadlineMs) {
      clearInterval(giving);
      await runner.stop(deadlineMs);
      await Promise.all([publisher.close(), queues.close()]);
      redis.disconnect();
      parts.close();
    },
  };
}

function makeHandler(stage: Stage, parts: Parts): Promise<unknown> {
  const make = MAKERS[stage];
  if (make === undefined) throw new RequestError('not_a_worker_stage', `${stage} is not drained by workers`);
  return make(parts);
}

/** Every stage that workers drain. `articles` belongs to the bot, `review` to the review service. */
const MAKERS: { [S in Stage]?: (parts: Parts) => Promise<Handler<S>> } = {
  sources: async ({ config, store }) => createSources({ reader: createReader(config.sources), store: store() }),
  corpus: async (parts) => createCorpus(await openArms(parts)),
  verification: async ({ config, verifier, secondOpinion, store }) => {
    const judges = { verifier: await verifier(), secondOpinion: await secondOpinion() };
    return createVerify({ judges, store: store(), denseShards: config.denseShards });
  },
  'retrieval-sparse': async ({ sparse }) => createSparse({ index: sparse() }),
  'retrieval-dense': async (parts) => {
    const arms = await openArms(parts);
    await fillIndexes(arms, NEVER);
    return createDense({ index: arms.dense, encoder: arms.encoder });
  },
  suggestion: async ({ verifier, corpus, store }) =>
    createSuggest({ verifier: await verifier(), corpus: corpus(), store: store() }),
};

async function openArms({ store, corpus, sparse, dense, encoder }: Parts) {
  return { store: store(), corpus: corpus(), sparse: sparse(), dense: await dense(), encoder: await encoder() };
}

const NEVER = new AbortController().signal;
/** A worker that restarts is back well before. */
const UNATTENDED_MS = 30_000;
