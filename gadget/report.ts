/** Whether a talk page asks for the bot's reports, and how it comes to. Plain data. */
import type { DiffRow } from './diff.ts';
import type { EditFailure } from './editing.ts';

export type Report =
  | { step: 'unknown' }
  /** `template`: its name, without the namespace. */
  | { step: 'there' | 'missing' | 'saved'; template: string }
  | { step: 'preview' | 'saving'; template: string; wish: Wish; failure: EditFailure | null }
  | { step: 'failed'; template: string; failure: EditFailure };

/** An edit that puts the template before all that stands on the page. */
export interface Wish {
  prepended: string;
  summary: string;
  diff: readonly DiffRow[];
}
