/**
 * What people do with a worklist, by its name: add, look, run, pause, resume, cancel, schedule, drop. In: the store of worklists, the
 * queues, the review database. Out: what it came to. The work itself is done by the bot (`step.ts`).
 */
import type { Kysely } from 'kysely';
import { RequestError } from '../../shared/errors.ts';
import type { Publisher, Queues } from '../../shared/queue.ts';
import type { Schema } from '../../workers/review/database.ts';
import { type Progress, progressOf } from './progress.ts';
import { goOn } from './resume.ts';
import type { Schedules } from './schedule.ts';
import type { WorklistStore } from './store.ts';
import { type ListSource, type Run, requestOf, type Schedule, type Worklist } from './worklist.ts';

/** Of one wiki. */
export interface WorklistMeans {
  wikiId: string;
  store: WorklistStore;
  publisher: Pick<Publisher, 'publish'>;
  queues: Pick<Queues, 'cancel'>;
  schedules: Pick<Schedules, 'set'>;
}

export interface ListedWorklist {
  worklist: Worklist;
  /** The newest; null before the first. */
  run: Run | null;
}

export interface ShownWorklist {
  worklist: Worklist;
  /** Newest first. */
  runs: Run[];
  /** Of the newest run; null before the first. */
  progress: Progress | null;
}

/** `tryOut` asks for the first part of the list: what is none is refused now. Throws RequestError, TransientError. */
export async function addWorklist(
  { wikiId, store }: Pick<WorklistMeans, 'wikiId' | 'store'>,
  { name, source, titles }: { name: string; source: ListSource; titles: readonly string[] },
  tryOut: (source: ListSource) => Promise<void>,
): Promise<Worklist> {
  await store.lists.freeName(wikiId, name); // before a wiki or a tool is asked
  if (source.kind !== 'file') await tryOut(source);
  return store.lists.add({ wiki: wikiId, name, source }, titles);
}

export async function listWorklists({
  wikiId,
  store,
}: Pick<WorklistMeans, 'wikiId' | 'store'>): Promise<ListedWorklist[]> {
  const worklists = await store.lists.all(wikiId);
  return Promise.all(worklists.map(async (worklist) => ({ worklist, run: await latestRun(store, worklist) })));
}

/** Throws RequestError for a name that is none, as all that follow. */
export async function showWorklist(
  { wikiId, store }: Pick<WorklistMeans, 'wikiId' | 'store'>,
  review: Kysely<Schema>,
  name: string,
): Promise<ShownWorklist> {
  const worklist = await store.lists.find(wikiId, name);
  const runs = await store.runs.all(worklist.id);
  const progress = runs[0] === undefined ? null : await progressOf(store, review, worklist, runs[0]);
  return { worklist, runs, progress };
}

/** A run that goes on already is told to go on. `all`: articles that have not changed are read too. */
export async function runWorklist(
  { wikiId, store, publisher }: Pick<WorklistMeans, 'wikiId' | 'store' | 'publisher'>,
  name: string,
  { all }: { all: boolean },
): Promise<Run> {
  const worklist = await store.lists.find(wikiId, name);
  if (worklist.paused) throw new RequestError('paused', `${worklist.name} is paused: resume it first`);
  const run = await store.runs.begin(worklist.id, all);
  await goOn(store, publisher, worklist, run);
  return run;
}

/** What it handed on before is still done. */
export async function pauseWorklist(
  { wikiId, store }: Pick<WorklistMeans, 'wikiId' | 'store'>,
  name: string,
): Promise<Worklist> {
  const worklist = await store.lists.find(wikiId, name);
  await store.lists.pause(worklist.id, true);
  return { ...worklist, paused: true };
}

/** `run`: the one that goes on; null where none is open. */
export async function resumeWorklist(
  { wikiId, store, publisher }: Pick<WorklistMeans, 'wikiId' | 'store' | 'publisher'>,
  name: string,
): Promise<ListedWorklist> {
  const worklist = await store.lists.find(wikiId, name);
  await store.lists.pause(worklist.id, false);
  const run = await latestRun(store, worklist);
  const open = run?.state === 'running' ? run : null;
  if (open !== null) await goOn(store, publisher, worklist, open);
  return { worklist: { ...worklist, paused: false }, run: open };
}

/** Ends the run and takes out what still waits for it; what runs now is finished. Throws RequestError `no_run` too. */
export async function cancelWorklist(
  { wikiId, store, queues }: Pick<WorklistMeans, 'wikiId' | 'store' | 'queues'>,
  name: string,
): Promise<{ run: number; removed: number }> {
  const worklist = await store.lists.find(wikiId, name);
  const run = await latestRun(store, worklist);
  if (run?.state !== 'running') throw new RequestError('no_run', `no run of ${worklist.name} is open`);
  return { run: run.number, removed: await cancelRun(store, queues, run) };
}

/** `schedule` null: no longer. `next`: ISO time of the next run. */
export async function scheduleWorklist(
  { wikiId, store, schedules }: Pick<WorklistMeans, 'wikiId' | 'store' | 'schedules'>,
  name: string,
  schedule: Schedule | null,
): Promise<{ worklist: Worklist; next: string | null }> {
  const worklist = await store.lists.find(wikiId, name);
  await store.lists.schedule(worklist.id, schedule);
  return { worklist: { ...worklist, schedule }, next: await schedules.set(worklist, schedule) };
}

/** Findings stay. `removed`: jobs that were taken out. */
export async function dropWorklist(
  { wikiId, store, queues, schedules }: Omit<WorklistMeans, 'publisher'>,
  name: string,
): Promise<{ dropped: string; removed: number }> {
  const worklist = await store.lists.find(wikiId, name);
  await schedules.set(worklist, null);
  const run = await latestRun(store, worklist);
  const removed = run?.state === 'running' ? await cancelRun(store, queues, run) : 0;
  await store.lists.drop(worklist.id);
  return { dropped: worklist.name, removed };
}

/** The run is over before its jobs are taken out: a step that is under way sees that, and takes out what it published. */
async function cancelRun(store: WorklistStore, queues: Pick<Queues, 'cancel'>, run: Run): Promise<number> {
  await store.runs.end(run, 'cancelled');
  await store.members.cancel(run);
  return queues.cancel(requestOf(run));
}

async function latestRun(store: WorklistStore, worklist: Worklist): Promise<Run | null> {
  return (await store.runs.all(worklist.id))[0] ?? null;
}
