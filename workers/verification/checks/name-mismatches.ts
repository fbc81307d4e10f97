/** A claim's names that no page has, where a page's sentence says the same with another name in that place. */
import type { Mismatch } from '../../../shared/citation.ts';
import { align } from './align.ts';
import type { Reading } from './candidates.ts';
import { quote } from './mismatches.ts';
import { isKnown, knowNames, type Name } from './names.ts';
import type { PageSentence, Sentence } from './reading.ts';
import { findWords, type Word } from './words.ts';

export function findNameMismatches(reading: Reading): Mismatch[] {
  const { claim, sentences } = reading;
  if (claim.names.length === 0) return [];
  const titles = new Set(sentences.map(({ passage }) => passage.title));
  const pages = knowNames([...sentences.flatMap(({ words }) => words), ...[...titles].flatMap(findWords)]);
  const missing = claim.names.filter((name) => !isKnown(name, pages));
  if (missing.length === 0) return [];
  const ours = knowNames(claim.words);
  return missing.flatMap((name) => {
    const [best] = sentences
      .flatMap((sentence) =>
        sentence.names.filter((other) => !isKnown(other, ours)).map((other) => ({ sentence, other })),
      )
      .map(({ sentence, other }) => ({ sentence, score: placeScore(reading, name, sentence, other) }))
      .filter(({ score }) => score >= PLACE_SCORE)
      .sort((a, b) => b.score - a.score);
    if (best === undefined) return [];
    return [{ code: 'name' as const, claim: { start: name.start, end: name.end }, page: quote(best.sentence) }];
  });
}

/** 0 to 1: how much stands around both names alike. */
function placeScore({ claim, counts }: Reading, ours: Name, sentence: PageSentence, theirs: Name): number {
  const { near, back, shared } = align(claim, ours, sentence, theirs, counts);
  if (shared < 2) return 0;
  const before = likeness(wordsBefore(claim, ours), wordsBefore(sentence, theirs));
  const behind = likeness(wordsBehind(claim, ours), wordsBehind(sentence, theirs));
  const beside = 0.6 * Math.max(before, behind) + 0.4 * Math.min(before, behind);
  return 0.4 * near + 0.3 * back + 0.3 * beside;
}

/** Half for the same next word, half for the same next content word. */
function likeness(ours: readonly Word[], theirs: readonly Word[]): number {
  const sameWord = ours[0] !== undefined && ours[0].plain === theirs[0]?.plain;
  const [a, b] = [ours, theirs].map((words) => words.find(({ stem }) => stem !== null)?.stem);
  return 0.5 * Number(sameWord) + 0.5 * Number(a !== undefined && a === b);
}

/** Nearest first. */
function wordsBefore({ words }: Sentence, { start }: Name): Word[] {
  return words
    .filter((word) => word.end <= start)
    .slice(-4)
    .toReversed();
}

function wordsBehind({ words }: Sentence, { end }: Name): Word[] {
  return words.filter((word) => word.start >= end).slice(0, 4);
}

const PLACE_SCORE = 0.6;
