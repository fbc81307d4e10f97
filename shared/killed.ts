/**
 * Jobs whose workers were killed while they had them: one of many in hand may be the cause, the others are not. In: a job that is begun
 * again. Out: whether it waits first, so that those that did not kill are not there when the next worker is killed.
 * Why, and how often: deploy/decisions/killed-workers.md.
 */
import { DelayedError, type Job } from 'bullmq';

/** How often a job's worker may be killed, or blocked for longer than its lock lasts. After that the job fails. */
export const MOST_KILLS = 10;

/** From the second kill on, a job waits once after each. Throws DelayedError where it does. */
export async function waitAfterKill(job: Job, token: string | undefined): Promise<void> {
  const kills = job.stalledCounter;
  if (kills < 2 || job.progress === kills) return;
  await job.updateProgress(kills);
  await job.moveToDelayed(Date.now() + Math.random() * Math.min(1000 * 2 ** kills, LONGEST_MS), token);
  throw new DelayedError();
}

const LONGEST_MS = 60_000;
