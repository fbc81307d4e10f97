/**
 * Which pages a wiki's own lists rule out as a suggestion. In: an address, what was imported. Out: a coded reason, or null.
 * What a page says is not asked here, nor whether it is a copy of the article.
 */
import { isArchiveToday, originalOfArchived, parseHttpUrl } from '../../../shared/url.ts';
import { isSiteOfWikis, isUserGenerated } from './known-sites.ts';
import type { Standing, Standings } from './standing.ts';

export type ExclusionReason =
  | 'deprecated'
  | 'blacklisted'
  | 'generally_unreliable'
  | 'user_generated'
  | 'archive_today'
  /** A copy of a wiki, or a wiki itself: no wiki is a source for another. */
  | 'wiki_mirror';

export interface ExclusionOptions {
  /** The store of what was imported. */
  reliability: Standings;
  /** SUGGEST_USER_GENERATED. */
  allowUserGenerated: boolean;
}

/**
 * Why `url` may never be suggested on `wiki` (`en.wikipedia.org`); null if no list speaks against it. A site that is on several
 * rows of a list, by topic or author, is ruled out if one of them does: an address doesn't tell which row it falls under.
 */
export function whyExcluded(wiki: string, url: string, options: ExclusionOptions): ExclusionReason | null {
  const host = parseHttpUrl(originalOfArchived(url))?.hostname ?? '';
  if (isArchiveToday(parseHttpUrl(url)?.hostname ?? '') || isArchiveToday(host)) return 'archive_today';
  const standings = options.reliability.standings(wiki, url);
  const listed = whyListed(standings, options.allowUserGenerated);
  if (listed !== null) return listed;
  if (isSiteOfWikis(host)) return 'wiki_mirror';
  const isKnown = standings.some(({ source }) => source === 'perennial');
  return !isKnown && !options.allowUserGenerated && isUserGenerated(host) ? 'user_generated' : null;
}

export function mayBeSuggested(wiki: string, url: string, options: ExclusionOptions): boolean {
  return whyExcluded(wiki, url, options) === null;
}

function whyListed(standings: readonly Standing[], allowUserGenerated: boolean): ExclusionReason | null {
  const has = (status: Standing['status']) => standings.some((standing) => standing.status === status);
  for (const status of ['blacklisted', 'deprecated', 'wiki_mirror'] as const) if (has(status)) return status;
  const unreliable = standings.filter(({ status }) => status === 'generally_unreliable');
  if (unreliable.some(({ userGenerated }) => !userGenerated)) return 'generally_unreliable';
  return unreliable.length > 0 && !allowUserGenerated ? 'user_generated' : null;
}
