/** What a feed told, up to the step that a test waits for. */
import type { Cursor } from '../../bot/cursor.ts';
import type { Change } from '../../bot/recent-changes/change.ts';
import type { RecentChanges, Step } from '../../bot/recent-changes/feed.ts';

/**
 * All steps up to and with the first that is `last`. The feed is stopped then. `meanwhile` happens after its first step, when
 * it is known to listen.
 */
export async function collect(
  feed: RecentChanges,
  from: Cursor,
  last: (step: Step) => boolean,
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<Step[]> {
  const steps: Step[] = [];
  const abort = new AbortController();
  let done: Promise<unknown> | null = null;
  for await (const step of feed.follow(from, abort.signal)) {
    steps.push(step);
    done ??= meanwhile();
    if (last(step)) break;
  }
  abort.abort();
  await done;
  return steps;
}

export function isEdit(revision: number): (step: Step) => boolean {
  return (step) => step.kind === 'change' && step.change.kind === 'edit' && step.change.revision === revision;
}

export function isEditOf(title: string): (step: Step) => boolean {
  return (step) => step.kind === 'change' && step.change.kind === 'edit' && step.change.title === title;
}

export function changes(steps: Step[]): Change[] {
  return steps.flatMap((step) => (step.kind === 'change' ? [step.change] : []));
}

export function revisions(steps: Step[]): number[] {
  return changes(steps).flatMap((change) => (change.kind === 'edit' ? [change.revision] : []));
}
