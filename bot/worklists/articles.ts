/** Articles of a run → the jobs that read them. The same article of the same run is the same job. */
import type { Next } from '../../shared/pipeline.ts';
import { type Run, requestOf } from './worklist.ts';

export interface ArticleAt {
  page: number;
  title: string;
  revision: number;
}

/** Every claim of the article is checked, not only what its last edit touched. */
export function articleJob(wiki: string, run: Run, { page: id, title, revision }: ArticleAt): Next {
  const page = { id, title };
  return { stage: 'articles', input: { wiki, page, revision, previous: null, scope: 'all', request: requestOf(run) } };
}

/** The job that goes on with a run. */
export function stepJob(wiki: string, { worklist, number, step }: Run): Next {
  return { stage: 'worklists', input: { wiki, worklist, run: number, step } };
}
