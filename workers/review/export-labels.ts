/** What a person said → the label of a pair, or why it has none. Pure. */
import type { Decision, DecisionReason, Verdict } from '../../shared/citation.ts';
import type { Label } from '../evaluation/pairs.ts';
import type { Column } from './checks/feedback.ts';

/** Why something is no labelled pair. */
export type LeftOut =
  /** Who decided took it back. */
  | 'undone'
  /** Skipped, or "can't tell". */
  | 'undecided'
  /** The verdict says nothing of a source's text. */
  | 'not_about_a_text'
  /** A person said that it fails, and not whether a part of it is supported. */
  | 'label_unclear'
  /** The claim has other words by now, or the source could not be read by the person. */
  | 'not_judged'
  /** Decided by a version that did not keep what was decided on. */
  | 'not_kept'
  /** A person gave the text: it is private. */
  | 'given_text'
  /** The page has another text by now. */
  | 'text_gone'
  /** Whether a row is relevant is no label. */
  | 'relevance';

export type Labelled = { label: Label } | { leftOut: LeftOut };

/** Of a decision that was not undone. */
export function labelOfDecision(decision: Decision, verdict: Verdict, reason: DecisionReason | null): Labelled {
  if (decision === 'skip' || decision === 'cant_tell') return { leftOut: 'undecided' };
  if (reason === 'source_unreadable' || reason === 'claim_reworded') return { leftOut: 'not_judged' };
  const said = SAYS[verdict];
  if (said === null) return { leftOut: 'not_about_a_text' };
  if (reason !== null) return { label: reason === 'partly' ? 'partially_supported' : 'not_supported' };
  if (decision === 'accept') return { label: said };
  return said === 'supported' ? { leftOut: 'label_unclear' } : { label: 'supported' };
}

const SAYS: Record<Verdict, Label | null> = {
  supported: 'supported',
  partially_supported: 'partially_supported',
  not_supported: 'not_supported',
  contradicted: 'not_supported',
  uncheckable: null,
  unavailable: null,
  unsupported_language: null,
  unsourced: null,
};

/** Of an answer to "correct label?": that a column is wrong does not say which is right. */
export function labelOfFeedback(question: 'label' | 'relevance', answer: 'yes' | 'no', column: Column): Labelled {
  if (question === 'relevance') return { leftOut: 'relevance' };
  if (answer === 'no') return { leftOut: 'label_unclear' };
  return { label: column === 'supports' ? 'supported' : 'not_supported' };
}
