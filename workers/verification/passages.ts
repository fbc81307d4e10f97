/** A page's text → sentences, and passages of about 100 words on sentence boundaries. Offsets are characters in the text. */
import { segment } from 'sentencex';
import type { Passage, Span } from '../../shared/citation.ts';

export interface Page {
  url: string;
  title: string;
  /** One block (paragraph, list item, table row) a line. */
  text: string;
}

/** SIDE splits the corpus into passages of 100 words (Petroni et al. 2023, "Methods"). */
const PASSAGE_WORDS = 100;
/** A quote is no longer. */
const SENTENCE_WORDS = 50;
/** 200,000 words, a long book: what comes after is not read. */
const MAX_PASSAGES = 2000;

/**
 * Consecutive sentences, up to 100 words together, in the order of the page; a block's line break ends a sentence, a table
 * row is one sentence. A sentence of more than 50 words is cut between words. At most 2,000 passages; [] for a page of
 * white space.
 */
export function splitPassages(page: Page): Passage[] {
  const spans = packSpans(splitSentences(page.text), page.text).slice(0, MAX_PASSAGES);
  return spans.map(({ start, end }) => ({
    url: page.url,
    title: page.title,
    text: page.text.slice(start, end),
    start,
    end,
  }));
}

/** Sentences without the white space around them; none longer than 50 words. */
export function splitSentences(text: string): Span[] {
  const sentences: Span[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    for (const span of splitLine(line))
      sentences.push(...cutLong(trim(text, span.start + start, span.end + start), text));
    start += line.length + 1;
  }
  return sentences;
}

function splitLine(line: string): Span[] {
  if (line.trim() === '') return [];
  if (TABLE_ROW.test(line)) return [{ start: 0, end: line.length }];
  let start = 0;
  // the library's own indices count code points; its sentences join up to the line
  return segment('en', line).map((sentence) => {
    const span = { start, end: start + sentence.length };
    start = span.end;
    return span;
  });
}

function packSpans(sentences: Span[], text: string): Span[] {
  const packed: Span[] = [];
  let words = 0;
  for (const sentence of sentences) {
    const count = countWords(text.slice(sentence.start, sentence.end));
    const last = packed.at(-1);
    if (last !== undefined && words + count <= PASSAGE_WORDS) {
      last.end = sentence.end;
      words += count;
    } else {
      packed.push({ ...sentence });
      words = count;
    }
  }
  return packed;
}

function cutLong(span: Span, text: string): Span[] {
  const words = [...text.slice(span.start, span.end).matchAll(WORD)];
  if (words.length <= SENTENCE_WORDS) return span.start < span.end ? [span] : [];
  return Array.from({ length: Math.ceil(words.length / SENTENCE_WORDS) }, (_, piece) => {
    const first = words[piece * SENTENCE_WORDS];
    const next = words[(piece + 1) * SENTENCE_WORDS];
    return trim(text, span.start + (first?.index ?? 0), next === undefined ? span.end : span.start + next.index);
  });
}

function trim(text: string, start: number, end: number): Span {
  const piece = text.slice(start, end);
  const from = start + piece.length - piece.trimStart().length;
  return { start: from, end: Math.max(from, start + piece.trimEnd().length) };
}

function countWords(text: string): number {
  return text.match(WORD)?.length ?? 0;
}

const WORD = /\S+/g;
/** As the source stage writes it: `Header: cell; Header: cell`. */
const TABLE_ROW = /: [^;]*; [^;:]*: /;
