/**
 * `sidelight worklist`: lists of articles that are checked claim by claim. Lists are kept in their own database; what runs are told
 * goes through the queue, and the bot does it.
 */

import { createAsk } from '../../bot/wiki.ts';
import * as acts from '../../bot/worklists/acts.ts';
import { createCollect } from '../../bot/worklists/collect.ts';
import { openSchedules } from '../../bot/worklists/schedule.ts';
import { openWorklists } from '../../bot/worklists/store.ts';
import { readTitles } from '../../bot/worklists/titles.ts';
import { DAYS, type Schedule, type Worklist } from '../../bot/worklists/worklist.ts';
import type { Config } from '../../shared/config.ts';
import { RequestError } from '../../shared/errors.ts';
import { createPublisher, openQueues } from '../../shared/queue.ts';
import { connectRedis } from '../../shared/redis.ts';
import { openReviewDatabase } from '../../workers/review/database.ts';
import { withSampleWiki } from '../local/sample-wiki.ts';
import { print } from './print.ts';
import { type SourceOptions, toSource } from './worklist-source.ts';
import { listsText, scheduleWords, shownText, sourceWords } from './worklist-text.ts';

interface Named {
  name: string;
  json: boolean;
}

/** Asks for the first part of the list: what is none is refused now. Throws RequestError, TransientError. */
export async function addWorklist(
  config: Config,
  { name, json, ...options }: Named & SourceOptions,
  signal: AbortSignal,
): Promise<void> {
  const titles = options.file === undefined ? [] : await readTitles(options.file);
  const source = toSource(options, titles.length);
  await withStore(config, async (means) => {
    const worklist = await acts.addWorklist(means, { name, source, titles }, (one) => tryOut(config, one, signal));
    print(json ? worklist : `${worklist.name}: ${sourceWords(source)}. \`sidelight worklist run\` begins with it.`);
  });
}

export async function listWorklists(config: Config, { json }: { json: boolean }): Promise<void> {
  await withStore(config, async (means) => {
    const rows = await acts.listWorklists(means);
    print(json ? { wiki: config.wiki.id, worklists: rows } : listsText(rows));
  });
}

export async function showWorklist(config: Config, { name, json }: Named): Promise<void> {
  await withStore(config, async (means) => {
    await means.store.lists.find(config.wiki.id, name); // before a review database is made for nothing
    const review = await openReviewDatabase(config.databases.review);
    try {
      const shown = await acts.showWorklist(means, review, name);
      print(json ? shown : shownText(shown));
    } finally {
      await review.destroy();
    }
  });
}

/** A run that goes on already is told to go on. `all`: articles that have not changed are read too. */
export async function runWorklist(config: Config, { name, json, all }: Named & { all: boolean }): Promise<void> {
  await withQueues(config, name, async (means) => {
    const run = await acts.runWorklist(means, name, { all });
    print(json ? run : `${name.trim()}: run ${run.number} ${run.step === 0 ? 'begins' : 'goes on'}`);
  });
}

export async function pauseWorklist(config: Config, { name, json }: Named): Promise<void> {
  await withStore(config, async (means) => {
    const worklist = await acts.pauseWorklist(means, name);
    print(json ? worklist : `${worklist.name} is paused: what it handed on before is still done`);
  });
}

export async function resumeWorklist(config: Config, { name, json }: Named): Promise<void> {
  await withQueues(config, name, async (means) => {
    const { worklist, run } = await acts.resumeWorklist(means, name);
    const text = run === null ? 'no run is open; `sidelight worklist run` begins one' : `run ${run.number} goes on`;
    print(json ? worklist : `${worklist.name}: ${text}`);
  });
}

/** Ends the run and takes out what still waits for it; what runs now is finished. */
export async function cancelWorklist(config: Config, { name, json }: Named): Promise<void> {
  await withQueues(config, name, async (means) => {
    const { run, removed } = await acts.cancelWorklist(means, name);
    print(json ? { run, removed } : `${name.trim()}: run ${run} is cancelled, ${removed} jobs taken out`);
  });
}

/** `null`: no longer. */
export async function scheduleWorklist(
  config: Config,
  { name, json, schedule }: Named & { schedule: Schedule | null },
): Promise<void> {
  await withQueues(config, name, async (means) => {
    const { worklist, next } = await acts.scheduleWorklist(means, name, schedule);
    const text = schedule === null ? 'is not scheduled' : `${scheduleWords(schedule)}, next ${next}`;
    print(json ? { schedule, next } : `${worklist.name}: ${text}`);
  });
}

/** Findings stay. */
export async function dropWorklist(config: Config, { name, json }: Named): Promise<void> {
  await withQueues(config, name, async (means) => {
    const { dropped, removed } = await acts.dropWorklist(means, name);
    print(json ? { dropped, removed } : `${dropped} is dropped; its findings stay`);
  });
}

/** The first is Sunday. Throws RequestError for what is no day of the week. */
export function parseDay(text: string): number {
  const day = DAYS.findIndex((name) => name.toLowerCase() === text.toLowerCase());
  if (day >= 0) return day;
  throw new RequestError('no_day', `${text} is no day: ${DAYS.join(', ')}`);
}

async function tryOut(config: Config, source: Worklist['source'], signal: AbortSignal): Promise<void> {
  await withSampleWiki(config, async ({ wiki, tools }) => {
    await createCollect({ ask: createAsk(wiki), tools, titles: async () => [] })({ id: 0, source }, null, signal);
  });
}

/** A name that is none is refused before a queue is opened. */
async function withQueues(
  config: Config,
  name: string,
  use: (means: acts.WorklistMeans) => Promise<void>,
): Promise<void> {
  await withStore(config, async ({ wikiId, store }) => {
    await store.lists.find(wikiId, name);
    const redis = await connectRedis(config.redisUrl, 'producer');
    const [publisher, queues, schedules] = [createPublisher(redis), openQueues(redis), openSchedules(redis)];
    try {
      await use({ wikiId, store, publisher, queues, schedules });
    } finally {
      await Promise.all([publisher.close(), queues.close(), schedules.close()]);
      redis.disconnect();
    }
  });
}

async function withStore(
  config: Config,
  use: (means: Pick<acts.WorklistMeans, 'wikiId' | 'store'>) => Promise<void>,
): Promise<void> {
  const store = await openWorklists(config.databases.worklists);
  try {
    await use({ wikiId: config.wiki.id, store });
  } finally {
    await store.close();
  }
}
