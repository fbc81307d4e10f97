/**
 * Word shingles: how much of one text stands in another (Broder, "On the resemblance and containment of documents", 1997). A
 * fingerprint is a sample of a text's shingles, small enough for a job's payload.
 */
import { z } from 'zod';
import { hashText, normalizeText } from './hash.ts';

/** The smallest hashes of a text's 5-word shingles: a sample that does not depend on where they stand. [] for a text too short to tell. */
export const Fingerprint = z.array(z.string().regex(/^[0-9a-f]{16}$/)).max(64);
export type Fingerprint = z.infer<typeof Fingerprint>;

export function fingerprint(text: string): Fingerprint {
  const shingles = [...shingle(text)];
  return shingles.length < SAMPLE / 2 ? [] : shingles.map(hashText).sort().slice(0, SAMPLE);
}

/** Estimated share of a fingerprinted text's shingles that `text` holds, 0 to 1 (standard error at most .06). */
export function shareOf(sample: Fingerprint, text: string): number {
  if (sample.length === 0) return 0;
  const hashes = new Set([...shingle(text)].map(hashText));
  return sample.filter((hash) => hashes.has(hash)).length / sample.length;
}

/** All 5-word shingles of a text, without case and punctuation. */
export function shingle(text: string): Set<string> {
  const words = normalizeText(text).match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.slice(SIZE - 1).map((_, at) => words.slice(at, at + SIZE).join(' ')));
}

const SIZE = 5;
const SAMPLE = 64;
