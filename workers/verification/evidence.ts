/** The nearest sentences → a verbatim quote of at most 50 words with its place in the page. Writes no prose. */
import type { Evidence, Passage } from '../../shared/citation.ts';
import type { Near, Nearest, ReadClaim } from './nearest.ts';
import { containment, mergeTerms, type Terms } from './terms.ts';

const MAX_WORDS = 50;

/**
 * `page.text.slice(start, end) === quote`. Where no sentence has a word of the claim it is the nearest in meaning: it shows a
 * person what the page is about. Null where the pages have no sentence.
 */
export function quoteEvidence(claim: ReadClaim, { sentences }: Nearest): Evidence | null {
  const runs = listRuns(sentences).map((run) => ({ ...run, grade: gradeRun(claim, run.sentences) }));
  const best = runs.sort((a, b) => b.grade - a.grade)[0];
  if (best === undefined) return null;
  const { passage, start, end } = best;
  return { quote: textOf(best), url: passage.url, title: passage.title, start, end, passage: passage.text };
}

/** Consecutive sentences of a passage. */
interface Run {
  sentences: Near[];
  passage: Passage;
  start: number;
  end: number;
}

/** One to three sentences each; more than one only within one block and 50 words. No sentence alone is longer. */
function listRuns(sentences: readonly Near[]): Run[] {
  const ordered = [...sentences].sort((a, b) => a.passage.url.localeCompare(b.passage.url) || a.start - b.start);
  return ordered.flatMap((first, at) => {
    const runs = [1, 2, 3].map((length) => toRun(first, ordered.slice(at, at + length)));
    return runs.filter((run) => run.sentences.length === 1 || isOneBlock(run));
  });
}

function toRun({ passage, start }: Near, sentences: Near[]): Run {
  return { sentences, passage, start, end: sentences.at(-1)?.end ?? start };
}

/** A heading and the row under it read badly as one quote. */
function isOneBlock(run: Run): boolean {
  const text = textOf(run);
  const isOnePassage = run.sentences.every(({ passage }) => passage === run.passage);
  return isOnePassage && !text.includes('\n') && text.split(/\s+/).length <= MAX_WORDS;
}

function textOf({ passage, start, end }: Run): string {
  return passage.text.slice(start - passage.start, end - passage.start);
}

/**
 * What the run says of the claim, and how near its nearest sentence is; a further sentence must be worth its place.
 * Numbers count as much as all words, since a reader looks for them; years and days are among them.
 */
function gradeRun({ terms }: ReadClaim, run: readonly Near[]): number {
  const found = mergeTerms(run.map((sentence) => sentence.terms));
  const shared = (kind: keyof Terms) => containment(terms[kind], found[kind], 0);
  const overlap = shared('words') + 0.5 * shared('pairs') + shared('numbers') + 0.25 * shared('dates');
  return overlap + Math.max(...run.map(({ cosine }) => cosine)) - 0.05 * (run.length - 1);
}
