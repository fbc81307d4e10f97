/** A page's text → sentences, and passages of about 100 words on sentence boundaries. Offsets are characters in the text. */
import { segment } from 'sentencex';
import type { Passage, ReadableSource, Span } from '../../shared/citation.ts';
import { findHeaded, type Headed, TABLE_ROW } from './heads.ts';

export interface Page {
  url: string;
  title: string;
  /** One block (paragraph, list item, table row) a line. */
  text: string;
  /** Of a PDF: where its pages begin. */
  pages?: ReadableSource['pages'];
  /** The parts of the text that the citation names. */
  cited?: readonly Span[];
}

/** A passage, and what introduces the list or table that it begins within; '' elsewhere. */
export interface HeadedPassage {
  passage: Passage;
  head: string;
}

/** SIDE splits the corpus into passages of 100 words (Petroni et al. 2023, "Methods"). */
const PASSAGE_WORDS = 100;
/** A quote is no longer. */
const SENTENCE_WORDS = 50;
/** 200,000 words, a long book: what comes after is not read. */
const MAX_PASSAGES = 2000;

/**
 * Consecutive sentences, up to 100 words together, in the order of the page; a block's line break ends a sentence, a table
 * row is one sentence. A sentence of more than 50 words is cut between words. A list or table is not parted from what introduces
 * it. At most 2,000 passages; [] for a page of white space.
 */
export function splitPassages(page: Page): Passage[] {
  return splitHeaded(page).map(({ passage }) => passage);
}

/** The same passages; those that continue a long list or table with its head. */
export function splitHeaded({ url, title, text }: Page): HeadedPassage[] {
  const sentences = splitSentences(text);
  const headed = findHeaded(text, sentences);
  const spans = packSpans(keepHeads(sentences, headed, text), text).slice(0, MAX_PASSAGES);
  const heads = headsOf(spans, sentences, headed);
  return spans.map(({ start, end }, at) => {
    const head = heads[at];
    return {
      passage: { url, title, text: text.slice(start, end), start, end },
      head: head === undefined ? '' : text.slice(head.start, head.end),
    };
  });
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

/** What may not be cut is one span: a list or table that fits into a passage; of a longer one, its head and what comes first. */
function keepHeads(sentences: readonly Span[], headed: readonly Headed[], text: string): Span[] {
  const ends = new Map(
    headed.map(({ head, last }) => {
      const fits = countWords(text.slice(sentences[head]?.start, sentences[last]?.end)) <= PASSAGE_WORDS;
      return [head, last === head + 1 ? head : fits ? last : head + 1];
    }),
  );
  const kept: Span[] = [];
  for (let at = 0; at < sentences.length; at += 1) {
    const first = sentences[at];
    at = ends.get(at) ?? at;
    const last = sentences[at];
    if (first !== undefined && last !== undefined) kept.push({ start: first.start, end: last.end });
  }
  return kept;
}

/** Of each span that begins behind the head of a list or table and within it. Spans and heads are in order. */
function headsOf(spans: readonly Span[], sentences: readonly Span[], headed: readonly Headed[]): (Span | undefined)[] {
  let at = 0;
  const endOf = (list: Headed | undefined) => sentences[list?.last ?? -1]?.end;
  return spans.map(({ start }) => {
    while ((endOf(headed[at]) ?? start + 1) <= start) at += 1;
    const head = sentences[headed[at]?.head ?? -1];
    return head !== undefined && head.end <= start ? head : undefined;
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
