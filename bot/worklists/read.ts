/** What became of an article that a run handed on → the run's progress. For `onRead` of bot/articles.ts. */
import type { ReadArticle } from '../articles.ts';
import type { WorklistStore } from './store.ts';
import { parseRequest } from './worklist.ts';

/** Other requests than those of worklists, and runs that were dropped, are passed over. */
export function createOnRead(
  store: WorklistStore,
  model: string,
): (request: string, article: ReadArticle) => Promise<void> {
  return async (request, article) => {
    const at = parseRequest(request);
    const run = at === null ? null : await store.runs.get(at.worklist, at.number);
    if (run === null) return;
    const { kind, page } = article;
    if (kind === 'read') await store.members.read(run, page.id, article.claims, article.checking, model);
    else await store.members.unreadable(run, page.id, kind);
  };
}
