/** Rows of a difference of two texts, as plain text. Only types. */

export type DiffRow =
  /** The number of the line, as the wiki words it. */
  | { kind: 'line'; text: string }
  | { kind: 'same'; text: string }
  /** Null: the line is not there on this side. */
  | { kind: 'changed'; before: readonly DiffPart[] | null; after: readonly DiffPart[] | null };

export interface DiffPart {
  text: string;
  /** Differs from the other side. */
  isMarked: boolean;
}
