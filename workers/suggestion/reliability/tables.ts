/** Tables of what the lists of wikis say of sites, as types. */
import type { Generated } from 'kysely';
import type { ListEntry, ListKind, ListPattern } from '../../../shared/reliability.ts';

export interface ReliabilityTables {
  site_lists: SiteListTable;
  site_entries: SiteEntryTable;
  site_patterns: SitePatternTable;
}

/** One page of a wiki, for the wiki that goes by it. Numbers of rows that are gone are never given again. */
export interface SiteListTable {
  id: Generated<number>;
  wiki: string;
  /** A key of who imports. */
  place: string;
  /** The wiki that it stands on. */
  home: string;
  title: string;
  kind: ListKind;
  revision: number;
  /** ISO time of the revision. */
  timestamp: string;
  /** ISO time. */
  fetched_at: string;
  /** What could not be used, as a JSON array. */
  skipped: string;
}

export interface SiteEntryTable {
  id: Generated<number>;
  list: number;
  domain: string;
  path: string;
  status: ListEntry['status'];
  user_generated: 0 | 1;
}

export interface SitePatternTable {
  id: Generated<number>;
  list: number;
  about: ListPattern['about'];
  effect: ListPattern['effect'];
  pattern: string;
}
