/**
 * An extracted text beside the right one → precision and recall by runs of four words, as the public scorers of article extraction count
 * them: words are runs of letters, digits and `_`, case counts, and a run that stands twice counts twice.
 */

export interface Overlap {
  precision: number;
  recall: number;
  f1: number;
}

/** Both empty: all is right. A text of fewer than four words is one run. */
export function compareTexts(right: string, found: string): Overlap {
  const [wanted, given] = [countRuns(right), countRuns(found)];
  let shared = 0;
  for (const [run, count] of given) shared += Math.min(count, wanted.get(run) ?? 0);
  const precision = shared / sum(given);
  const recall = shared / sum(wanted);
  return { precision, recall, f1: harmonic(precision, recall) };
}

/** 0 where one is 0. */
export function harmonic(precision: number, recall: number): number {
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
}

function countRuns(text: string): Map<string, number> {
  const words = text.match(WORDS) ?? [];
  const counts = new Map<string, number>();
  for (let at = 0; at < Math.max(1, words.length - SIZE + 1); at += 1) {
    const run = words.slice(at, at + SIZE).join(' ');
    counts.set(run, (counts.get(run) ?? 0) + 1);
  }
  return counts;
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}

const SIZE = 4;
const WORDS = /[\p{L}\p{N}\p{Mn}\p{Mc}_]+/gu;
