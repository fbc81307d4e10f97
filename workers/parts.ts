/** What workers are made of, each opened when the first stage asks for it and shared by the others. In: Config. */
import { mkdirSync } from 'node:fs';
import type { Config } from '../shared/config.ts';
import type { Logger } from '../shared/logger.ts';
import { connectRedis } from '../shared/redis.ts';
import { openCorpus } from './retrieval/corpus/store.ts';
import { openFaissIndex } from './retrieval/dense/faiss.ts';
import { openFts5Index } from './retrieval/sparse/fts5.ts';
import { openSourceStore } from './source/store.ts';
import { loadEncoder } from './verification/encoder.ts';
import { openJudgements, rememberJudgements } from './verification/judgements.ts';
import { createRedisBudget } from './verification/second-opinion/budget.ts';
import { createSecondOpinions } from './verification/second-opinion/second-opinions.ts';
import { loadVerifier } from './verification/verifier.ts';

export type Parts = ReturnType<typeof createParts>;

export function createParts(config: Config, log: Logger) {
  mkdirSync(config.dataDir, { recursive: true });
  const closers: (() => void)[] = [];
  const closing = <T extends { close(): void }>(part: T): T => {
    closers.push(() => part.close());
    return part;
  };
  const encoder = once(() => loadEncoder(config.modelsDir));
  return {
    config,
    log,
    encoder,
    verifier: once(async () => {
      const memory = closing(openJudgements(config.databases.judgements));
      return rememberJudgements(await loadVerifier(config.modelsDir), memory);
    }),
    secondOpinion: once(async () => {
      const settings = config.secondOpinion;
      if (settings === null) return null;
      const redis = await connectRedis(config.redisUrl, 'producer'); // says at once that it is away: no claim waits for it
      closers.push(() => redis.disconnect());
      const budget = createRedisBudget(redis, settings);
      return { opinions: createSecondOpinions(settings, { budget, log }), margin: settings.margin };
    }),
    store: once(() => closing(openSourceStore(config.databases.sources))),
    corpus: once(() => closing(openCorpus(config.databases.corpus))),
    sparse: once(() => closing(openFts5Index(config.databases.sparse))),
    dense: once(async () =>
      closing(openFaissIndex({ directory: config.dataDir, shard: 0, encoder: await encoder(), log })),
    ),
    close() {
      for (const close of closers.reverse()) close();
    },
  };
}

function once<T>(open: () => T): () => T {
  let opened: { part: T } | null = null;
  return () => {
    opened ??= { part: open() };
    return opened.part;
  };
}
