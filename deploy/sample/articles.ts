/** The sample wiki's pages as they lie in wiki/. In: a port. Out: titles and wikitext, templates first. Saves nothing. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onPort, SAMPLE_DIR, SAMPLE_PORT } from './manifest.ts';

export interface WikiPage {
  title: string;
  text: string;
}

const WIKI_DIR = join(SAMPLE_DIR, 'wiki');
const SUFFIX = '.wikitext';
const FRONT = 'Main Page';

/** The articles, without the front page; addresses in them are on `port`. */
export async function loadArticles(port: number = SAMPLE_PORT): Promise<WikiPage[]> {
  return (await readPages(WIKI_DIR, '', port)).filter(({ title }) => title !== FRONT);
}

/** What the wiki's editors say of sites: perennial sources, spam blacklist, mirrors; with the templates of their own. */
export async function loadLists(port: number = SAMPLE_PORT): Promise<WikiPage[]> {
  return [
    ...(await readPages(join(WIKI_DIR, 'lists/project'), 'Sample wiki:', port, true)),
    ...(await readPages(join(WIKI_DIR, 'lists/mediawiki'), 'MediaWiki:', port)),
  ];
}

/** Everything to be saved, in the order of need: what an article transcludes stands before it. */
export async function loadWikiPages(port: number = SAMPLE_PORT): Promise<WikiPage[]> {
  return [
    ...(await readPages(join(WIKI_DIR, 'templates'), 'Template:', port)),
    ...(await loadLists(port)),
    ...(await readPages(WIKI_DIR, '', port)),
  ];
}

/** `recursive`: folders are pages, and what lies in them their subpages. */
async function readPages(folder: string, namespace: string, port: number, recursive = false): Promise<WikiPage[]> {
  const files = (await readdir(folder, { recursive })).filter((file) => file.endsWith(SUFFIX)).sort();
  return Promise.all(
    files.map(async (file) => ({
      title: namespace + file.slice(0, -SUFFIX.length).replaceAll('_', ' '),
      text: onPort(await readFile(join(folder, file), 'utf8'), port).trimEnd(),
    })),
  );
}
