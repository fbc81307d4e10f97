/** The simplest encoder of all: a text's words, each counted in one of 64 places, L2-normalised. For tests that are not about meaning. */
import { hashText } from '../../../../shared/hash.ts';
import type { PassageEncoder } from '../../../../workers/retrieval/dense/encode.ts';

export const wordEncoder: PassageEncoder = {
  version: 'words-64',
  dimensions: 64,
  encode: async (texts) => Float32Array.from(texts.flatMap(countWords)),
};

function countWords(text: string): number[] {
  const counts = new Array<number>(wordEncoder.dimensions).fill(0);
  for (const word of text.toLowerCase().match(/\w+/g) ?? []) {
    const place = Number.parseInt(hashText(word).slice(0, 8), 16) % wordEncoder.dimensions;
    counts[place] = (counts[place] ?? 0) + 1;
  }
  const length = Math.hypot(...counts) || 1;
  return counts.map((count) => count / length);
}
