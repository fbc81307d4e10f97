/**
 * What the wiki says of articles: page views a day, WikiProjects, categories. In: up to 50 page ids. Out: facts by page. Views need
 * PageViewInfo, assessments PageAssessments; a wiki without the second one says it on talk pages.
 */
import { z } from 'zod';
import type { Ask } from '../../../bot/wiki.ts';

export interface PageFacts {
  /** A day, on average over a month; null: the wiki does not count, or has not yet. */
  views: number | null;
  /** Without the word WikiProject. */
  projects: string[];
  /** Without their namespace; none that is hidden. */
  categories: string[];
}

/** Throws TransientError. A page that does not exist has nothing. */
export type ReadFacts = (pages: readonly number[], signal?: AbortSignal) => Promise<Map<number, PageFacts>>;

/** As many as one request may name. */
export const AT_ONCE = 50;

export function createReadFacts(ask: Ask): ReadFacts {
  let abilities: Promise<Abilities> | null = null;
  return async (pages, signal) => {
    if (pages.length === 0) return new Map();
    abilities ??= readAbilities(ask, signal);
    const can = await abilities.catch((error: unknown) => {
      abilities = null; // asked again next time
      throw error;
    });
    const found = await readPages(ask, pages, can, signal);
    const talk = can.assessments ? new Map<number, string[]>() : await readTalkPages(ask, found, signal);
    return new Map(pages.map((page) => [page, factsOf(found.get(page), talk)]));
  };
}

interface Abilities {
  views: boolean;
  assessments: boolean;
}

async function readAbilities(ask: Ask, signal: AbortSignal | undefined): Promise<Abilities> {
  const { extensions } = (await ask(SiteInfo, { meta: 'siteinfo', siprop: 'extensions' }, signal)).query;
  const has = (name: string) => extensions.some((extension) => extension.name === name);
  return { views: has('PageViewInfo'), assessments: has('PageAssessments') };
}

/** Views come for some pages at a time: the wiki says how to go on. */
async function readPages(ask: Ask, pages: readonly number[], can: Abilities, signal: AbortSignal | undefined) {
  const prop = [
    'info',
    'categories',
    ...(can.views ? ['pageviews'] : []),
    ...(can.assessments ? ['pageassessments'] : []),
  ];
  const params = {
    ...{ prop: prop.join('|'), inprop: 'talkid', clshow: '!hidden', cllimit: 'max' },
    ...(can.views && { pvipdays: VIEW_DAYS }),
    ...(can.assessments && { palimit: 'max' }),
  };
  return readAll(ask, pages, params, signal);
}

/** Banners of projects stand on talk pages: as templates, and as the categories that these put the page into. */
async function readTalkPages(ask: Ask, articles: ReadonlyMap<number, ApiPage>, signal: AbortSignal | undefined) {
  const ids = [...articles.values()].flatMap(({ talkid }) => talkid ?? []);
  if (ids.length === 0) return new Map<number, string[]>();
  const params = { prop: 'templates|categories', tlnamespace: 10, tllimit: 'max', cllimit: 'max' };
  const found = await readAll(ask, ids, params, signal);
  return new Map([...found].map(([id, page]) => [id, bannersOf(page)]));
}

async function readAll(
  ask: Ask,
  ids: readonly number[],
  params: Record<string, string | number | boolean>,
  signal: AbortSignal | undefined,
): Promise<Map<number, ApiPage>> {
  const found = new Map<number, ApiPage>();
  let next: Record<string, string | number> | undefined = {};
  for (let round = 0; next !== undefined && round < MOST_ROUNDS; round++) {
    const answer: z.infer<typeof Answer> = await ask(Answer, { ...params, pageids: ids.join('|'), ...next }, signal);
    for (const page of answer.query?.pages ?? []) found.set(page.pageid, joined(found.get(page.pageid), page));
    next = answer.continue;
  }
  return found;
}

/** Answers to one question, in parts. */
function joined(before: ApiPage | undefined, page: ApiPage): ApiPage {
  if (before === undefined) return page;
  return {
    ...before,
    ...page,
    categories: [...before.categories, ...page.categories],
    templates: [...before.templates, ...page.templates],
    pageviews: { ...before.pageviews, ...page.pageviews },
    pageassessments: { ...before.pageassessments, ...page.pageassessments },
  };
}

function factsOf(page: ApiPage | undefined, talk: ReadonlyMap<number, string[]>): PageFacts {
  if (page === undefined) return { views: null, projects: [], categories: [] };
  const assessed = Object.keys(page.pageassessments).map((name) => name.replace(/^WikiProject /, ''));
  const projects = [...assessed, ...(talk.get(page.talkid ?? 0) ?? [])];
  return { views: viewsOf(page), projects: unique(projects), categories: unique(page.categories.map(nameOf)) };
}

/** Days that are not counted yet say null. */
function viewsOf({ pageviews }: ApiPage): number | null {
  const days = Object.values(pageviews).filter((day) => day !== null);
  return days.length === 0 ? null : Math.round(days.reduce((sum, day) => sum + day, 0) / days.length);
}

/** Templates name a project alone; where there are none, categories do, with more words behind: "WikiProject Mills articles". */
function bannersOf({ templates, categories }: ApiPage): string[] {
  const named = templates.map(nameOf).flatMap((title) => /^WikiProject ([^/]+)$/.exec(title)?.[1] ?? []);
  const projects = named.filter((name) => !/^banner shell$/i.test(name));
  if (projects.length > 0) return projects;
  return categories
    .map(nameOf)
    .flatMap((title) => /^WikiProject (.+?)(?: (?:articles|pages)\b.*)?$/.exec(title)?.[1] ?? []);
}

/** Namespaces have other names on other wikis. */
function nameOf({ title }: { title: string }): string {
  return title.slice(title.indexOf(':') + 1);
}

/** Names that the column can hold. */
function unique(names: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => name !== '' && name.length <= 255);
}

const VIEW_DAYS = 30;
/** A wiki that never ends to go on is not believed. */
const MOST_ROUNDS = 50;

const Titled = z.array(z.object({ title: z.string() })).default([]);
const ApiPage = z.object({
  pageid: z.int(),
  /** Of its talk page; absent where there is none. */
  talkid: z.int().optional(),
  categories: Titled,
  templates: Titled,
  pageviews: z.record(z.string(), z.number().nullable()).default({}),
  pageassessments: z.record(z.string(), z.unknown()).default({}),
});
type ApiPage = z.infer<typeof ApiPage>;
const Answer = z.object({
  query: z.object({ pages: z.array(ApiPage).default([]) }).optional(),
  continue: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});
const SiteInfo = z.object({ query: z.object({ extensions: z.array(z.object({ name: z.string().default('') })) }) });
