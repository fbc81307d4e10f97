/**
 * The wiki and the web of a run, in a process of their own: neither is Sidelight's. Pages are as long as cited ones are, and every
 * article cites pages that no other one does, since a judgement that is remembered costs nothing. In: a task. Out: addresses.
 */
import { z } from 'zod';
import { ARTICLES_OF_PLACE, findPage, makeArticle, revisionOf, type SourcePage } from '../../fleet/articles.ts';
import { startFleetWeb } from '../../fleet/web.ts';
import { startFleetWiki } from '../../fleet/wiki.ts';
import { pageOf } from '../verification/inputs.ts';

export const World = z.object({ wiki: z.string(), eventStreamsUrl: z.string(), waybackUrl: z.string() });
const Task = z.object({ articles: z.int().positive(), words: z.int().nonnegative() });

const SEED = 11;
/** Articles that come first, and are not counted: files are opened, models and parsers begin. */
export const WARM = 4;

export interface ReadRevision {
  page: { id: number; title: string };
  revision: number;
  claims: number;
}

/** Articles of which no two draw on the same pages, each as its first revision has it. */
export function revisionsToRead(articles: number): ReadRevision[] {
  return Array.from({ length: articles }, (_, at) => {
    const { pageId, title, revisions } = makeArticle(SEED, at * ARTICLES_OF_PLACE);
    return {
      page: { id: pageId, title },
      revision: revisionOf(at * ARTICLES_OF_PLACE),
      claims: revisions[0].claims.length,
    };
  });
}

/** The child: serves until its parent is gone. */
export async function serveWorld(task: string): Promise<void> {
  const { articles, words } = Task.parse(JSON.parse(task));
  const find: typeof findPage = (seed, site, path) => lengthen(findPage(seed, site, path), words);
  const web = await startFleetWeb({ seed: SEED, port: 0, find });
  const wiki = await startFleetWiki({
    seed: SEED,
    articles: articles * ARTICLES_OF_PLACE,
    port: 0,
    address: web.address,
  });
  process.once('disconnect', () => process.exit(0));
  const world: z.infer<typeof World> = {
    ...{ wiki: wiki.origin, eventStreamsUrl: wiki.eventStreamsUrl, waybackUrl: web.waybackUrl },
  };
  process.send?.(world);
}

function lengthen(page: SourcePage | null, words: number): SourcePage | null {
  if (page === null || words === 0) return page;
  const number = Number(page.path.split('/').at(-1));
  return { ...page, paragraphs: [...page.paragraphs, ...pageOf(number, words).text.split('\n')] };
}
