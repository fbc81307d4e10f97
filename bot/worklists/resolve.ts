/**
 * Titles of a list → pages of the wiki: redirects followed, with importance (extension PageAssessments) and page views (extension
 * PageViewInfo) where the wiki has them. Keeps nothing.
 */
import { z } from 'zod';
import type { Ask } from '../wiki.ts';
import type { Resolved } from './members.ts';
import { IMPORTANCE } from './worklist.ts';

/** At most 50 titles: as many as the API takes of an account without privileges. Throws TransientError. */
export type Resolve = (titles: readonly string[], signal?: AbortSignal) => Promise<Resolved[]>;

export function createResolve(ask: Ask): Resolve {
  return async (titles, signal) => {
    const asked = titles.filter((title) => !UNASKABLE.test(title));
    const known: Known = { pages: new Map(), aliases: new Map(), invalid: new Set() };
    for (const some of byLength(asked)) await look(ask, some, known, signal);
    return titles.map((title) => ({ title, outcome: outcomeOf(title, known) }));
  };
}

interface Known {
  pages: Map<string, Look>;
  /** Normalized, converted, redirected: from → to. */
  aliases: Map<string, string>;
  invalid: Set<string>;
}

interface Look {
  page: number | null;
  title: string;
  namespace: number;
  importance: number;
  views: number | null;
}

/** Page views come for some pages at a time: https://www.mediawiki.org/wiki/Extension:PageViewInfo */
async function look(ask: Ask, titles: readonly string[], known: Known, signal?: AbortSignal): Promise<void> {
  const params = { ...LOOK, titles: `\u001f${titles.map(withoutSection).join('\u001f')}` };
  let from: Record<string, string | number> = {};
  for (let request = 0; request < MOST_REQUESTS; request++) {
    const answer = await ask(Answer, { ...params, ...from }, signal);
    remember(answer.query ?? {}, known);
    if (answer.continue === undefined) return;
    from = answer.continue;
  }
}

function remember({ pages = [], normalized = [], converted = [], redirects = [] }: Query, known: Known): void {
  for (const { from, to } of [...normalized, ...converted, ...redirects]) known.aliases.set(from, to);
  for (const page of pages) {
    if (page.invalid === true) known.invalid.add(page.title);
    else known.pages.set(page.title, merge(known.pages.get(page.title), page));
  }
}

/** An answer that goes on has each page again, with what it has more to say of it. */
function merge(before: Look | undefined, page: ApiPage): Look {
  const levels = Object.values(page.pageassessments ?? {}).map(
    ({ importance }) => IMPORTANCE[importance.toLowerCase()] ?? 0,
  );
  const days = page.pageviews === undefined ? null : Object.values(page.pageviews);
  const views =
    days === null || days.every((count) => count === null)
      ? null
      : days.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  return {
    page: page.pageid ?? null,
    title: page.title,
    namespace: page.ns,
    importance: Math.max(before?.importance ?? 0, ...levels),
    views: views ?? before?.views ?? null,
  };
}

function outcomeOf(title: string, { pages, aliases, invalid }: Known): Resolved['outcome'] {
  const leftOut = (reason: 'invalid_title' | 'missing' | 'not_article') => ({ kind: 'left_out' as const, reason });
  const path = [withoutSection(title)];
  for (let next = aliases.get(path[0] ?? ''); next !== undefined && !path.includes(next); next = aliases.get(next))
    path.push(next);
  const last = path.at(-1) ?? '';
  if (UNASKABLE.test(title) || invalid.has(last)) return leftOut('invalid_title');
  const found = pages.get(last);
  // of another wiki, or nothing to see: a special page
  if (found === undefined) return leftOut(path.length === 1 ? 'not_article' : 'missing');
  if (found.namespace !== 0) return leftOut('not_article');
  if (found.page === null) return leftOut('missing');
  const { page, importance, views } = found;
  return { kind: 'article', page, title: found.title, importance, views };
}

/** A list may name a section of an article. */
function withoutSection(title: string): string {
  return title.replace(/(?<=.)#.*$/s, '').trim();
}

/** So that no address is longer than servers take. */
function byLength(titles: readonly string[]): string[][] {
  const parts: string[][] = [[]];
  let length = 0;
  for (const title of titles) {
    length += encodeURIComponent(title).length + 3;
    if (length > MOST_CHARACTERS) {
      parts.push([]);
      length = 0;
    }
    parts.at(-1)?.push(title);
  }
  return parts.filter((part) => part.length > 0);
}

/** Nothing, a control character (that the API parts titles with is one), or more than any title has. */
const UNASKABLE = /^\s*$|\p{Cc}|^.{512}/u;
const MOST_CHARACTERS = 5000;
const MOST_REQUESTS = 50;
/** What a wiki does not have it warns of and leaves out. */
const LOOK = {
  prop: 'info|pageassessments|pageviews',
  redirects: true,
  converttitles: true,
  palimit: 'max',
  pvipdays: 30,
};

const Alias = z.array(z.object({ from: z.string(), to: z.string() })).optional();
const ApiPage = z.object({
  pageid: z.int().positive().optional(),
  ns: z.int().default(-1),
  title: z.string(),
  invalid: z.boolean().optional(),
  pageassessments: z.record(z.string(), z.object({ importance: z.string().default('') })).optional(),
  pageviews: z.record(z.string(), z.number().nullable()).optional(),
});
type ApiPage = z.infer<typeof ApiPage>;
const Query = z.object({ pages: z.array(ApiPage).optional(), normalized: Alias, converted: Alias, redirects: Alias });
type Query = z.infer<typeof Query>;
const Answer = z.object({
  query: Query.optional(),
  continue: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});
