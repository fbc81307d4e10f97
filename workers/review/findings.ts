/** All that can be done with findings, over one database. */
import type { Kysely } from 'kysely';
import type { Finding, Verdict } from '../../shared/citation.ts';
import type { Next } from '../../shared/pipeline.ts';
import type { Schema } from './database.ts';
import type { Filter, Slice } from './filter.ts';
import { history, type PastDecision } from './history.ts';
import { refuseOptedOut } from './opt-outs.ts';
import { type Coverage, type CoverageOf, coverage } from './page.ts';
import { counts, get, list, type Neighbours, neighbours, type Row } from './queue.ts';
import { type PageDeleted, pageDeleted, type Revision, reconcile } from './reconcile.ts';
import { record } from './record.ts';
import { type SourceBack, sourceBack } from './source-back.ts';

export interface Findings {
  /** What to do next: see `record.ts`. */
  record(finding: Finding): Promise<Next[]>;
  /** What to do next: see `reconcile.ts`. */
  reconcile(revision: Revision): Promise<Next[]>;
  pageDeleted(deleted: PageDeleted): Promise<void>;
  /** What to do next: see `source-back.ts`. */
  sourceBack(source: SourceBack): Promise<Next[]>;
  list(filter: Filter, slice: Slice): Promise<Row[]>;
  counts(filter: Filter): Promise<Partial<Record<Verdict, number>>>;
  get(id: number): Promise<Row>;
  /** None of a page that opted out: throws RequestError `not_found`. */
  getShown(id: number): Promise<Row>;
  neighbours(id: number, filter: Filter): Promise<Neighbours>;
  history(id: number): Promise<PastDecision[]>;
  coverage(at: CoverageOf): Promise<Coverage | null>;
}

export function createFindings(db: Kysely<Schema>): Findings {
  return {
    record: (finding) => record(db, finding),
    reconcile: (revision) => reconcile(db, revision),
    pageDeleted: (deleted) => pageDeleted(db, deleted),
    sourceBack: (source) => sourceBack(db, source),
    list: (filter, slice) => list(db, filter, slice),
    counts: (filter) => counts(db, filter),
    get: (id) => get(db, id),
    async getShown(id) {
      const row = await get(db, id);
      await refuseOptedOut(db, row.finding.wiki, row.finding.page.id);
      return row;
    },
    neighbours: (id, filter) => neighbours(db, id, filter),
    history: (id) => history(db, id),
    coverage: (at) => coverage(db, at),
  };
}
