/** Worklists → groups of pages: each list by its name, and a person's by the lists made of what they began. Changes no list. */
import type { Kysely } from 'kysely';
import type { WorklistStore } from '../../../bot/worklists/store.ts';
import type { Worklist } from '../../../bot/worklists/worklist.ts';
import type { Schema } from '../database.ts';
import { groupsOf, keepGroup } from './keep.ts';

type Store = Pick<WorklistStore, 'lists' | 'runs' | 'members'>;

/** Of the last run of each list. A list or a person that has gone has no pages any more. */
export async function keepWorklists(db: Kysely<Schema>, wiki: string, store: Store): Promise<void> {
  const worklists = new Map<string, Set<number>>();
  const users = new Map<string, Set<number>>();
  for (const list of await store.lists.all(wiki)) {
    const pages = await pagesOf(store, list);
    worklists.set(list.name, pages);
    if (list.source.kind !== 'creations') continue;
    const user = list.source.user.replaceAll('_', ' ');
    users.set(user, new Set([...(users.get(user) ?? []), ...pages]));
  }
  await keepAll(db, wiki, 'worklist', worklists);
  await keepAll(db, wiki, 'user', users);
}

async function keepAll(
  db: Kysely<Schema>,
  wiki: string,
  kind: 'worklist' | 'user',
  groups: ReadonlyMap<string, ReadonlySet<number>>,
): Promise<void> {
  for (const name of new Set([...groups.keys(), ...(await groupsOf(db, wiki, kind))])) {
    await keepGroup(db, { wiki, kind, name }, groups.get(name) ?? new Set());
  }
}

async function pagesOf({ runs, members }: Store, { id }: Worklist): Promise<Set<number>> {
  const pages = new Set<number>();
  const [run] = await runs.all(id);
  if (run === undefined) return pages;
  for (let after = 0; ; ) {
    const some = await members.page(run, after, 1000);
    for (const { page } of some) pages.add(page);
    const last = some.at(-1);
    if (last === undefined) return pages;
    after = last.page;
  }
}
