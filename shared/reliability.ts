/**
 * Lists of a wiki on which sites stand: what the bot reads of them and the workers keep, and what is said of them. In the gadget,
 * too: nothing that its browsers lack.
 */
import type { Reliability, ReliabilityStatus } from './citation.ts';

/** What kind of list a page is: `perennial` weighs sites, the others name what is not wanted at all. */
export type ListKind = 'perennial' | 'blacklist' | 'mirrors';

/** One page of a wiki that lists sites, as it was read. */
export interface ImportedList {
  /** The wiki that it stands on. */
  home: string;
  title: string;
  revision: number;
  /** ISO time of that revision. */
  timestamp: string;
  kind: ListKind;
  entries: ListEntry[];
  patterns: ListPattern[];
  /** What stands there for a site and could not be used, as it stands. */
  skipped: string[];
}

export interface ListEntry {
  /** Lower case, without `www.`. Subdomains fall under it. */
  domain: string;
  /** '' for the whole site, else `/path`. */
  path: string;
  status: Exclude<ReliabilityStatus, 'mixed'>;
  /** The list itself gives as its reason that readers write the site. */
  userGenerated: boolean;
}

/** A regular expression of JavaScript: of `url`, what follows the beginning of an address; of `host`, a whole host name. */
export interface ListPattern {
  about: 'url' | 'host';
  /** What is allowed wins over what any list of the wiki blocks by the same part of an address. */
  effect: 'block' | 'allow';
  pattern: string;
}

/** In words, as the lists themselves have them. */
export const STANDINGS: Record<ReliabilityStatus, string> = {
  generally_reliable: 'Generally reliable',
  no_consensus: 'No consensus',
  mixed: 'Mixed: it depends on the topic or the author',
  generally_unreliable: 'Generally unreliable',
  deprecated: 'Deprecated',
  blacklisted: 'Blacklisted',
  wiki_mirror: 'Republishes a wiki',
};

/** 'Perennial sources, 3 May 2026': the list without its namespace and its part, and the day of the revision that was read. */
export function listText({ list, date }: Reliability, language = 'en-GB'): string {
  const parts = list.replace(/^[^:/]+:/, '').split('/');
  const named = parts.filter((part) => !/^(\d+|[A-Z]{3,5}|Numbers)$/.test(part));
  const day = new Date(date).toLocaleDateString(language, DAY);
  return `${(named[named.length - 1] || list).replace(/-/g, ' ')}, ${day}`;
}

const DAY = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
