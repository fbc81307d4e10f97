/**
 * Changes → the jobs they ask for. In: changes as a feed told them. Out: what each came to, and its next jobs. Asks the wiki
 * for what the feed left out, for many edits at once; publishes nothing.
 */
import type { Next } from '../shared/pipeline.ts';
import { type Change, changeId, type Edit, type LogEntry } from './recent-changes/change.ts';
import type { DescribeRevisions } from './revisions.ts';
import type { Rules } from './rules.ts';
import { type Facts, select } from './select.ts';
import type { CurrentPage, Wiki } from './wiki.ts';

export interface Followed {
  change: Change;
  /**
   * What became of it: `taken`; the reason of the rule by which it was skipped, or brought nothing to verify; `moved`: findings
   * follow the page; `article_gone`: deleted, or moved elsewhere; `revision_gone`: nobody can read it any more; `hidden`:
   * administrators hid its text; `log`: no such entry takes an article away; `not_yet`: the wiki does not know it so far.
   */
  followed: string;
  next: Next[];
}

export interface FollowOptions {
  /** Name of the wiki in jobs. */
  wikiId: string;
  wiki: Pick<Wiki, 'currentPage' | 'pageOfLog'>;
  describe: DescribeRevisions;
  rules: Rules;
  /** How long the wiki's replicas may lag behind its feed, milliseconds. */
  lagMs?: number;
}

/** In the order of the changes. */
export type Follow = (changes: readonly Change[], signal: AbortSignal) => Promise<Followed[]>;

/** Throws TransientError if the wiki does not answer. */
export function createFollow({ wikiId, wiki, describe, rules, lagMs = 10_000 }: FollowOptions): Follow {
  return async (changes, signal) => {
    const asked = changes.filter((change): change is Edit => change.kind === 'edit' && select(change, rules).take);
    const known =
      asked.length === 0
        ? NOTHING
        : await describe(
            asked.map(({ revision }) => revision),
            signal,
          );
    const followed: Followed[] = [];
    for (const change of changes) {
      followed.push(change.kind === 'edit' ? followEdit(change, known) : await followLog(change, signal));
    }
    return followed;
  };

  function followEdit(edit: Edit, known: Awaited<ReturnType<DescribeRevisions>>): Followed {
    const told = select(edit, rules);
    if (!told.take) return nothing(edit, told.reason);
    const found = known.get(edit.revision);
    if (found === undefined) return nothing(edit, isYoung(edit) ? 'not_yet' : 'revision_gone');
    if (found.hidden) return nothing(edit, 'hidden');
    return followKnown({ ...edit, ...found, title: found.page.title, pageId: found.page.id });
  }

  function followKnown(edit: Facts & { pageId: number }): Followed {
    const selection = select(edit, rules);
    if (!selection.take) return nothing(edit, selection.reason);
    const { scope, reverts, reason } = selection;
    const page = { id: edit.pageId, title: edit.title };
    const { revision, previous } = edit;
    const input = { wiki: wikiId, page, revision, previous, scope, ...(reverts && { reverts }) };
    return { change: edit, followed: reason ?? 'taken', next: [{ stage: 'articles', input }] };
  }

  function isYoung({ time }: Edit): boolean {
    return Math.abs(Date.now() - Date.parse(time)) <= lagMs; // what bears a time to come would be asked for for ever
  }

  async function followLog(entry: LogEntry, signal: AbortSignal): Promise<Followed> {
    const selection = select(entry, rules);
    if (!selection.take) return nothing(entry, selection.reason);
    const id = entry.pageId ?? (await wiki.pageOfLog(entry, signal));
    if (id === null) return nothing(entry, 'log');
    const restores = entry.logAction === 'restore';
    const current = entry.logType === 'move' || restores ? await wiki.currentPage(id, signal) : null;
    if (current !== null && rules.articles.includes(current.namespace)) return followPage(entry, current);
    if (restores || !rules.articles.includes(entry.namespace)) return nothing(entry, 'log');
    const page = { id, title: entry.title };
    const input = { kind: 'page_deleted' as const, wiki: wikiId, page, event: changeId(entry) };
    return { change: entry, followed: 'article_gone', next: [{ stage: 'review', input }] };
  }

  /**
   * A move makes a revision of its own, with the text of the one before: new to the articles where it comes from elsewhere. A
   * restored page has the revision that it had.
   */
  function followPage(change: LogEntry, { page, revision }: CurrentPage): Followed {
    const scope = rules.articles.includes(change.namespace) ? ('none' as const) : ('touched' as const);
    const restored = change.logAction === 'restore' ? { restored: changeId(change) } : {};
    const input = { wiki: wikiId, page, revision, previous: null, scope, ...restored };
    return {
      change,
      followed: restored.restored === undefined ? 'moved' : 'restored',
      next: [{ stage: 'articles', input }],
    };
  }
}

function nothing(change: Change, followed: string): Followed {
  return { change, followed, next: [] };
}

const NOTHING: Awaited<ReturnType<DescribeRevisions>> = new Map();
