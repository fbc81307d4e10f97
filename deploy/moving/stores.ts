/** The stores that DATABASE_URL is for, each as what brings its tables forward. In: a place. Out: nothing; the tables are there. */
import { openWorklists } from '../../bot/worklists/store.ts';
import type { Config } from '../../shared/config.ts';
import type { DatabasePlace } from '../../shared/sql.ts';
import { openReviewDatabase } from '../../workers/review/database.ts';
import { openSourceStore } from '../../workers/source/store.ts';
import { openReliabilityStore } from '../../workers/suggestion/reliability/store.ts';

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

/** Creates the tables or migrates them. Throws RefuseToStart for a place that a newer version has migrated further. */
export async function bringForward(store: StoreName, place: DatabasePlace): Promise<void> {
  await OPENERS[store](place);
}

const OPENERS: Record<StoreName, (place: DatabasePlace) => Promise<void>> = {
  review: async (place) => (await openReviewDatabase(place)).destroy(),
  worklists: async (place) => (await openWorklists(place)).close(),
  reliability: async (place) => (await openReliabilityStore(place)).close(),
  sources: async (place) => (await openSourceStore(place)).close(),
};
