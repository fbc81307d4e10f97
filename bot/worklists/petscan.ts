/** A saved query of PetScan → the titles that it finds now. PetScan gives them all at once. */
import { z } from 'zod';
import type { Ask } from '../wiki.ts';
import type { ToolSettings } from './collect.ts';
import { refuseOtherWiki } from './home.ts';
import { askTool, noSuchList } from './tool.ts';

/** Both of PetScan's forms of JSON are read: only the one that is asked for names its wiki. Throws ListRefused. */
export async function collectPetScan(
  ask: Ask,
  { petScanUrl, userAgent }: ToolSettings,
  id: number,
  signal?: AbortSignal,
): Promise<string[]> {
  const url = new URL(petScanUrl);
  const query = { psid: String(id), format: 'json', output_compatability: 'quick-intersection', sparse: '1' };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const answer = Answer.safeParse(await askTool('petscan', url, userAgent, signal));
  if (!answer.success) throw noSuchList('petscan');
  if ('*' in answer.data) return answer.data['*'].flatMap(({ a }) => a['*'].map(titleOf));
  await refuseOtherWiki(ask, answer.data.wiki, signal);
  return answer.data.pages.map(titleOf);
}

/** A namespace that is not named is the number of one that holds no articles: the wiki finds no such article. */
function titleOf(page: z.infer<typeof ListedPage>): string {
  if (typeof page === 'string') return page;
  const { namespace, nstext, title } =
    'page_title' in page ? { ...page, namespace: page.page_namespace, nstext: '', title: page.page_title } : page;
  return namespace === 0 ? title : `${nstext || 'Special'}:${title}`;
}

const ListedPage = z.union([
  z.string(),
  z.object({ title: z.string(), namespace: z.int(), nstext: z.string() }),
  z.object({ page_title: z.string(), page_namespace: z.int() }),
]);
const Answer = z.union([
  z.object({ wiki: z.string(), pages: z.array(ListedPage) }),
  z.object({ '*': z.array(z.object({ a: z.object({ '*': z.array(ListedPage) }) })) }),
]);
