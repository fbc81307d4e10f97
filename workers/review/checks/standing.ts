/**
 * What is known of a check → where it stands. In: its row, its jobs' progress, how many of its claims are judged. Pure. A check is
 * over when the review stage has seen what it asked for, and no job of it is left.
 */
import { Found } from '../../../shared/found.ts';
import type { CheckProgress, StageProgress } from '../../../shared/progress.ts';
import type { Check, CheckFailure, CheckState } from './check.ts';
import type { CheckRow } from './store.ts';

export interface Known {
  row: CheckRow;
  progress: CheckProgress;
  /** Claims that have a finding by it. */
  judged: number;
  /** No queue holds a job of it, though not all were told to be finished: a worker died while it told. */
  isLost: boolean;
  /** ms */
  now: number;
}

export function standingOf(known: Known): Check {
  const { row, progress } = known;
  const { state, reason } = stateOf(known);
  const isOver = isFinal(state);
  return {
    id: row.id,
    kind: row.kind,
    wiki: row.wiki,
    page: pageOf(row),
    revision: row.revision,
    sentence: row.claim,
    state,
    reason,
    idleSince: isOver ? null : idleSince(known),
    stages: progress.stages,
    claims: row.claims === null ? null : { checked: Math.min(known.judged, row.claims), total: row.claims },
    etaSeconds: isOver ? null : etaSeconds(progress, known.now),
    found: row.found === null ? null : Found.parse(JSON.parse(row.found)),
    createdAt: row.created_at,
    finishedAt: isOver ? (row.finished_at ?? new Date(progress.last ?? known.now).toISOString()) : null,
  };
}

export function isFinal(state: CheckState): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled';
}

function pageOf({ kind, page_id: id, page_title: title }: CheckRow): Check['page'] {
  return kind === 'sentence' || title === null ? null : { id: id ?? 0, title };
}

interface Standing {
  state: CheckState;
  reason: CheckFailure | null;
}

function stateOf(known: Known): Standing {
  const { row, progress } = known;
  if (isFinal(row.state)) return { state: row.state, reason: row.reason };
  if (isThrough(known)) return outcomeOf(row, progress.stages);
  const isBegun = row.state === 'running' || progress.first !== null;
  return { state: isBegun ? 'running' : 'waiting', reason: null };
}

/** Nothing of it waits or runs, whatever became of each job. */
function isThrough({ progress: { stages }, isLost }: Known): boolean {
  return isLost || (stages.length > 0 && stages.every(({ done, total }) => done >= total));
}

function outcomeOf({ kind, claims, found }: CheckRow, stages: readonly StageProgress[]): Standing {
  const isSeen = kind === 'sentence' ? found !== null : claims !== null;
  if (isSeen) return { state: 'done', reason: null };
  const isRead = stages.some(({ stage, done, failed }) => stage === 'articles' && done > failed);
  return { state: 'failed', reason: isRead ? 'unreadable' : 'failed' };
}

function idleSince({ row, progress, now }: Known): string | null {
  const last = progress.last ?? Date.parse(row.created_at);
  return now - last < IDLE_MS ? null : new Date(last).toISOString();
}

/**
 * From how fast its jobs were finished since the first of them, and those of its slowest stage: a hundred sources may be read while one
 * claim is judged. Null while too few were, and while what is left may not be all there is. Never negative.
 */
export function etaSeconds({ stages, first }: CheckProgress, now: number): number | null {
  const done = stages.reduce((sum, one) => sum + one.done, 0);
  if (first === null || done < ENOUGH || now <= first) return null;
  const seconds = (now - first) / 1000;
  const left = ({ done: ended, total }: CheckProgress['stages'][number]) => Math.max(0, total - ended);
  const together = (seconds / (done - 1)) * stages.reduce((sum, one) => sum + left(one), 0);
  const alone = stages.filter((one) => one.done > 1).map((one) => (seconds / one.done) * left(one));
  return Math.round(Math.max(together, ...alone));
}

/** Finished jobs from which a rate can be told. */
const ENOUGH = 5;
/** After it a check is said to wait for workers: longer than any job takes. */
export const IDLE_MS = 3 * 60_000;
