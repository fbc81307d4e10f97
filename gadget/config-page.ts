/** MediaWiki:Gadget-sidelight.json of the wiki, read at most once an hour. In: the wiki's API. Out: settings, never an error. */
import { CONFIG_PAGE, defaultsFor, parseSiteConfig, type SiteConfig } from './site-config.ts';

/** `language`: of the wiki's content. The defaults where the wiki has no such page, or does not answer. */
export async function loadSiteConfig(api: mw.Api, language: string): Promise<SiteConfig> {
  const kept: unknown = mw.storage.getObject(KEPT_AS);
  if (kept !== null && kept !== false) return parseSiteConfig(kept, language);
  const read = await readPage(api);
  if (read === null) return defaultsFor(language);
  mw.storage.setObject(KEPT_AS, read, KEPT_S);
  return parseSiteConfig(read, language);
}

/** `{}` where there is no such page; null if the wiki does not answer. */
async function readPage(api: mw.Api): Promise<unknown> {
  try {
    const answer = (await api.get(READ)) as {
      query: { pages: { revisions?: { slots: { main: { content: string } } }[] }[] };
    }; // as the API documents it for these parameters
    const text = answer.query.pages[0]?.revisions?.[0]?.slots.main.content;
    return text === undefined ? {} : parseJson(text);
  } catch {
    return null;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

const READ = {
  action: 'query',
  prop: 'revisions',
  rvprop: 'content',
  rvslots: 'main',
  titles: CONFIG_PAGE,
  formatversion: '2',
};
const KEPT_AS = 'sidelight-config';
const KEPT_S = 3600;
