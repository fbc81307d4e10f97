/**
 * A text → its parts: the details that can be exchanged (names, years, numbers, months), and what stands between them. Then the same
 * words with other details. No understanding: a detail is known by its shape.
 */

/** `name`: one capitalised word. */
export type DetailKind = 'name' | 'year' | 'number' | 'count' | 'month' | 'weekday';

export interface Part {
  text: string;
  /** Null: what stands between details, kept as it is. */
  kind: DetailKind | null;
  /** Begins the sentence: a capital says nothing there. */
  isFirst: boolean;
}

/** The parts in their order; joined they are the sentence. */
export function takeApart(sentence: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of sentence.matchAll(WORD)) {
    const kind = kindOf(match[0]);
    if (kind === null) continue;
    if (match.index > end) parts.push(between(sentence.slice(end, match.index)));
    parts.push({ text: match[0], kind, isFirst: match.index === 0 });
    end = match.index + match[0].length;
  }
  return end < sentence.length ? [...parts, between(sentence.slice(end))] : parts;
}

function between(text: string): Part {
  return { text, kind: null, isFirst: false };
}

function kindOf(word: string): DetailKind | null {
  if (/^(?:1\d|20)\d\d$/.test(word)) return 'year';
  if (/^\d/.test(word)) return 'number';
  const lower = word.toLowerCase();
  if (COUNTS.includes(lower)) return 'count';
  if (!/^\p{Lu}/u.test(word)) return null;
  if (MONTHS.includes(lower)) return 'month';
  if (WEEKDAYS.includes(lower.replace(/s$/, ''))) return 'weekday';
  return word.length < 2 || SMALL.has(lower) ? null : 'name';
}

/** Words that stand for any other of their kind. */
export const COUNTS = 'two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty'.split(' ');
export const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
export const WEEKDAYS = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ');
/** Begin titles and quotations without being names. */
const SMALL = new Set(
  'a an and as at but by for from he her his i if in is it its my no not of on or our she so that the their then there these they this to was we what when where which who with you your'.split(
    ' ',
  ),
);
const WORD = /\d[\d,.]*\d|\d|\p{L}[\p{L}\p{M}'’]*/gu;
