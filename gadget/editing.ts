/** What an edit is, step by step, as plain data. In: a finding and what the wiki said. Out: the next step. Touches neither page nor wiki. */
import type { DiffRow } from './diff.ts';
import type { Messages } from './messages.ts';
import type { SiteConfig } from './site-config.ts';
import { isUnmended, type Row } from './state.ts';

/** `replace`: the cited source by the suggested one; `add`: beside it; `tag`, `untag`: {{failed verification}}. */
export type EditKind = 'replace' | 'add' | 'tag' | 'untag';

/** How an edit of the finding `id` goes. */
export type Edit =
  | { step: 'idle' }
  | { step: 'preparing'; id: number; kind: EditKind }
  /** `failure`: why it is not saved yet although it was to be; the proposal may be another than before. */
  | { step: 'preview'; id: number; proposal: Proposal; failure: EditFailure | null }
  | { step: 'saving'; id: number; proposal: Proposal }
  /** `revision`: that the edit made; null: the page had it already. */
  | { step: 'saved'; id: number; kind: EditKind; revision: number | null }
  | { step: 'failed'; id: number; kind: EditKind; failure: EditFailure };

export interface EditFailure {
  why: FailureCode;
  /** What the wiki said, as text; '' if it did not say anything. */
  detail: string;
}

/** Why an edit is not made. The page is as it was. */
export type FailureCode =
  /** The text of the page: nothing that could be done safely. */
  | 'not_found'
  | 'ambiguous'
  | 'enclosed'
  | 'bundled'
  | 'unusual_form'
  | 'cited_by_footnotes'
  | 'already_cited'
  | 'already_tagged'
  | 'not_tagged'
  | 'no_address'
  | 'no_template'
  | 'page_gone'
  /** The person. */
  | 'not_signed_in'
  | 'blocked'
  | 'protected'
  | 'not_allowed'
  /** What the wiki has against it. `warned`: it can be saved all the same. */
  | 'warned'
  | 'filtered'
  | 'spam'
  | 'captcha'
  | 'refused'
  /** It may go through another time. */
  | 'conflict'
  | 'read_only'
  | 'lagging'
  | 'rate_limited'
  | 'unreachable';

export interface Proposal {
  kind: EditKind;
  /** Of the page. */
  title: string;
  /** Of the whole page, with the edit. */
  wikitext: string;
  baseRevision: number;
  /** What the person may change: `{ ...proposal, summary }`. */
  summary: string;
  /** As the wiki shows it. */
  diff: readonly DiffRow[];
  /** The new reference as a reader will see it; '' where there is none or the wiki did not say. */
  reads: string;
  /** By which it is prepared anew. */
  wish: Wish;
}

export interface Wish {
  row: Row;
  options: EditOptions;
}

export interface EditOptions {
  config: SiteConfig;
  /** Of the wiki's content. */
  language: string;
  now?: Date;
}

export type EditOutcome =
  /** `revision`: null: the page had it already. */
  | { kind: 'saved'; revision: number | null }
  /** `proposal`: what to show again, which may be another one by now; null: there is none any more. */
  | { kind: 'failed'; failure: EditFailure; proposal: Proposal | null };

/** Something that the wiki did not say itself. */
export function refuse(why: FailureCode): EditFailure {
  return { why, detail: '' };
}

/** What can be done for a finding, the most helpful first. */
export function kindsFor(row: Row, { templates }: SiteConfig): EditKind[] {
  const { suggestion, citations, claim, verdict } = row.finding;
  if (!isUnmended(row)) return [];
  const isCited = citations.length > 0;
  const hasTags = templates.failedVerification.length > 0;
  const isTagged = claim.trigger === 'failed_verification';
  const kinds: [EditKind, boolean][] = [
    ['replace', suggestion !== null],
    ['add', suggestion !== null && isCited],
    ['tag', hasTags && isCited && !isTagged && FAILING.indexOf(verdict) >= 0],
    ['untag', hasTags && isTagged],
  ];
  return kinds.filter(([, isOffered]) => isOffered).map(([kind]) => kind);
}

export function afterPreparing(id: number, kind: EditKind, prepared: Proposal | EditFailure): Edit {
  return 'why' in prepared
    ? { step: 'failed', id, kind, failure: prepared }
    : { step: 'preview', id, proposal: prepared, failure: null };
}

export function afterSaving(id: number, kind: EditKind, outcome: EditOutcome): Edit {
  if (outcome.kind === 'saved') return { step: 'saved', id, kind, revision: outcome.revision };
  const { proposal, failure } = outcome;
  return proposal === null ? { step: 'failed', id, kind, failure } : { step: 'preview', id, proposal, failure };
}

export function failureText({ why, detail }: EditFailure, msg: Messages): string {
  const said = [msg(`edit-failed-${why}`)]
    .concat(OPEN.indexOf(why) >= 0 ? [] : msg('edit-nothing-changed'))
    .concat(detail === '' ? [] : msg('edit-wiki-says', detail));
  return said.join(' ');
}

/** On the button that makes an edit of this kind, or opens its preview. */
export function kindText(kind: EditKind, msg: Messages): string {
  return msg(`edit-${kind}`);
}

/** On the button below the preview: what was warned of is saved all the same. */
export function saveText(failure: EditFailure | null, msg: Messages): string {
  return msg(failure?.why === 'warned' ? 'edit-save-anyway' : 'edit-save');
}

/** After which it is not over, or not known. */
const OPEN: readonly FailureCode[] = ['not_signed_in', 'warned', 'conflict', 'unreachable'];
const FAILING: readonly string[] = ['contradicted', 'not_supported', 'partially_supported'];
