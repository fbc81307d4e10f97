/**
 * Sketches of a claim's words, small enough to stand in a job beside each claim of an article: by them a claim in other words is
 * told from another claim. In: text. Out: a string, and how alike two are. Order is ignored: see `shingles.ts` for copies.
 */
import { hashText, normalizeText } from './hash.ts';

/** The smallest hashes of a text's distinct words (bottom-k sketch: Broder 1997), four hex digits each; '' for no words. */
export function sketchWords(text: string): string {
  const words = new Set(normalizeText(text).match(/[\p{L}\p{N}]+/gu));
  const hashes = [...words].map((word) => hashText(word).slice(0, DIGITS));
  return [...new Set(hashes)].sort().slice(0, KEPT).join('');
}

/** Estimated share of words that both texts have, of all that either has (Jaccard): 0 to 1. Exact up to 24 words. */
export function likeness(a: string, b: string): number {
  const [one, other] = [new Set(wordsOf(a)), new Set(wordsOf(b))];
  const union = [...new Set([...one, ...other])].sort().slice(0, KEPT);
  const both = union.filter((part) => one.has(part) && other.has(part));
  return union.length === 0 ? 0 : both.length / union.length;
}

/** The hashes of a sketch. */
export function wordsOf(sketch: string): string[] {
  return sketch.match(HASHES) ?? [];
}

const DIGITS = 4;
const HASHES = new RegExp(`.{${DIGITS}}`, 'g');
const KEPT = 24;
