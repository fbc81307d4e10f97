/** Findings that are new or that changed, in the order of their changes. In: the number of the last one seen. Out: rows, each once. */
import type { Kysely } from 'kysely';
import { atOneMoment } from '../../shared/sql.ts';
import type { Schema } from './database.ts';
import type { Filter } from './filter.ts';
import { matching, optOut } from './matching.ts';
import { type Row, rowsOf } from './queue.ts';

export interface Changes {
  /** In their order; each with its number. */
  changed: { seq: number; row: Row }[];
  /** Up to which changes were looked at, whether they match or not. */
  seq: number;
}

/** The number of the last change; 0 before the first. */
export async function lastChange(db: Kysely<Schema>): Promise<number> {
  const row = await db
    .selectFrom('finding_changes')
    .select(({ fn }) => fn.max('seq').as('seq'))
    .executeTakeFirst();
  return row?.seq ?? 0;
}

/** At most `limit` changes are looked at. Of pages that opted out there are none. */
export async function changesAfter(db: Kysely<Schema>, after: number, filter: Filter, limit: number): Promise<Changes> {
  // a finding that changes meanwhile would be told with a number that is no longer its own
  return atOneMoment(db, async (trx) => {
    const changes = await trx
      .selectFrom('finding_changes')
      .selectAll()
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(limit)
      .execute();
    const ids = changes.map((change) => change.finding_id);
    const rows = new Map((await rowsOf(trx, await matchingIds(trx, ids, filter))).map((row) => [row.id, row]));
    const changed = changes.flatMap(({ seq, finding_id: id }) => {
      const row = rows.get(id);
      return row === undefined ? [] : [{ seq, row }];
    });
    return { changed, seq: changes.at(-1)?.seq ?? after };
  });
}

async function matchingIds(db: Kysely<Schema>, ids: readonly number[], filter: Filter): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('findings')
    .select('findings.id')
    .where((at) => at.and([at('findings.id', 'in', [...ids]), ...matching(at, filter), at.not(at.exists(optOut(at)))]))
    .execute();
  return rows.map(({ id }) => id);
}

export interface ChangeWatch {
  /** Once there is a change after this one, the signal says so, or nothing is watched any more. */
  after(seq: number, signal: AbortSignal): Promise<void>;
  readonly closed: boolean;
  close(): void;
}

/** One question to the database for all who wait, since commands write findings too; none while nobody waits. */
export function watchChanges(db: Kysely<Schema>, everyMs = 1000): ChangeWatch {
  const waiting = new Map<() => void, number>();
  let timer: NodeJS.Timeout | null = null;
  let closed = false;
  const look = async () => {
    const last = await lastChange(db).catch(() => 0); // the next look tells
    for (const [wake, seq] of waiting) if (last > seq || closed) wake();
    timer = waiting.size === 0 || closed ? null : setTimeout(() => void look(), everyMs);
  };
  return {
    async after(seq, signal) {
      if (closed || signal.aborted) return;
      await new Promise<void>((resolve) => {
        const wake = () => {
          waiting.delete(wake);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        waiting.set(wake, seq);
        signal.addEventListener('abort', wake);
        timer ??= setTimeout(() => void look(), everyMs);
      });
    },
    get closed() {
      return closed;
    },
    close() {
      closed = true;
      if (timer !== null) clearTimeout(timer);
      for (const wake of [...waiting.keys()]) wake();
    },
  };
}
