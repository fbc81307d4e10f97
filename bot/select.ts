/** Which changes are worth a look. In: a change and the rules. Out: take it, or why not. Pure; asks nobody. */
import type { Change, Edit } from './recent-changes/change.ts';

export type SkipReason = 'namespace' | 'bot' | 'reverted' | 'log';

/** `none`: it brings nothing to verify, but the article's findings follow it. */
export type Selection = { take: true; scope: 'touched' | 'none' } | { take: false; reason: SkipReason };

export interface Rules {
  includeBots: boolean;
}

/**
 * Takes edits of articles, and log entries after which an article may be gone. What a change does not tell (tags, redirect)
 * counts as harmless: ask again once it is known.
 */
export function select(change: Change, rules: Rules): Selection {
  const reason = skipReason(change, rules);
  if (reason !== null) return { take: false, reason };
  return { take: true, scope: change.kind === 'edit' && bringsNothing(change) ? 'none' : 'touched' };
}

function skipReason(change: Change, rules: Rules): SkipReason | null {
  if (change.namespace !== ARTICLE_NAMESPACE) return 'namespace';
  if (change.kind === 'log') return TAKING_AWAY.has(`${change.logType}/${change.logAction}`) ? null : 'log';
  if (change.bot && !rules.includeBots) return 'bot';
  return change.tags?.includes('mw-reverted') ? 'reverted' : null;
}

/** What a revert restores was there before; a redirect has no claims. Either may take claims away. */
function bringsNothing({ tags, redirect }: Edit): boolean {
  return redirect === true || (tags?.some((tag) => REVERT_TAGS.has(tag)) ?? false);
}

export const ARTICLE_NAMESPACE = 0;

/** Log actions (https://www.mediawiki.org/wiki/Manual:Log_actions) that can take a page out of the articles. */
const TAKING_AWAY = new Set(['delete/delete', 'move/move', 'move/move_redir']);

/** Edits that undo others; what they undid has `mw-reverted` (https://www.mediawiki.org/wiki/Manual:Reverts). */
const REVERT_TAGS = new Set(['mw-rollback', 'mw-undo', 'mw-manual-revert']);
