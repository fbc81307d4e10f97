/** Which articles a report is about: those of a worklist, of a category, of a WikiProject, or one. Out: page ids, one by one. */
import { RequestError } from '../../shared/errors.ts';
import type { Ask } from '../wiki.ts';
import { collectCategory } from '../worklists/category.ts';
import { createResolve } from '../worklists/resolve.ts';
import type { WorklistStore } from '../worklists/store.ts';
import { ListSource, type Position } from '../worklists/worklist.ts';
import type { Article } from './findings.ts';

/** Of the list's last run. Throws RequestError for a list that is not there or was never run. */
export async function* worklistArticles(store: WorklistStore, wiki: string, name: string): AsyncGenerator<Article> {
  const [run] = await store.runs.all((await store.lists.find(wiki, name)).id);
  if (run === undefined) throw new RequestError('no_run', `${name} was never run: \`sidelight worklist run\``);
  for (let after = 0; ; ) {
    const members = await store.members.page(run, after, PART);
    const last = members.at(-1);
    if (last === undefined) return;
    after = last.page;
    yield* members;
  }
}

export interface CategoryWish {
  kind: 'category' | 'assessment';
  title: string;
  depth: number;
}

/** Asked from the wiki now. Each category is read once, however categories stand in each other. Throws ListRefused, TransientError. */
export async function* categoryArticles(ask: Ask, wish: CategoryWish, signal?: AbortSignal): AsyncGenerator<Article> {
  const source = ListSource.parse(wish);
  if (source.kind !== 'category' && source.kind !== 'assessment') return;
  const resolve = createResolve(ask);
  const known = new Set([source.title]);
  const waiting: (Position | null)[] = [null];
  for (let position = waiting.shift(); position !== undefined; position = waiting.shift()) {
    const { found, next, walked } = await collectCategory(ask, source, position, signal);
    yield* await resolved(resolve, found, signal);
    if (next !== null) waiting.unshift(next);
    for (const category of walked?.below ?? []) {
      if (!known.has(category.title)) waiting.push({ category });
      known.add(category.title);
    }
  }
}

/** Follows redirects. Throws RequestError for a title that is no article. */
export async function* oneArticle(ask: Ask, title: string, signal?: AbortSignal): AsyncGenerator<Article> {
  const [found] = await resolved(createResolve(ask), [{ title }], signal);
  if (found === undefined) throw new RequestError('no_such_article', `there is no article ${title}`);
  yield found;
}

async function resolved(
  resolve: ReturnType<typeof createResolve>,
  found: readonly { title: string }[],
  signal?: AbortSignal,
): Promise<Article[]> {
  const articles: Article[] = [];
  for (let from = 0; from < found.length; from += TITLES) {
    const titles = found.slice(from, from + TITLES).map(({ title }) => title);
    for (const { outcome } of await resolve(titles, signal)) {
      if (outcome.kind === 'article') articles.push({ page: outcome.page });
    }
  }
  return articles;
}

const PART = 500;
/** As many as the API takes of an account without privileges. */
const TITLES = 50;
