/** Where a check stands now, by the database, the progress of its jobs and the queues. What it has come to is kept. */
import type { Kysely } from 'kysely';
import type { Logger } from '../../../shared/logger.ts';
import type { Progress } from '../../../shared/progress.ts';
import type { Queues } from '../../../shared/queue.ts';
import type { Schema } from '../database.ts';
import type { Check } from './check.ts';
import { standingOf } from './standing.ts';
import * as store from './store.ts';

/** Null: there is no such check. */
export type Look = (id: string) => Promise<Check | null>;

export interface LookDependencies {
  db: Kysely<Schema>;
  progress: Progress;
  queues: Pick<Queues, 'holds'>;
}

/** `closely`: whether one that is idle is lost takes a look through all queues. */
export function createLook({ db, progress, queues }: LookDependencies): { look: Look; closely: Look } {
  /** Progress first: a job is told to be finished after what it brought is in the database. */
  const lookAt = async (id: string, isLost: boolean): Promise<Check | null> => {
    const told = await progress.read(id);
    const [row, judged] = [await store.findCheck(db, id), await store.countJudged(db, id)];
    if (row === undefined) return null;
    const check = standingOf({ row, progress: told, judged, isLost, now: Date.now() });
    if (check.state !== row.state) await store.setState(db, id, check);
    return check;
  };
  return {
    look: (id) => lookAt(id, false),
    async closely(id) {
      const check = await lookAt(id, false);
      const isLost = check !== null && check.idleSince !== null && !(await queues.holds(id));
      return isLost ? lookAt(id, true) : check;
    },
  };
}

/** One look at a time, however much is told meanwhile; null: at all that are not over. */
export function createLooks(look: (id: string | null) => Promise<void>, log: Logger) {
  const wanted = new Set<string | null>();
  let looking: Promise<void> | null = null;
  const lookOn = async () => {
    for (const id of wanted) {
      wanted.delete(id);
      await look(id).catch((err: unknown) => log.warn({ check: id, err }, 'check not looked at'));
    }
    looking = null;
  };
  return {
    want(id: string | null): void {
      wanted.add(id);
      looking ??= lookOn();
    },
    async stop(): Promise<void> {
      wanted.clear();
      await looking;
    },
  };
}
