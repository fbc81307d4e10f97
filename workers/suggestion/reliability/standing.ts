/** What the lists of a wiki say of one address. Types only. */
import type { Reliability, ReliabilityStatus } from '../../../shared/citation.ts';
import type { ListKind } from '../../../shared/reliability.ts';

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
