/** What workers are made of, each opened when the first stage asks for it and shared by the others. In: Config. */
import { mkdirSync } from 'node:fs';
import type { Config } from '../shared/config.ts';
import type { Logger } from '../shared/logger.ts';
import { connectRedis } from '../shared/redis.ts';
import { countJudgements, measureEncoder, measureModels, measureOpinions } from './measured.ts';
import { createOpenGenerations } from './retrieval/corpus/open-generations.ts';
import { openSparseEngine } from './retrieval/corpus/sparse-engine.ts';
import { loadBiEncoder } from './retrieval/dense/bi-encoder.ts';
import { createExpander } from './retrieval/expansion/create.ts';
import { openExtractApart } from './source/extract/apart.ts';
import { createReader } from './source/read.ts';
import { openSourceStore } from './source/store.ts';
import { createSharedTurns } from './source/turns.ts';
import { createRanker } from './suggestion/rank.ts';
import { openReliabilityStore } from './suggestion/reliability/store.ts';
import { openJudgements, rememberJudgements } from './verification/judgements.ts';
import { createRedisBudget } from './verification/second-opinion/budget.ts';
import { createSecondOpinions } from './verification/second-opinion/second-opinions.ts';
import { loadModels, loadVerifier } from './verification/verifier.ts';

export type Parts = ReturnType<typeof createParts>;

export function createParts(config: Config, log: Logger) {
  mkdirSync(config.dataDir, { recursive: true });
  const closers: (() => void | Promise<void>)[] = [];
  const closing = <T extends { close(): void | Promise<void> }>(part: T): T => {
    closers.push(() => part.close());
    return part;
  };
  const models = once(async () => measureModels(await loadModels(config.modelsDir)));
  const engine = once(() => closing(openSparseEngine(config, log)));
  const { sources } = config;
  const store = once(async () => closing(await openSourceStore(config.databases.sources, sources)));
  const turns = async (waiting: { patient: boolean }) => {
    const redis = await connectRedis(config.redisUrl, 'worker');
    closers.push(() => redis.disconnect());
    return createSharedTurns(redis, { ...sources.turns, ...waiting });
  };
  const extraction = once(() => closing(openExtractApart({ log })));
  const reading = async (patient: boolean) => {
    const { extract } = extraction();
    return createReader(sources, { ...(await store()), extract, turns: await turns({ patient }) });
  };
  return {
    config,
    log,
    /** Of the dense arm; the verifier has its own. */
    encoder: once(async () => measureEncoder(await loadBiEncoder(config.modelsDir))),
    verifier: once(async () => {
      const memory = closing(openJudgements(config.databases.judgements));
      return rememberJudgements(await loadVerifier(config.modelsDir, await models()), countJudgements(memory));
    }),
    ranker: once(async () => createRanker((await models()).crossEncoder)),
    secondOpinion: once(async () => {
      const settings = config.secondOpinion;
      if (settings === null) return null;
      const redis = await connectRedis(config.redisUrl, 'producer'); // says at once that it is away: no claim waits for it
      closers.push(() => redis.disconnect());
      const budget = createRedisBudget(redis, settings);
      return { opinions: measureOpinions(createSecondOpinions(settings, { budget, log })), margin: settings.margin };
    }),
    reader: once(async () => reading(false)),
    /** Looks one page up after the other, and waits for each. */
    patientReader: once(async () => reading(true)),
    store,
    expander: once(() => createExpander(config, log)),
    reliability: once(async () => closing(await openReliabilityStore(config.databases.reliability))),
    /** Which generations there are. */
    catalogue: once(() => engine().generations),
    /** Those that jobs name, opened. */
    generations: once(() => closing(createOpenGenerations({ dataDir: config.dataDir, engine: engine(), log }))),
    async close() {
      for (const close of closers.reverse()) await close();
    },
  };
}

/** What may not be suggested, which is also no evidence for or against a claim. */
export function exclusionsOf({ config, reliability }: Pick<Parts, 'config' | 'reliability'>) {
  const { allowUserGenerated } = config.reliability;
  return async () => ({ reliability: await (await reliability()).current(), allowUserGenerated });
}

function once<T>(open: () => T): () => T {
  let opened: { part: T } | null = null;
  return () => {
    opened ??= { part: open() };
    return opened.part;
  };
}
