/**
 * One change → the job it asks for. In: a change as a feed told it. Out: what it came to, and the next jobs. Asks the wiki for
 * what the feed left out; publishes nothing.
 */
import { TransientError } from '../shared/errors.ts';
import type { Next } from '../shared/pipeline.ts';
import type { Change, Edit, LogEntry } from './recent-changes/change.ts';
import { ARTICLE_NAMESPACE, type Rules, type SkipReason, select } from './select.ts';
import type { CurrentPage, Wiki } from './wiki.ts';

/** What became of a change. `reconciled`: nothing to verify, but findings follow it. `article_gone`: deleted or moved elsewhere. `revision_gone`: nobody can read it any more. */
export type Followed = 'taken' | 'reconciled' | 'article_gone' | 'revision_gone' | SkipReason;

export interface FollowOptions {
  /** Name of the wiki in jobs. */
  wikiId: string;
  wiki: Pick<Wiki, 'revision' | 'currentPage' | 'pageOfLog'>;
  rules: Rules;
  /** How long the wiki's replicas may lag behind its feed, milliseconds. */
  lagMs?: number;
}

export type Follow = (change: Change, signal: AbortSignal) => Promise<{ followed: Followed; next: Next[] }>;

/** Throws TransientError if the wiki does not answer, or does not yet know a revision that is only just made. */
export function createFollow({ wikiId, wiki, rules, lagMs = 10_000 }: FollowOptions): Follow {
  return async (change, signal) => {
    const selection = select(change, rules);
    if (!selection.take) return nothing(selection.reason);
    return change.kind === 'edit' ? followEdit(change, signal) : followLog(change, signal);
  };

  async function followEdit(edit: Edit, signal: AbortSignal) {
    const known = await complete(edit, signal);
    if (known === null) return nothing('revision_gone');
    const selection = select(known, rules);
    if (!selection.take) return nothing(selection.reason);
    const page = { id: known.pageId, title: known.title };
    const { revision, previous } = known;
    const input = { wiki: wikiId, page, revision, previous, scope: selection.scope };
    const followed = selection.scope === 'none' ? ('reconciled' as const) : ('taken' as const);
    return { followed, next: [{ stage: 'articles' as const, input }] };
  }

  async function complete(edit: Edit, signal: AbortSignal): Promise<(Edit & { pageId: number }) | null> {
    const { pageId, tags, redirect } = edit;
    if (pageId !== null && tags !== null && redirect !== null) return { ...edit, pageId };
    const found = await wiki.revision(edit.revision, signal);
    if (found !== null) return { ...edit, ...found, pageId: found.page.id, title: found.page.title };
    if (Date.now() - Date.parse(edit.time) > lagMs) return null;
    throw new TransientError(`revision ${edit.revision} is not there yet`);
  }

  async function followLog(entry: LogEntry, signal: AbortSignal) {
    const id = entry.pageId ?? (await wiki.pageOfLog(entry, signal));
    if (id === null) return nothing('log');
    const current = entry.logType === 'move' ? await wiki.currentPage(id, signal) : null;
    if (current?.namespace === ARTICLE_NAMESPACE) return followMove(current);
    const page = { id, title: entry.title };
    const input = { kind: 'page_deleted' as const, wiki: wikiId, page, event: `log-${entry.logId}` };
    return { followed: 'article_gone' as const, next: [{ stage: 'review' as const, input }] };
  }

  /** A move makes a revision of its own, with the text of the one before. */
  function followMove({ page, revision }: CurrentPage) {
    const input = { wiki: wikiId, page, revision, previous: null, scope: 'none' as const };
    return { followed: 'reconciled' as const, next: [{ stage: 'articles' as const, input }] };
  }
}

function nothing(followed: Followed) {
  return { followed, next: [] };
}
