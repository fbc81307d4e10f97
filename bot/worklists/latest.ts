/** Pages by id → where they stand now, and their latest revision. One request. */
import { z } from 'zod';
import type { Ask } from '../wiki.ts';

export interface LatestPage {
  title: string;
  revision: number;
}

/** At most 50 pages. `not_article`: moved elsewhere, or a redirect now. Throws TransientError. */
export type Latest = (
  pages: readonly number[],
  signal?: AbortSignal,
) => Promise<Map<number, LatestPage | 'missing' | 'not_article'>>;

export function createLatest(ask: Ask): Latest {
  return async (pages, signal) => {
    const { query } = await ask(Answer, { prop: 'info', pageids: pages.join('|') }, signal);
    return new Map(query.pages.map((page) => [page.pageid, standOf(page)]));
  };
}

function standOf({ ns, title, lastrevid, redirect }: z.infer<typeof ApiPage>) {
  if (lastrevid === undefined) return 'missing';
  return ns === 0 && redirect !== true ? { title, revision: lastrevid } : 'not_article';
}

const ApiPage = z.object({
  pageid: z.int(),
  ns: z.int().default(-1),
  title: z.string().default(''),
  lastrevid: z.int().positive().optional(),
  redirect: z.boolean().optional(),
});
const Answer = z.object({ query: z.object({ pages: z.array(ApiPage) }) });
