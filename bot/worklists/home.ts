/** Whose list is it? In: what a tool calls the wiki of a list. Lists of other wikis are refused. */
import { z } from 'zod';
import type { Ask } from '../wiki.ts';
import { ListRefused } from './worklist.ts';

/** Tools name a wiki by its database: `enwiki`. Throws ListRefused (`other_wiki`), or TransientError. */
export async function refuseOtherWiki(ask: Ask, wiki: string, signal?: AbortSignal): Promise<void> {
  const { wikiid } = (await ask(SiteInfo, { meta: 'siteinfo', siprop: 'general' }, signal)).query.general;
  if (wiki !== wikiid) throw new ListRefused('other_wiki', `the list is of ${wiki}, and this wiki is ${wikiid}`);
}

const SiteInfo = z.object({ query: z.object({ general: z.object({ wikiid: z.string() }) }) });
