/**
 * Composition root of the workers: makes the handlers of the given stages and drains their queues. In: Config and stages. Out:
 * a handle that stops it.
 */
import type { Config } from '../shared/config.ts';
import { RequestError } from '../shared/errors.ts';
import { type Needs, openSqlNeed, pingRedis, unanswered } from '../shared/health.ts';
import type { Logger } from '../shared/logger.ts';
import { type Handler, type Handlers, type Next, patrolPriority, type Stage } from '../shared/pipeline.ts';
import { createPublisher, openQueues, type Publisher } from '../shared/queue.ts';
import { connectRedis } from '../shared/redis.ts';
import { run, type Service } from '../shared/runner.ts';
import { createFind } from './find/stage.ts';
import { countSources } from './measured.ts';
import { createParts, exclusionsOf, type Parts } from './parts.ts';
import { createCorpus } from './retrieval/corpus/corpus.ts';
import { fillIndexes } from './retrieval/corpus/index-passages.ts';
import { rememberCurrent } from './retrieval/corpus/last-known.ts';
import { armsOf, requireEncoder } from './retrieval/corpus/open-generation.ts';
import { createDense } from './retrieval/dense/retrieve.ts';
import { createSparse } from './retrieval/sparse/retrieve.ts';
import { startRetests } from './source/retest.ts';
import { createSources } from './source/sources.ts';
import { createSuggest } from './suggestion/suggest.ts';
import { createVerify } from './verification/verify.ts';

export interface Work {
  stages: readonly Stage[];
  /** Dense shards that this process holds; null: all of the current generation, also those that come later. */
  shards: readonly number[] | null;
}

export async function startWorkers(config: Config, { stages, shards }: Work, log: Logger): Promise<Service> {
  const parts = createParts(config, log);
  if (stages.includes('retrieval-dense') && shards === null) await completeArms(parts);
  const handlers: Handlers = Object.fromEntries(
    await Promise.all(stages.map(async (stage) => [stage, await makeHandler(stage, parts)])),
  );
  const redis = await connectRedis(config.redisUrl, 'worker');
  const publisher = createPublisher(redis);
  const queues = openQueues(redis);
  const runner = run({ handlers, redis, publisher, log });
  const attend = async () => {
    for (const shard of shards ?? (await shardsOf(parts))) runner.attend(shard);
  };
  const repeating = [
    repeat(UNATTENDED_MS / 3, 'unattended queues not looked at', log, () => queues.giveUpUnattended(UNATTENDED_MS)),
  ];
  if (stages.includes('retrieval-dense')) {
    await attend();
    repeating.push(repeat(NEW_SHARD_MS, 'new shards not looked for', log, attend));
  }
  const retests = stages.includes('sources') ? await startLinkRetests(parts, publisher) : null;
  const sql = openSqlNeed(config.databases.sources);
  const needs = { redis: () => pingRedis(redis), ...sql.needs, ...searchNeed(config, stages, parts) };
  return {
    ready: () => unanswered(needs),
    async stop(deadlineMs) {
      for (const timer of repeating) clearInterval(timer);
      await Promise.all([runner.stop(deadlineMs), retests?.stop()]);
      await Promise.all([publisher.close(), queues.close(), sql.close()]);
      redis.disconnect();
      await parts.close();
    },
  };
}

/** Models and shards are there once a process has started. */
function searchNeed({ elasticsearch }: Config, stages: readonly Stage[], { catalogue }: Parts): Needs {
  if (elasticsearch === null || !stages.some((stage) => SEARCHING.has(stage))) return {};
  return { elasticsearch: () => catalogue().current() };
}

const SEARCHING: ReadonlySet<Stage> = new Set(['corpus', 'retrieval-sparse', 'retrieval-dense', 'suggestion', 'find']);

async function startLinkRetests({ patientReader, store, log }: Parts, publisher: Publisher) {
  const publish = (next: readonly Next[]) => publisher.publish(next, patrolPriority(new Date()));
  return startRetests({ reader: await patientReader(), store: await store(), publish, log });
}

async function shardsOf({ catalogue }: Parts): Promise<number[]> {
  return ((await catalogue().current())?.shards ?? []).map(({ shard }) => shard);
}

function repeat(everyMs: number, failure: string, log: Logger, work: () => Promise<unknown>): NodeJS.Timeout {
  return setInterval(() => void work().catch((err: unknown) => log.warn({ err }, failure)), everyMs);
}

function makeHandler(stage: Stage, parts: Parts): Promise<unknown> {
  const make = MAKERS[stage];
  if (make === undefined) throw new RequestError('not_a_worker_stage', `${stage} is not drained by workers`);
  return make(parts);
}

/** Every stage that workers drain. `articles` belongs to the bot, `review` to the review service. */
const MAKERS: { [S in Stage]?: (parts: Parts) => Promise<Handler<S>> } = {
  sources: async ({ config, reader, store }) =>
    countSources(createSources({ reader: await reader(), store: await store(), growCorpus: config.growCorpus })),
  corpus: async ({ store, generations, encoder }) =>
    createCorpus({ store: await store(), generations: generations(), encoder: await encoder() }),
  verification: async ({ verifier, secondOpinion, store, catalogue, log, reliability }) => {
    const judges = { verifier: await verifier(), secondOpinion: await secondOpinion() };
    return createVerify({
      judges,
      store: await store(),
      generations: rememberCurrent(catalogue(), log),
      reliability: await reliability(),
    });
  },
  'retrieval-sparse': async ({ generations, expander }) =>
    createSparse({
      expander: await expander(),
      async open(name) {
        const generation = await generations().open(name);
        return {
          index: await generation.sparse(),
          get corpus() {
            return generation.corpus; // a host without its file searches all the same, unless an expansion reads passages
          },
        };
      },
    }),
  'retrieval-dense': async ({ encoder: load, generations }) => {
    const encoder = await load();
    return createDense({
      encoder,
      async open(name, shard) {
        const generation = await generations().open(name);
        requireEncoder(generation.manifest, encoder);
        return generation.held(shard);
      },
    });
  },
  suggestion: async ({ config, verifier, ranker, catalogue, generations, patientReader, store, reliability, log }) =>
    createSuggest({
      ...{
        verifier: await verifier(),
        ranker: await ranker(),
        reader: await patientReader(),
        store: await store(),
        log,
      },
      exclusions: exclusionsOf({ config, reliability }),
      openCorpus: openCorpus({ catalogue, generations }),
    }),
  find: async ({ config, catalogue, generations, ranker, reliability, log }) => {
    const { current } = rememberCurrent(catalogue(), log);
    return createFind({
      ...{ current, ranker: await ranker(), openCorpus: openCorpus({ catalogue, generations }) },
      exclusions: exclusionsOf({ config, reliability }),
    });
  },
};

/** Null for a generation that is no longer there. */
function openCorpus({ catalogue, generations }: Pick<Parts, 'catalogue' | 'generations'>) {
  return async (name: string) =>
    (await catalogue().get(name)) === null ? null : (await generations().open(name)).corpus;
}

/** What an arm of a growing generation lacks, after a crash or with another encoder, is added before it is searched. */
async function completeArms({ catalogue, generations, encoder }: Parts): Promise<void> {
  const current = await catalogue().current();
  if (current === null || current.shards.every(({ sealed }) => sealed !== null)) return;
  const retriever = await encoder();
  const generation = await generations().grow(retriever);
  await fillIndexes(await armsOf(generation, retriever), NEVER);
}

const NEVER = new AbortController().signal;
/** A worker that restarts is back well before. */
const UNATTENDED_MS = 30_000;
const NEW_SHARD_MS = 5_000;
