/** `action=query` of a fleet's wiki, formatversion 2, as far as Sidelight asks it. In: parameters. Out: the answer. */
import { type FleetArticle, type FleetRevision, indexOfTitle, makeArticle } from './articles.ts';
import { type FleetWorld, findRevision } from './wiki.ts';

export function answerApi(params: URLSearchParams, world: FleetWorld): object {
  const list = params.get('list');
  if (params.get('meta') === 'siteinfo') return { query: SITE };
  if (params.get('meta') === 'userinfo') return { query: { userinfo: { id: 0, name: '', anon: true } } };
  if (list === 'users') return { query: { users: [MAINTAINER] } };
  if (list === 'recentchanges') return recentChanges(params, world);
  if (list !== null) return { query: { [list]: [] } };
  return { query: { pages: pagesOf(params, world) } };
}

function pagesOf(params: URLSearchParams, world: FleetWorld): object[] {
  const asked = (name: string) => split(params.get(name));
  const revisions = asked('revids').flatMap((id) => findRevision(world, Number(id)) ?? []);
  if (params.has('revids')) return byPage(revisions);
  const found = params.has('pageids')
    ? asked('pageids').map((id) => ({ title: '', index: Number(id) - 1 }))
    : asked('titles').map((title) => ({ title, index: indexOfTitle(title) }));
  return found.map(({ title, index }) => pageAt(title, index, world));
}

/** One page with all of its revisions that were asked for. */
function byPage(found: readonly { article: FleetArticle; revision: FleetRevision }[]): object[] {
  const pages = new Map<number, { article: FleetArticle; revisions: FleetRevision[] }>();
  for (const { article, revision } of found) {
    const page = pages.get(article.pageId) ?? { article, revisions: [] };
    page.revisions.push(revision);
    pages.set(article.pageId, page);
  }
  return [...pages.values()].map(({ article, revisions }) => describe(article, revisions));
}

function pageAt(title: string, index: number | null, { seed, articles }: FleetWorld): object {
  if (index === null || !(index >= 0 && index < articles)) return { ns: 0, title, missing: true };
  const article = makeArticle(seed, index);
  if (title !== '' && title.replaceAll('_', ' ') !== article.title) return { ns: 0, title, missing: true };
  return describe(article, article.revisions.slice(-1));
}

function describe({ pageId, title, revisions }: FleetArticle, asked: readonly FleetRevision[]): object {
  const rows = asked.map(({ id, previous }) => ({ revid: id, parentid: previous ?? 0, tags: [], minor: false }));
  const latest = revisions.at(-1)?.id;
  return { pageid: pageId, ns: 0, title, lastrevid: latest, redirect: false, protection: [], revisions: rows };
}

/** From `rcstart` on, oldest first. */
function recentChanges(params: URLSearchParams, { events }: FleetWorld): object {
  const from = Date.parse(params.get('rcstart') ?? '');
  const start = Number(params.get('rccontinue') ?? events.findIndex(({ time }) => time >= from));
  const rows = start < 0 ? [] : events.slice(start, start + MOST_ROWS);
  const more =
    start >= 0 && start + MOST_ROWS < events.length ? { continue: { rccontinue: `${start + MOST_ROWS}` } } : {};
  return { ...more, query: { recentchanges: rows.map(({ time, data }) => toRow(time, data)) } };
}

function toRow(time: number, { type, title, revision }: FleetWorld['events'][number]['data']): object {
  const timestamp = `${new Date(time).toISOString().slice(0, 19)}Z`;
  const index = indexOfTitle(title);
  const told = { type, ns: 0, title, pageid: (index ?? 0) + 1, revid: revision.new, old_revid: revision.old ?? 0 };
  return { ...told, rcid: revision.new, bot: false, minor: false, redirect: false, tags: [], timestamp };
}

/** mwn parts values by U+001F where one of them has a bar in it. */
function split(text: string | null): string[] {
  if (text === null || text === '') return [];
  return text.startsWith('\u001f') ? text.slice(1).split('\u001f') : text.split('|');
}

/** The one account that there is. */
export const MAINTAINER = { userid: 1, name: 'Fleet', blocked: false, groups: ['sysop'] };
const MOST_ROWS = 500;
const SITE = { general: { lang: 'en', wikiid: 'fleetwiki', sitename: 'Fleet', mainpage: 'Main Page' }, extensions: [] };
