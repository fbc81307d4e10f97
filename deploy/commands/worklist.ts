/**
 * `sidelight worklist`: lists of articles that are checked claim by claim. Lists are kept in their own database; what runs are told
 * goes through the queue, and the bot does it.
 */

import { createAsk } from '../../bot/wiki.ts';
import { createCollect } from '../../bot/worklists/collect.ts';
import { progressOf } from '../../bot/worklists/progress.ts';
import { goOn } from '../../bot/worklists/resume.ts';
import { openSchedules } from '../../bot/worklists/schedule.ts';
import { openWorklists, type WorklistStore } from '../../bot/worklists/store.ts';
import { readTitles } from '../../bot/worklists/titles.ts';
import { DAYS, type Run, requestOf, type Schedule, type Worklist } from '../../bot/worklists/worklist.ts';
import type { Config } from '../../shared/config.ts';
import { RequestError } from '../../shared/errors.ts';
import { createPublisher, openQueues, type Publisher, type Queues } from '../../shared/queue.ts';
import { connectRedis } from '../../shared/redis.ts';
import { openReviewDatabase } from '../../workers/review/database.ts';
import { withSampleWiki } from '../local/sample-wiki.ts';
import { print } from './print.ts';
import { type SourceOptions, toSource } from './worklist-source.ts';
import { listsText, type Shown, scheduleWords, shownText, sourceWords } from './worklist-text.ts';

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
  await withStore(config, async (store) => {
    store.lists.freeName(config.wiki.id, name); // before a wiki or a tool is asked
    if (source.kind !== 'file') await tryOut(config, source, signal);
    const worklist = store.lists.add({ wiki: config.wiki.id, name, source }, titles);
    print(json ? worklist : `${worklist.name}: ${sourceWords(source)}. \`sidelight worklist run\` begins with it.`);
  });
}

export async function listWorklists(config: Config, { json }: { json: boolean }): Promise<void> {
  await withStore(config, async (store) => {
    const rows = store.lists.all(config.wiki.id).map((worklist) => ({ worklist, run: latestRun(store, worklist) }));
    print(json ? { wiki: config.wiki.id, worklists: rows } : listsText(rows));
  });
}

export async function showWorklist(config: Config, { name, json }: Named): Promise<void> {
  await withStore(config, async (store) => {
    const worklist = store.lists.find(config.wiki.id, name);
    const runs = store.runs.all(worklist.id);
    const review = await openReviewDatabase(config.databases.review);
    try {
      const progress = runs[0] === undefined ? null : await progressOf(store, review, worklist, runs[0]);
      const shown: Shown = { worklist, runs, progress };
      print(json ? shown : shownText(shown));
    } finally {
      await review.destroy();
    }
  });
}

/** A run that goes on already is told to go on. `all`: articles that have not changed are read too. */
export async function runWorklist(config: Config, { name, json, all }: Named & { all: boolean }): Promise<void> {
  await withQueues(config, name, async ({ store, worklist, publisher }) => {
    if (worklist.paused) throw new RequestError('paused', `${worklist.name} is paused: \`sidelight worklist resume\``);
    const run = store.runs.begin(worklist.id, all);
    await goOn(store, publisher, worklist, run);
    print(json ? run : `${worklist.name}: run ${run.number} ${run.step === 0 ? 'begins' : 'goes on'}`);
  });
}

export async function pauseWorklist(config: Config, { name, json }: Named): Promise<void> {
  await withStore(config, async (store) => {
    const worklist = store.lists.find(config.wiki.id, name);
    store.lists.pause(worklist.id, true);
    print(json ? store.lists.get(worklist.id) : `${worklist.name} is paused: what it handed on before is still done`);
  });
}

export async function resumeWorklist(config: Config, { name, json }: Named): Promise<void> {
  await withQueues(config, name, async ({ store, worklist, publisher }) => {
    store.lists.pause(worklist.id, false);
    const run = latestRun(store, worklist);
    const goesOn = run?.state === 'running';
    if (goesOn) await goOn(store, publisher, worklist, run);
    const text = goesOn ? `run ${run.number} goes on` : 'no run is open; `sidelight worklist run` begins one';
    print(json ? store.lists.get(worklist.id) : `${worklist.name}: ${text}`);
  });
}

/** Ends the run and takes out what still waits for it; what runs now is finished. */
export async function cancelWorklist(config: Config, { name, json }: Named): Promise<void> {
  await withQueues(config, name, async ({ store, worklist, queues }) => {
    const run = latestRun(store, worklist);
    if (run?.state !== 'running') throw new RequestError('no_run', `no run of ${worklist.name} is open`);
    const removed = await cancelRun(store, queues, run);
    print(
      json
        ? { run: run.number, removed }
        : `${worklist.name}: run ${run.number} is cancelled, ${removed} jobs taken out`,
    );
  });
}

/** `null`: no longer. */
export async function scheduleWorklist(
  config: Config,
  { name, json, schedule }: Named & { schedule: Schedule | null },
): Promise<void> {
  await withQueues(config, name, async ({ store, worklist, redis }) => {
    const schedules = openSchedules(redis);
    try {
      store.lists.schedule(worklist.id, schedule);
      const next = await schedules.set(worklist, schedule);
      const text = schedule === null ? 'is not scheduled' : `${scheduleWords(schedule)}, next ${next}`;
      print(json ? { schedule, next } : `${worklist.name}: ${text}`);
    } finally {
      await schedules.close();
    }
  });
}

/** Findings stay. */
export async function dropWorklist(config: Config, { name, json }: Named): Promise<void> {
  await withQueues(config, name, async ({ store, worklist, queues, redis }) => {
    const schedules = openSchedules(redis);
    try {
      await schedules.set(worklist, null);
      const run = latestRun(store, worklist);
      const removed = run?.state === 'running' ? await cancelRun(store, queues, run) : 0;
      store.lists.drop(worklist.id);
      print(json ? { dropped: worklist.name, removed } : `${worklist.name} is dropped; its findings stay`);
    } finally {
      await schedules.close();
    }
  });
}

/** The first is Sunday. Throws RequestError for what is no day of the week. */
export function parseDay(text: string): number {
  const day = DAYS.findIndex((name) => name.toLowerCase() === text.toLowerCase());
  if (day >= 0) return day;
  throw new RequestError('no_day', `${text} is no day: ${DAYS.join(', ')}`);
}

/** The run is over before its jobs are taken out: a step that is under way sees that, and takes out what it published. */
async function cancelRun(store: WorklistStore, queues: Queues, run: Run): Promise<number> {
  store.runs.end(run, 'cancelled');
  store.members.cancel(run);
  return queues.cancel(requestOf(run));
}

function latestRun(store: WorklistStore, worklist: Worklist): Run | null {
  return store.runs.all(worklist.id)[0] ?? null;
}

async function tryOut(config: Config, source: Worklist['source'], signal: AbortSignal): Promise<void> {
  await withSampleWiki(config, async ({ wiki, tools }) => {
    await createCollect({ ask: createAsk(wiki), tools, titles: () => [] })({ id: 0, source }, null, signal);
  });
}

interface Means {
  store: WorklistStore;
  worklist: Worklist;
  redis: Awaited<ReturnType<typeof connectRedis>>;
  publisher: Publisher;
  queues: Queues;
}

async function withQueues(config: Config, name: string, use: (means: Means) => Promise<void>): Promise<void> {
  await withStore(config, async (store) => {
    const worklist = store.lists.find(config.wiki.id, name);
    const redis = await connectRedis(config.redisUrl, 'producer');
    const publisher = createPublisher(redis);
    const queues = openQueues(redis);
    try {
      await use({ store, worklist, redis, publisher, queues });
    } finally {
      await Promise.all([publisher.close(), queues.close()]);
      redis.disconnect();
    }
  });
}

async function withStore(config: Config, use: (store: WorklistStore) => Promise<void>): Promise<void> {
  const store = openWorklists(config.databases.worklists);
  try {
    await use(store);
  } finally {
    store.close();
  }
}
