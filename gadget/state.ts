/** The gadget's pure centre: actions in, state out. Nothing here touches the page, the wiki or the network. */
import type { CheckedCitation, Finding, Mismatch, Span, Verdict } from '../shared/citation.ts';
import { type CheckAction, type Checks, noChecks, reduceChecks } from './check.ts';
import type { Edit } from './editing.ts';
import type { MessageKey } from './messages.ts';
import type { Report } from './report.ts';

/** A finding as the review service gives it. */
export interface Row {
  id: number;
  state: 'open' | 'accepted' | 'closed';
  closedBecause: string | null;
  decision: string | null;
  finding: Finding;
}

export interface Coverage {
  claims: number;
  checked: number;
}

/** What the service knows of an article as a whole. */
export interface Summary {
  counts: Partial<Record<Verdict, number>>;
  /** Its editors don't want it checked. */
  optedOut: boolean;
  /** ISO time; null: it was not checked yet. */
  checkedAt: string | null;
}

/** The panel's pages: all that is known of this one, one finding, one sentence that was checked. */
export type What = 'list' | number | { check: string };

export interface State {
  /** The person agreed that the service is asked. Until then nothing is. */
  agreed: boolean;
  service: 'unasked' | 'asking' | 'answered' | 'unreachable';
  coverage: Coverage | null;
  /** Null where it was not asked for. */
  summary: Summary | null;
  /** Of this page; those that are not open were open when the page was shown. */
  rows: readonly Row[];
  /** There are more than `rows`. */
  hasMore: boolean;
  /** Ids of the findings whose claim was found on the page; null: not looked for yet. */
  placed: readonly number[] | null;
  /** Null: closed. */
  open: What | null;
  /** What is selected of the article, as a reader sees it. */
  selection: string;
  edit: Edit;
  checks: Checks;
  report: Report;
  /** Said once, until something else happens. */
  notice: MessageKey | null;
}

export type Answer = Pick<State, 'rows' | 'coverage' | 'summary' | 'hasMore'>;

export type Action =
  | { type: 'agreed'; isKept: boolean }
  | { type: 'withdrawn' }
  /** What the person answered could not be kept. */
  | { type: 'unkept' }
  | { type: 'asking' }
  | ({ type: 'answered' } & Answer)
  | { type: 'unreachable' }
  | { type: 'changed'; row: Row }
  | { type: 'placed'; ids: readonly number[] }
  | { type: 'open'; what: What }
  | { type: 'close' }
  | { type: 'selected'; text: string }
  | { type: 'edit'; edit: Edit }
  | { type: 'check'; action: CheckAction }
  | { type: 'report'; report: Report };

export const initial: State = {
  agreed: false,
  service: 'unasked',
  coverage: null,
  summary: null,
  rows: [],
  hasMore: false,
  placed: null,
  open: null,
  selection: '',
  edit: { step: 'idle' },
  checks: noChecks,
  report: { step: 'unknown' },
  notice: null,
};

export function reduce(state: State, action: Action): State {
  switch (action.type) {
    case 'agreed':
      return { ...state, agreed: true, notice: action.isKept ? null : 'consent-unkept' };
    case 'unkept':
      return { ...state, notice: 'consent-unkept' };
    case 'withdrawn':
      return { ...initial, open: state.open, selection: state.selection };
    case 'asking':
      return { ...state, service: state.service === 'answered' ? 'answered' : 'asking' };
    case 'answered': {
      const { rows, coverage, summary, hasMore } = action;
      return { ...state, service: 'answered', rows, coverage, summary, hasMore };
    }
    case 'unreachable':
      return { ...state, service: 'unreachable' };
    case 'changed':
      return { ...state, rows: state.rows.map((row) => (row.id === action.row.id ? action.row : row)) };
    case 'placed':
      return { ...state, placed: action.ids };
    case 'open':
      return { ...state, open: action.what, notice: null };
    case 'close':
      return { ...state, open: null, notice: null };
    case 'selected':
      return { ...state, selection: action.text };
    case 'edit':
      return { ...state, edit: action.edit };
    case 'check':
      return { ...state, checks: reduceChecks(state.checks, action.action) };
    case 'report':
      return { ...state, report: action.report };
  }
}

/** Findings that ask for a person. */
export function openRows(state: State): Row[] {
  return state.rows.filter(isUnmended);
}

/** Nobody has decided, or somebody has accepted that the citation fails and nobody has mended it. */
export function isUnmended({ state }: Row): boolean {
  return state !== 'closed';
}

/** The finding that the panel shows; null if it shows none. */
export function shownRow(state: State): Row | null {
  return state.rows.filter(({ id }) => id === state.open)[0] ?? null;
}

/** How the edit of this finding goes. */
export function editOf({ edit }: State, id: number): Edit {
  return edit.step !== 'idle' && edit.id === id ? edit : { step: 'idle' };
}

/** Words that no page supports. What was not judged is never said to fail. */
export function missingOf({ verdict, missing }: Finding): readonly Span[] {
  return isFailing(verdict) ? missing : [];
}

/** Details in which a page differs. */
export function mismatchesOf({ verdict, mismatches }: Finding): readonly Mismatch[] {
  return isFailing(verdict) ? mismatches : [];
}

function isFailing(verdict: Verdict): boolean {
  return verdict === 'contradicted' || verdict === 'not_supported' || verdict === 'partially_supported';
}

/** The citation that a better source takes the place of: the one that supports least. null: there is none. */
export function weakestCitation({ citations }: Finding): CheckedCitation | null {
  const rated = citations.map((citation) => ({ citation, score: citation.score ?? UNREAD }));
  const least = Math.min(...rated.map(({ score }) => score));
  return rated.filter(({ score }) => score === least)[0]?.citation ?? null;
}

/** Above every score: what could not be read may well support the claim. */
const UNREAD = 2;
