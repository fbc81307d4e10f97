/** The gadget's pure centre: actions in, state out. Nothing here touches the page, the wiki or the network. */
import type { CheckedCitation, Finding, Mismatch, Span, Verdict } from '../shared/citation.ts';

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

export interface State {
  service: 'asking' | 'answered' | 'unreachable';
  coverage: Coverage | null;
  /** Of this page; those that are not open were open when the page was shown. */
  rows: readonly Row[];
  /** Ids of the findings whose claim was found on the page. */
  placed: readonly number[];
  /** Which finding the panel shows; `list`: all of the page; null: closed. */
  open: number | 'list' | null;
  edit: Edit;
}

export type Edit =
  | { step: 'idle' }
  | { step: 'saving'; id: number }
  /** `revision`: that the edit made; null: the page had it already. */
  | { step: 'saved'; id: number; revision: number | null }
  | { step: 'failed'; id: number; failure: EditFailure };

export interface EditFailure {
  why: 'not_found' | 'not_signed_in' | 'conflict' | 'refused' | 'unreachable';
  /** What the wiki said; '' if it did not say anything. */
  detail: string;
}

export type Action =
  | { type: 'answered'; rows: readonly Row[]; coverage: Coverage | null }
  | { type: 'unreachable' }
  | { type: 'changed'; row: Row }
  | { type: 'placed'; ids: readonly number[] }
  | { type: 'open'; what: number | 'list' }
  | { type: 'close' }
  | { type: 'edit'; edit: Edit };

export const initial: State = {
  service: 'asking',
  coverage: null,
  rows: [],
  placed: [],
  open: null,
  edit: { step: 'idle' },
};

export function reduce(state: State, action: Action): State {
  switch (action.type) {
    case 'answered':
      return { ...state, service: 'answered', rows: action.rows, coverage: action.coverage };
    case 'unreachable':
      return { ...state, service: 'unreachable' };
    case 'changed':
      return { ...state, rows: state.rows.map((row) => (row.id === action.row.id ? action.row : row)) };
    case 'placed':
      return { ...state, placed: action.ids };
    case 'open':
      return { ...state, open: action.what };
    case 'close':
      return { ...state, open: null };
    case 'edit':
      return { ...state, edit: action.edit };
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
