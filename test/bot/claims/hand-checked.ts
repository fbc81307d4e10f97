/** One claim of a real article whose boundaries a person has checked: where it stands and its hash, not its text. */
import { z } from 'zod';
import { Hash } from '../../../shared/citation.ts';

export const HandChecked = z.object({
  /** File name of the article without its ending. */
  article: z.string(),
  /** Its place among the claim–citation pairs of the article. */
  pair: z.int().nonnegative(),
  /** Offsets of the claim in the text of its context and itself, joined by a space. */
  start: z.int().nonnegative(),
  end: z.int().positive(),
  hash: Hash,
  /** The pattern in patterns.json that has the same boundaries in other words. */
  pattern: z.string(),
});
export type HandChecked = z.infer<typeof HandChecked>;
