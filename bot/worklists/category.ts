/**
 * A category → its pages and subcategories. For an assessment category its pages are talk pages: the articles are those they
 * belong to, as important as the category's name says.
 */
import { z } from 'zod';
import type { Ask } from '../wiki.ts';
import { askList } from './api-list.ts';
import type { Collected } from './collect.ts';
import { cleanTitle, IMPORTANCE, ListRefused, type ListSource, type Position } from './worklist.ts';

type CategorySource = Extract<ListSource, { kind: 'category' | 'assessment' }>;

/** Throws ListRefused for a category that has neither a page nor members. */
export async function collectCategory(
  ask: Ask,
  source: CategorySource,
  position: Position | null,
  signal?: AbortSignal,
): Promise<Collected> {
  const read = position?.category ?? { title: source.title, depth: 0 };
  const params = { ...MEMBERS, cmtitle: read.title, titles: read.title };
  const { answer, next } = await askList(ask, Answer, params, position, signal);
  const { categorymembers: members, pages } = answer.query;
  if (position === null && members.length === 0 && pages[0]?.missing === true) {
    throw new ListRefused('no_such_category', `there is no ${read.title}`);
  }
  const isBelow = read.depth < source.depth;
  const below = members.filter(({ ns }) => ns === CATEGORY && isBelow);
  return {
    found: source.kind === 'category' ? articles(members) : assessed(members, importanceOf(read.title)),
    next: next === null ? null : { ...next, category: read },
    walked: { read, below: below.map(({ title }) => ({ title, depth: read.depth + 1 })) },
  };
}

function articles(members: readonly CategoryMember[]) {
  return members.filter(({ ns }) => ns === ARTICLE).map(({ title }) => ({ title: cleanTitle(title), importance: 0 }));
}

/** Articles have no prefix: what follows that of a talk page, whatever its language, is the article's title. */
function assessed(members: readonly CategoryMember[], importance: number) {
  const talk = members.filter(({ ns }) => ns === TALK);
  return talk.map(({ title }) => ({ title: cleanTitle(title.slice(title.indexOf(':') + 1)), importance }));
}

/** https://en.wikipedia.org/wiki/Wikipedia:Content_assessment: "Category:High-importance mill articles". */
function importanceOf(category: string): number {
  const word = /\b(top|high|mid|low)-(?:importance|priority)\b/i.exec(category)?.[1];
  return IMPORTANCE[word?.toLowerCase() ?? ''] ?? 0;
}

const ARTICLE = 0;
const TALK = 1;
const CATEGORY = 14;
const MEMBERS = { list: 'categorymembers', cmtype: 'page|subcat', cmprop: 'title', cmlimit: 'max', prop: 'info' };

const CategoryMember = z.object({ ns: z.int(), title: z.string() });
type CategoryMember = z.infer<typeof CategoryMember>;
const Answer = z.object({
  query: z.object({
    categorymembers: z.array(CategoryMember),
    pages: z.array(z.object({ missing: z.boolean().optional() })).default([]),
  }),
});
