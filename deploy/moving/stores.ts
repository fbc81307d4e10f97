/** The stores that DATABASE_URL is for, each as what brings its tables forward. In: a place. Out: nothing; the tables are there. */
import { WORKLIST_STORE } from '../../bot/worklists/store.ts';
import type { Config } from '../../shared/config.ts';
import { openStore, type StoreKind } from '../../shared/sql/stores.ts';
import type { DatabasePlace } from '../../shared/sql.ts';
import { REVIEW_STORE } from '../../workers/review/database.ts';
import { SOURCE_STORE } from '../../workers/source/store.ts';
import { RELIABILITY_STORE } from '../../workers/suggestion/reliability/store.ts';

export type StoreName = Exclude<keyof Config['databases'], 'judgements'>;

/**
 * In the order in which a backup under a running system takes them: a finding that is in it has its texts in it, since sources are
 * read before they are judged.
 */
export const STORES: readonly StoreName[] = ['review', 'worklists', 'reliability', 'sources'];

/** Tables that stay on each host, in its SQLite file, also with a MariaDB: what was fetched lately, which can be fetched again. */
export function isOfHost({ name }: { name: string }): boolean {
  return OF_HOST.has(name);
}

const OF_HOST: ReadonlySet<string> = new Set(['responses']);

/** Creates the tables or migrates them. `isTarget`: of a move, which may have been begun. Throws as openStore does. */
export async function bringForward(store: StoreName, place: DatabasePlace, { isTarget = false } = {}): Promise<void> {
  const db = await openStore(place, KINDS[store], { isTarget });
  await db.destroy();
}

const KINDS: Record<StoreName, StoreKind> = {
  review: REVIEW_STORE,
  worklists: WORKLIST_STORE,
  reliability: RELIABILITY_STORE,
  sources: SOURCE_STORE,
};
