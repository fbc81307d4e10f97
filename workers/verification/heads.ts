/**
 * Sentences of a text → its lists and tables, each with the line that says what it is of: "The members are:", a caption. By the shape of
 * the lines, since a text has no markup; what may be prose is left alone.
 */
import type { Span } from '../../shared/citation.ts';

/** Places in `sentences`: the head, and the last item or row that follows it. */
export interface Headed {
  head: number;
  last: number;
}

/** In order, none within another. `sentences` as `splitSentences` gives them. */
export function findHeaded(text: string, sentences: readonly Span[]): Headed[] {
  const lines = sentences.map((span, at) => toLine(text, span, sentences[at - 1], sentences[at + 1]));
  const found: Headed[] = [];
  for (let head = 0; head < lines.length; head += 1) {
    const last = head + (countRows(lines, head) || countItems(lines, head));
    if (last > head) found.push({ head, last });
    head = last;
  }
  return found;
}

/** As the source stage writes it: `Header: cell; Header: cell`. */
export const TABLE_ROW = /: [^;]*; [^;:]*: /;

interface Line {
  text: string;
  words: number;
  /** Nothing comes before it, or behind it, in its line of the text. */
  begins: boolean;
  ends: boolean;
}

function toLine(text: string, { start, end }: Span, before: Span | undefined, after: Span | undefined): Line {
  const said = text.slice(start, end);
  const begins = before === undefined || text.slice(before.end, start).includes('\n');
  const ends = after === undefined || text.slice(end, after.start).includes('\n');
  return { text: said, words: said.split(/\s+/).length, begins, ends };
}

/** Rows below a caption or a heading. One that carries its table's caption needs none. */
function countRows(lines: readonly Line[], head: number): number {
  const caption = lines[head];
  if (!isAlone(caption) || caption.words > MAX_CAPTION_WORDS || NO_CAPTION.test(caption.text)) return 0;
  if (isRow(caption) || CARRIES_CAPTION.test(lines[head + 1]?.text ?? '')) return 0;
  const rows = runOf(lines, head + 1, isRow);
  const isTable = rows >= MIN_PAIRS || TABLE_ROW.test(lines[head + 1]?.text ?? '');
  return isTable ? rows : 0;
}

/** Items below a line that ends in a colon. Items that are sentences look like any prose: only the first is taken. */
function countItems(lines: readonly Line[], head: number): number {
  const [introduction, first] = lines.slice(head, head + 2);
  if (introduction === undefined || !introduction.ends || !introduction.text.endsWith(':')) return 0;
  if (!isItem(first)) return 0;
  if (ENDS_SENTENCE.test(first.text)) return 1;
  return Math.min(
    runOf(lines, head + 1, (line) => isItem(line) && !ENDS_SENTENCE.test(line.text)),
    MAX_ITEMS,
  );
}

function runOf(lines: readonly Line[], start: number, belongs: (line: Line) => boolean): number {
  let end = start;
  for (let line = lines[end]; line !== undefined && belongs(line); line = lines[end]) end += 1;
  return end - start;
}

function isAlone(line: Line | undefined): line is Line {
  return line?.begins === true && line.ends;
}

function isRow(line: Line): boolean {
  return isAlone(line) && (TABLE_ROW.test(line.text) || (PAIR.test(line.text) && !ENDS_SENTENCE.test(line.text)));
}

function isItem(line: Line | undefined): line is Line {
  return isAlone(line) && line.words <= MAX_ITEM_WORDS && !line.text.endsWith(':');
}

/** Of rows that are one name and one value: a single one may be anything. */
const MIN_PAIRS = 2;
const PAIR = /^[^:.!?]{1,60}: \S/;
const CARRIES_CAPTION = /^[^:;]* – [^:;]*: /;
const MAX_CAPTION_WORDS = 20;
const NO_CAPTION = /[.!?…,;:]["”’»)]*$/;
const ENDS_SENTENCE = /[.!?…]["”’»)]*$/;
const MAX_ITEM_WORDS = 30;
const MAX_ITEMS = 100;
