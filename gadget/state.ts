/** The gadget's pure centre: actions in, state out. Nothing here touches the page, the wiki or the network. */
import type { Finding } from '../shared/citation.ts';

/** A finding as the review service gives it. */
export interface Row {
  id: number;
  state: 'open' | 'closed';
  closedBecause: string | null;
  finding: Finding;
}

export interface Coverage {
  claims: number;
  checked: number;
}

export interface State {
  service: 'asking' | 'answered' | 'unreachable';
  coverage: Coverage | null;
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
  | { step: 'saved'; id: number }
  | { step: 'failed'; id: number; why: EditFailure };

export type EditFailure = 'not_found' | 'not_signed_in' | 'conflict' | 'refused';

export type Action =
  | { type: 'answered'; rows: readonly Row[]; coverage: Coverage | null }
  | { type: 'unreachable' }
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
    case 'placed':
      return { ...state, placed: action.ids };
    case 'open':
      return { ...state, open: action.what, edit: editOf(state, action.what) };
    case 'close':
      return { ...state, open: null };
    case 'edit':
      return { ...state, edit: action.edit };
  }
}

/** Findings that ask for a person: open, and not simply supported. */
export function asking(state: State): Row[] {
  return state.rows.filter((row) => row.state === 'open' && row.finding.verdict !== 'supported');
}

/** An edit's message stays with the finding it belongs to. */
function editOf(state: State, what: number | 'list'): Edit {
  return state.edit.step !== 'idle' && state.edit.id === what ? state.edit : { step: 'idle' };
}
