/** What people ask of the queue, as every list, address and feed has it. Only types and names: SQL of it is `matching.ts`. */
import type { Decision, UnavailableReason, Verdict } from '../../shared/citation.ts';

/** What of a finding is asked for; all of it must hold. The address has it under the names in `request.ts`. */
export interface Filter {
  wiki?: string;
  /** Title of the article. */
  page?: string;
  /** WikiProject, without the word. */
  project?: string;
  /** Without its namespace. */
  category?: string;
  /** Name of a worklist. */
  worklist?: string;
  /** On articles that this person's lists are made of. */
  user?: string;
  /** `unmended`: open, or accepted and still on the page: what the gadget offers to mend. `all`: also of pages that opted out. */
  state: 'open' | 'accepted' | 'closed' | 'unmended' | 'all';
  /** Left out: all that may have something to mend (`isToMend`). */
  verdict?: Verdict | 'all';
  /** Why it could not be read. */
  reason?: UnavailableReason;
  /** The last one. */
  decision?: Decision;
  /** 0 to 1; findings without a score have none. */
  scoreMin?: number;
  scoreMax?: number;
  /** Days since it was found. */
  minAge?: number;
  maxAge?: number;
  /** Of its article, a day. */
  viewsMin?: number;
  suggestion?: boolean;
  /** Name of the person whose decision stands. */
  decidedBy?: string;
  /** Left out: the queue's own order. */
  sort?: Sort;
}

/** Largest gain first, lowest score first, newest first, most views first. */
export const SORTS = ['gain', 'score', 'newest', 'views'] as const;
export type Sort = (typeof SORTS)[number];

export interface Slice {
  limit: number;
  /** Id of the row after which to go on. */
  after?: number;
}
