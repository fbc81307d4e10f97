/** Opens what the bot needs for worklists. In: Config, the bot's own Redis. Out: the handler, what is told of articles, an end. */
import type { Redis } from 'ioredis';
import type { Config } from '../../shared/config.ts';
import type { Logger } from '../../shared/logger.ts';
import type { Handler } from '../../shared/pipeline.ts';
import { openQueues, type Publisher } from '../../shared/queue.ts';
import { currentModel } from '../../workers/requeue/model.ts';
import type { ReadArticle } from '../articles.ts';
import { createAsk } from '../wiki.ts';
import { openBacklog } from './backlog.ts';
import { createCollect } from './collect.ts';
import { createLatest } from './latest.ts';
import { LIMITS } from './publish.ts';
import { createOnRead } from './read.ts';
import { createResolve } from './resolve.ts';
import { resumeAll } from './resume.ts';
import { openSchedules } from './schedule.ts';
import { createWorklists } from './step.ts';
import { openWorklists } from './store.ts';

export interface WorklistPart {
  worklists: Handler<'worklists'>;
  /** For `articles`. */
  onRead(request: string, article: ReadArticle): Promise<void>;
  /** Once the queues are drained by then. */
  close(): Promise<void>;
}

/** Runs that were going when the bot stopped go on. Throws RefuseToStart for a model or a database that can't be used. */
export async function startWorklists(
  config: Config,
  { redis, publisher, log }: { redis: Redis; publisher: Publisher; log: Logger },
  limits = LIMITS,
): Promise<WorklistPart> {
  const model = await currentModel(config.modelsDir);
  const store = await openWorklists(config.databases.worklists);
  const [queues, backlog, schedules] = [openQueues(redis), openBacklog(redis), openSchedules(redis)];
  const ask = createAsk(config.wiki);
  await resumeAll(store, { publisher, schedules, wikiId: config.wiki.id });
  return {
    worklists: createWorklists({
      wikiId: config.wiki.id,
      store,
      collect: createCollect({ ask, tools: config.tools, titles: store.lists.titles }),
      resolve: createResolve(ask),
      latest: createLatest(ask),
      backlog,
      cancel: queues.cancel,
      model,
      limits,
      log,
    }),
    onRead: createOnRead(store, model),
    async close() {
      await Promise.all([queues.close(), backlog.close(), schedules.close()]);
      await store.close();
    },
  };
}
