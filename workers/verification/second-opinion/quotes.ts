/**
 * Quotes that a model gave → the places where the passages that it was shown say so, in the page's own characters. White space,
 * quotation marks, dashes, case and forms of the same letter may differ; nothing else may. No quote is taken on trust.
 */
import type { Evidence, Passage } from '../../../shared/citation.ts';
import { nameOfPage } from '../cited-pages.ts';
import type { Page } from '../passages.ts';

const MAX_QUOTES = 5;
const MAX_WORDS = 50;
/** Fifty words of most languages; what is written without spaces counts as one word. */
const MAX_CHARACTERS = 600;
/** Shorter ones ("in 1931") stand on pages by chance. */
const MIN_CHARACTERS = 12;

/** At most 5, each once, in the order given; `page.text.slice(start, end) === quote`, at most 50 words. */
export function locateQuotes(
  quotes: readonly string[],
  passages: readonly Passage[],
  pages: readonly Page[],
): Evidence[] {
  const runs = joinPassages(passages, pages);
  const found = quotes.flatMap((quote) => locate(quote, runs));
  const places = new Map(found.map((evidence) => [`${evidence.start} ${evidence.end} ${evidence.url}`, evidence]));
  return [...places.values()].slice(0, MAX_QUOTES);
}

/** Passages that follow each other on a page: a quote may run from one into the next. */
interface Run {
  page: Page;
  passages: Passage[];
  folded: Folded;
}

function joinPassages(passages: readonly Passage[], pages: readonly Page[]): Run[] {
  return pages.flatMap((page) => {
    const groups: Passage[][] = [];
    for (const passage of [...passages].sort((a, b) => a.start - b.start)) {
      if (!standsOn(page, passage)) continue;
      const last = groups.at(-1);
      const before = last?.at(-1);
      if (before !== undefined && page.text.slice(before.end, passage.start).trim() === '') last?.push(passage);
      else groups.push([passage]);
    }
    return groups.map((group) => ({ page, passages: group, folded: foldRun(page, group) }));
  });
}

function standsOn({ url, text }: Page, passage: Passage): boolean {
  return passage.url === url && text.startsWith(passage.text, passage.start);
}

function foldRun({ text }: Page, passages: readonly Passage[]): Folded {
  const start = passages[0]?.start ?? 0;
  return fold(text.slice(start, passages.at(-1)?.end), start);
}

/** As it was given; without marks around it; or, where it joins pieces by dots, the pieces. */
function locate(quote: string, runs: readonly Run[]): Evidence[] {
  if (quote.length > 2 * MAX_CHARACTERS) return [];
  const whole = fold(quote, 0).text.trim();
  const bare = stripMarks(whole);
  for (const wordings of [[whole], [bare], bare.split(OMISSION).map(stripMarks)]) {
    const found = wordings.flatMap((wording) => findFirst(wording, runs) ?? []);
    if (found.length > 0) return found;
  }
  return [];
}

function stripMarks(text: string): string {
  return text.replace(/^['. [\]]+|['. [\]]+$/g, '');
}

function findFirst(wording: string, runs: readonly Run[]): Evidence | null {
  if (wording.length < MIN_CHARACTERS) return null;
  for (const run of runs) {
    const { text, starts, ends } = run.folded;
    for (let at = text.indexOf(wording); at >= 0; at = text.indexOf(wording, at + 1)) {
      const place = { start: starts[at] ?? 0, end: ends[at + wording.length - 1] ?? 0 };
      if (isWhole(run.page.text, place)) return toEvidence(run, place);
    }
  }
  return null;
}

interface Place {
  start: number;
  end: number;
}

function toEvidence({ page, passages }: Run, { start, end }: Place): Evidence | null {
  const { url, title, text } = page;
  const name = nameOfPage(page, start);
  const quote = text.slice(start, end);
  if (quote.length > MAX_CHARACTERS || quote.split(/\s+/).length > MAX_WORDS) return null;
  const around = passages.filter((passage) => passage.start < end && passage.end > start);
  const passage = text.slice(around[0]?.start ?? start, around.at(-1)?.end ?? end);
  return { quote, url, title, start, end, ...(name !== null && { page: name }), passage };
}

/** "It sold 12" is no quote from "It sold 12,000 tickets". */
function isWhole(text: string, { start, end }: Place): boolean {
  return !splitsWord(text, start) && !splitsWord(text, end);
}

function splitsWord(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 2), at);
  const after = text.slice(at, at + 2);
  if (ENDS_IN_WORD.test(before) && BEGINS_IN_WORD.test(after)) return true;
  return /\d[.,]?$/.test(before) && /^[.,]?\d/.test(after);
}

/** A text in which equal things are equal, and where each of its characters came from. */
interface Folded {
  text: string;
  starts: number[];
  ends: number[];
}

/** Offsets are counted from `offset` on. White space is one space. */
function fold(text: string, offset: number): Folded {
  const folded: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let at = offset;
  for (const character of text) {
    const plain = foldCharacter(character);
    const repeats = plain === ' ' && folded.at(-1) === ' ';
    for (const unit of repeats ? '' : plain.split('')) {
      folded.push(unit);
      starts.push(at);
      ends.push(at + character.length);
    }
    at += character.length;
  }
  return { text: folded.join(''), starts, ends };
}

function foldCharacter(character: string): string {
  if (/\p{Cf}/u.test(character)) return ''; // soft hyphens, zero-width spaces, marks of direction
  if (/\s/.test(character)) return ' ';
  if (QUOTATION_MARK.test(character)) return "'";
  if (DASH.test(character)) return '-';
  return character.normalize('NFKD').toLowerCase();
}

/** After folding "…" is three dots. */
const OMISSION = /\.{3,}/;
const QUOTATION_MARK = /[\p{Pi}\p{Pf}'"`´‚„′″]/u;
const DASH = /[\p{Pd}−]/u;
/** Of scripts that part words by spaces. */
const LETTER = '(?!\\p{sc=Han}|\\p{sc=Hiragana}|\\p{sc=Katakana}|\\p{sc=Thai})[\\p{L}\\p{N}]';
const ENDS_IN_WORD = new RegExp(`${LETTER}\\p{M}*$`, 'u');
const BEGINS_IN_WORD = new RegExp(`^(?:${LETTER}|\\p{M})`, 'u');
