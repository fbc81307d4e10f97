/** Pages of a wiki with their text and revision. In: a title. Out: the page and those of its subpages that belong to it. Parses none. */
import { z } from 'zod';
import type { Ask } from '../wiki.ts';

export interface ListPage {
  title: string;
  revision: number;
  /** ISO time of the revision. */
  timestamp: string;
  text: string;
}

/** [] if there is none. `subpages`: what the rest of a subpage's title must be; null: none is read. Throws TransientError. */
export type ReadList = (title: string, subpages: string | null, signal?: AbortSignal) => Promise<ListPage[]>;

export function createReadList(ask: Ask): ReadList {
  return async (title, subpages, signal) => {
    const main = await readPage(ask, title, signal);
    if (subpages === null) return main.page === null ? [] : [main.page];
    const found = main.page === null ? [] : [main.page];
    for (const name of await findSubpages(ask, main, new RegExp(`^(?:${subpages})$`), signal)) {
      const { page } = await readPage(ask, name, signal);
      if (page !== null) found.push(page);
    }
    return found;
  };
}

interface Read {
  /** As the wiki calls it. */
  title: string;
  namespace: number;
  page: ListPage | null;
}

async function readPage(ask: Ask, titles: string, signal?: AbortSignal): Promise<Read> {
  const params = { prop: 'revisions', rvprop: 'ids|timestamp|content', rvslots: 'main', redirects: true, titles };
  const found = (await ask(Pages, params, signal)).query.pages[0];
  const { title = titles, ns: namespace = 0 } = found ?? {};
  const latest = found?.revisions?.[0];
  if (latest?.slots.main.content === undefined) return { title, namespace, page: null };
  const { revid: revision, timestamp, slots } = latest;
  return { title, namespace, page: { title, revision, timestamp, text: slots.main.content ?? '' } };
}

async function findSubpages(ask: Ask, main: Read, belongs: RegExp, signal?: AbortSignal): Promise<string[]> {
  const prefix = `${main.namespace === 0 ? main.title : main.title.replace(/^[^:]*:/, '')}/`;
  const params = { list: 'allpages', apnamespace: main.namespace, apprefix: prefix, apfilterredir: 'nonredirects' };
  const { allpages } = (await ask(AllPages, { ...params, aplimit: 'max' }, signal)).query;
  return allpages.map(({ title }) => title).filter((title) => belongs.test(title.slice(main.title.length + 1)));
}

const Revision = z.object({
  revid: z.int().positive(),
  timestamp: z.iso.datetime(),
  slots: z.object({ main: z.object({ content: z.string().optional() }) }),
});
const Pages = z.object({
  query: z.object({
    pages: z.array(z.object({ ns: z.int(), title: z.string(), revisions: z.array(Revision).optional() })),
  }),
});
const AllPages = z.object({ query: z.object({ allpages: z.array(z.object({ title: z.string() })) }) });
