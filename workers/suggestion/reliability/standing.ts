/** What a list says of one address, and how a list is kept. Types only. */
import type { Reliability, ReliabilityStatus } from '../../../shared/citation.ts';

/** What kind of list a page is: `perennial` weighs sites, the others name what is not wanted at all. */
export type ListKind = 'perennial' | 'blacklist' | 'mirrors';

/** One entry of one list that an address falls under. */
export interface Standing extends Reliability {
  status: Exclude<ReliabilityStatus, 'mixed'>;
  source: ListKind;
  /** The list itself gives as its reason that readers write the site. */
  userGenerated: boolean;
}

export interface Standings {
  /** Entries of `wiki`'s lists that `url` falls under; of a list that weighs sites, those with the longest domain and path only. */
  standings(wiki: string, url: string): Standing[];
}

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
  status: Standing['status'];
  userGenerated: boolean;
}

/** A regular expression of JavaScript; `url` ones go on after the beginning of an address, `host` ones are a whole host name. */
export interface ListPattern {
  about: 'url' | 'host';
  /** Allowed addresses win over blocked ones, of whichever list. */
  effect: 'block' | 'allow';
  pattern: string;
}
