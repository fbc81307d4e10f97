/**
 * Whether a process can do its work. In: what it needs, each with a question. Out: the names of what does not answer. Here is no
 * server: deploy/cli and the review service have one.
 */
import type { Redis } from 'ioredis';
import { sql } from 'kysely';
import { set } from './metrics.ts';
import { isShared, openSql } from './sql.ts';

/** What a process needs, by name; what throws or does not answer in time is away. */
export type Needs = Record<string, () => Promise<unknown>>;

/** Asks all at once. Returns the names of those that don't answer, in their order. */
export async function unanswered(needs: Needs, withinMs = ANSWER_MS): Promise<string[]> {
  const asked = Object.entries(needs).map(async ([name, ask]) => ({ name, up: await answers(ask, withinMs) }));
  const answered = await Promise.all(asked);
  for (const { name, up } of answered) set('sidelight_need_up', { need: name }, up ? 1 : 0);
  return answered.flatMap(({ name, up }) => (up ? [] : [name]));
}

/** A `worker` connection waits for Redis however long it is away, so its state is looked at first. */
export async function pingRedis(redis: Redis): Promise<void> {
  if (redis.status !== 'ready') throw new Error(`the connection is ${redis.status}`);
  await redis.ping();
}

/** A MariaDB that all hosts share, asked on a connection of its own; files of this host are not asked, they need no server. */
export function openSqlNeed(place: string): { needs: Needs; close(): Promise<void> } {
  if (!isShared(place)) return { needs: {}, close: async () => undefined };
  const db = openSql<Record<string, never>>(place);
  return { needs: { sql: () => sql`select 1`.execute(db) }, close: () => db.destroy() };
}

async function answers(ask: () => Promise<unknown>, withinMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, withinMs, false);
  });
  const asked = Promise.resolve()
    .then(ask)
    .then(
      () => true,
      () => false,
    );
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}

/** Kubernetes' probes wait a second or more; a hung server must not hang them. */
const ANSWER_MS = 2000;
