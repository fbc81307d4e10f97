/** Which changes are worth a look. In: a change and the rules. Out: take it, or why not. Pure; asks nobody. */
import type { Change } from './recent-changes/change.ts';

export type SkipReason = 'namespace' | 'bot' | 'revert' | 'redirect' | 'log';

export type Selection = { take: true } | { take: false; reason: SkipReason };

export interface Rules {
  includeBots: boolean;
}

/**
 * Takes edits of articles, and log entries after which an article may be gone. What a change does not tell (tags, redirect)
 * counts as harmless: ask again once it is known.
 */
export function select(change: Change, rules: Rules): Selection {
  const reason = skipReason(change, rules);
  return reason === null ? { take: true } : { take: false, reason };
}

function skipReason(change: Change, rules: Rules): SkipReason | null {
  if (change.namespace !== ARTICLE_NAMESPACE) return 'namespace';
  if (change.kind === 'log') return TAKING_AWAY.has(`${change.logType}/${change.logAction}`) ? null : 'log';
  if (change.bot && !rules.includeBots) return 'bot';
  if (change.tags?.some((tag) => REVERT_TAGS.has(tag))) return 'revert';
  return change.redirect === true ? 'redirect' : null;
}

export const ARTICLE_NAMESPACE = 0;

/** Log actions (https://www.mediawiki.org/wiki/Manual:Log_actions) that can take a page out of the articles. */
const TAKING_AWAY = new Set(['delete/delete', 'move/move', 'move/move_redir']);

/** Software-defined tags of https://www.mediawiki.org/wiki/Manual:Reverts: an edit that undoes, and one that was undone. */
const REVERT_TAGS = new Set(['mw-rollback', 'mw-undo', 'mw-manual-revert', 'mw-reverted']);
