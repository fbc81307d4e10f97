/** Tables of the database of worklists, as types. Times are ISO. */
import type { Generated } from 'kysely';
import type { LeftOut, MemberState, Phase, RunState } from './worklist.ts';

export interface WorklistTables {
  worklists: WorklistTable;
  worklist_titles: TitleTable;
  worklist_runs: RunTable;
  worklist_categories: CategoryTable;
  worklist_members: MemberTable;
  worklist_readings: ReadingTable;
}

export interface WorklistTable {
  /** Never given again: it is part of ids that queues still hold when a list was dropped. */
  id: Generated<number>;
  wiki: string;
  name: string;
  /** A `ListSource` as JSON. */
  source: string;
  paused: Generated<0 | 1>;
  /** A `Schedule` as JSON. */
  schedule: string | null;
  created: string;
}

/** What a list was added with. */
export interface TitleTable {
  worklist: number;
  /** From 0. */
  position: number;
  title: string;
}

export interface RunTable {
  id: Generated<number>;
  worklist: number;
  /** 1, 2, 3 … of its worklist. */
  number: number;
  state: Generated<RunState>;
  phase: Generated<Phase>;
  everything: 0 | 1;
  /** A `Position` as JSON. */
  position: string | null;
  step: Generated<number>;
  waiting: string | null;
  reason: string | null;
  detail: string | null;
  started: string;
  ended: string | null;
}

/** Categories that a run has met. */
export interface CategoryTable {
  id: Generated<number>;
  run: number;
  title: string;
  depth: number;
  done: Generated<0 | 1>;
}

/** An article of a run. */
export interface MemberTable {
  id: Generated<number>;
  run: number;
  /** As it was listed; see LONGEST_TITLE. */
  title: string;
  page: number | null;
  /** Its title on the wiki. */
  article: string | null;
  importance: number;
  views: number | null;
  state: Generated<MemberState>;
  reason: LeftOut | null;
  revision: number | null;
  /** That handed it on. */
  step: number | null;
  claims: number | null;
  checking: number | null;
}

/** At which revision a page was read last, for a list. */
export interface ReadingTable {
  worklist: number;
  page: number;
  revision: number;
  model: string;
}

/** Characters. What is longer is no title on any wiki, and stays none when it is cut there. */
export const LONGEST_TITLE = 512;
