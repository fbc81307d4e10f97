/** Sets runs going: a new one, one that was paused, and, when the bot starts, whatever was going before. */
import { PRIORITY } from '../../shared/pipeline.ts';
import type { Publisher } from '../../shared/queue.ts';
import { stepJob } from './articles.ts';
import type { Schedules } from './schedule.ts';
import type { WorklistStore } from './store.ts';
import type { Run, Worklist } from './worklist.ts';

/** A run that goes on already goes on once: whichever of its jobs comes second does nothing. */
export async function goOn(
  store: WorklistStore,
  publisher: Pick<Publisher, 'publish'>,
  { wiki }: Worklist,
  run: Run,
): Promise<void> {
  await publisher.publish([stepJob(wiki, await store.runs.renumber(run))], PRIORITY.worklist);
}

/** What Redis may have lost. Throws what Redis throws. */
export async function resumeAll(
  store: WorklistStore,
  { publisher, schedules, wikiId }: { publisher: Publisher; schedules: Schedules; wikiId: string },
): Promise<void> {
  for (const worklist of await store.lists.all(wikiId)) {
    if (worklist.schedule !== null) await schedules.set(worklist, worklist.schedule);
  }
  for (const run of await store.runs.running(wikiId)) {
    const worklist = await store.lists.get(run.worklist);
    if (worklist !== null) await goOn(store, publisher, worklist, run);
  }
}
