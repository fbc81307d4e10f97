/** Which changes are worth a look. In: a change and the rules (`rules.ts`). Out: take it, or why not. Pure; asks nobody. */
import type { Edit, LogEntry } from './recent-changes/change.ts';
import type { Condition, Rules } from './rules.ts';

/** `none`: it brings nothing to verify (`reason` says why), but the article's findings follow it. */
export type Selection =
  | { take: true; scope: 'touched'; reverts: false; reason: null }
  | { take: true; scope: 'none'; reverts: boolean; reason: string | null }
  | { take: false; reason: string };

/** What a rule may ask for: what the feed told, and what the wiki was asked for. */
export type Facts = Edit & {
  /** Levels of protection against editing; null where nobody was asked. */
  protection?: readonly string[] | null;
};

/** Takes edits of articles, and log entries after which an article may be gone. */
export function select(change: LogEntry | Facts, { articles, rules }: Rules): Selection {
  if (change.kind === 'log') return selectLog(change.namespace, `${change.logType}/${change.logAction}`, articles);
  const rule = rules.find(({ when }) => holds(when, change));
  if (rule?.outcome === 'skip') return { take: false, reason: rule.reason };
  if (!articles.includes(change.namespace)) return { take: false, reason: 'namespace' };
  if (rule === undefined) return { take: true, scope: 'touched', reverts: false, reason: null };
  return { take: true, scope: 'none', reverts: rule.reverts ?? false, reason: rule.reason };
}

function selectLog(namespace: number, action: string, articles: readonly number[]): Selection {
  if (!articles.includes(namespace) && !MOVES.has(action)) return { take: false, reason: 'namespace' };
  if (!TELLING.has(action)) return { take: false, reason: 'log' };
  return { take: true, scope: 'none', reverts: false, reason: null };
}

function holds(when: Condition, facts: Facts): boolean {
  const { namespace, bot, minor, previous, redirect, tags, protection, size } = facts;
  return (
    (when.namespaces?.includes(namespace) ?? true) &&
    (when.bot ?? bot) === bot &&
    (when.minor ?? minor) === minor &&
    (when.creates ?? previous === null) === (previous === null) &&
    (when.redirect ?? redirect) === redirect &&
    hasAny(when.tags, tags) &&
    hasAny(when.protection, protection) &&
    isWithin(when.grew, size === null ? null : size.after - size.before) &&
    isWithin(when.size, size?.after ?? null)
  );
}

function hasAny(asked: readonly string[] | undefined, told: readonly string[] | null | undefined): boolean {
  return asked === undefined || (told?.some((each) => asked.includes(each)) ?? false);
}

function isWithin(asked: Condition['size'], bytes: number | null): boolean {
  if (asked === undefined) return true;
  return bytes !== null && bytes >= (asked.from ?? -Infinity) && bytes <= (asked.to ?? Infinity);
}

/** Log actions (https://www.mediawiki.org/wiki/Manual:Log_actions) after which a page may be an article no more, or again. */
const MOVES = new Set(['move/move', 'move/move_redir']);
const TELLING = new Set(['delete/delete', 'delete/restore', ...MOVES]);
