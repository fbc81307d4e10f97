/** The sentences that were read → a verbatim quote of at most 50 words with its place in the page. Writes no prose. */
import type { Evidence, Passage } from '../../shared/citation.ts';
import type { ReadClaim } from './claim.ts';
import type { Opinions } from './features.ts';
import { sigmoid } from './scorer.ts';
import { type ReadSentence, type Selection, textOf } from './select.ts';
import { containment, mergeTerms, type Terms } from './terms.ts';

const MAX_WORDS = 50;

/**
 * `page.text.slice(start, end) === quote`. Where no sentence has a word of the claim it is from the best passage: it shows a
 * person what the page is about. Null where the pages have no sentence.
 */
export function quoteEvidence(claim: ReadClaim, selection: Selection, opinions: Opinions): Evidence | null {
  const leaning = rankPassages(selection, opinions);
  const graded = listRuns(selection.sentences).map((run) => ({
    run,
    grade: gradeRun(claim, run.sentences) + (leaning.get(run.passage) ?? 0),
  }));
  const best = graded.sort((a, b) => b.grade - a.grade)[0]?.run;
  if (best === undefined) return null;
  const { passage, start, end } = best;
  const head = selection.passages.find((read) => read.passage === passage)?.head ?? '';
  const around = head === '' ? passage.text : `${head}\n${passage.text}`;
  return { quote: textOf(best), url: passage.url, title: passage.title, start, end, passage: around };
}

/** Consecutive sentences of a passage. */
interface Run {
  sentences: ReadSentence[];
  passage: Passage;
  start: number;
  end: number;
}

/** How far the cross-encoder leans to each passage: P(at least partly supported) or P(contradicted), 0 to 1. */
function rankPassages({ passages }: Selection, opinions: Opinions): Map<Passage, number> {
  const lean = (at: number) => {
    const { partly, contradicted } = opinions.passages[at] ?? { partly: 0, contradicted: 0 };
    return sigmoid(Math.max(partly, contradicted));
  };
  return new Map(passages.map(({ passage }, at) => [passage, lean(at)]));
}

/** One to three sentences each; more than one only within one block and 50 words. No sentence alone is longer. */
function listRuns(sentences: readonly ReadSentence[]): Run[] {
  return sentences.flatMap((first, at) => {
    const runs = [1, 2, 3].map((length) => toRun(first, sentences.slice(at, at + length)));
    return runs.filter((run) => run.sentences.length === 1 || isOneBlock(run));
  });
}

function toRun({ passage, start }: ReadSentence, sentences: ReadSentence[]): Run {
  return { sentences, passage, start, end: sentences.at(-1)?.end ?? start };
}

/** A heading and the row under it read badly as one quote. */
function isOneBlock(run: Run): boolean {
  const text = textOf(run);
  const isOnePassage = run.sentences.every(({ passage }) => passage === run.passage);
  return isOnePassage && !text.includes('\n') && text.split(/\s+/).length <= MAX_WORDS;
}

/**
 * What the run says of the claim; a further sentence must be worth its place. Numbers count as much as all words, since a
 * reader looks for them; years and days are among them.
 */
function gradeRun({ terms }: ReadClaim, run: readonly ReadSentence[]): number {
  const found = mergeTerms(run.map((sentence) => sentence.terms));
  const shared = (kind: keyof Terms) => containment(terms[kind], found[kind], 0);
  const overlap = shared('words') + 0.5 * shared('pairs') + shared('numbers') + 0.25 * shared('dates');
  return overlap - 0.05 * (run.length - 1);
}
