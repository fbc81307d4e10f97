/** Text → what can be looked up word by word: content words, numbers, dates, names, in forms in which equal things are equal. */
import { stemmer } from 'stemmer';

export interface Terms {
  /** Stems of the content words, without accents, lower case. */
  words: Set<string>;
  /** Pairs of content words that follow each other, `a b`. */
  pairs: Set<string>;
  /** `1200`, `0.5`, `1200000` for "1.2 million"; spelled-out from two to ninety-nine. Years count here too: "1200" may be either. */
  numbers: Set<string>;
  /** `y2019`, `m3` (March), `d3-5` (5 March). */
  dates: Set<string>;
  /** Stems of words that are written like names: capitalised inside a sentence, or beside such a word, or all capitals. */
  names: Set<string>;
}

export function findTerms(text: string): Terms {
  const plain = text.normalize('NFKC');
  const { words, pairs, names } = findWords(plain);
  return { words, pairs, names, numbers: findNumbers(plain), dates: findDates(plain) };
}

export function mergeTerms(parts: readonly Terms[]): Terms {
  const merged: Terms = { words: new Set(), pairs: new Set(), numbers: new Set(), dates: new Set(), names: new Set() };
  for (const part of parts) {
    for (const kind of KINDS) for (const term of part[kind]) merged[kind].add(term);
  }
  return merged;
}

/** The share of `terms` that `found` has too, 0 to 1; `whenNone` if there are no terms. */
export function containment(terms: Set<string>, found: Set<string>, whenNone: number): number {
  if (terms.size === 0) return whenNone;
  let shared = 0;
  for (const term of terms) if (found.has(term)) shared += 1;
  return shared / terms.size;
}

function findWords(text: string): Pick<Terms, 'words' | 'pairs' | 'names'> {
  const words = new Set<string>();
  const pairs = new Set<string>();
  const names = new Set<string>();
  let previous: string | null = null;
  for (const token of findTokens(text)) {
    const stem = stemOf(token.text);
    if (stem === null) continue;
    words.add(stem);
    if (previous !== null) pairs.add(`${previous} ${stem}`);
    if (token.isName) names.add(stem);
    previous = stem;
  }
  return { words, pairs, names };
}

function findTokens(text: string): { text: string; isName: boolean }[] {
  const matches = [...text.matchAll(TOKEN)];
  return matches.map((match, at) => {
    const word = match[0];
    const next = matches[at + 1]?.[0];
    const starts = at === 0 || /[.!?:\n"“]\s*$/.test(text.slice(Math.max(0, match.index - 3), match.index));
    return { text: word, isName: isCapitalised(word) && (!starts || isAcronym(word) || isCapitalised(next)) };
  });
}

function isCapitalised(word: string | undefined): boolean {
  return word !== undefined && /^\p{Lu}/u.test(word) && !STOP_WORDS.has(word.toLowerCase());
}

function isAcronym(word: string): boolean {
  return /^\p{Lu}{2,}$/u.test(word);
}

/** Null for stop words, month names and single letters. */
function stemOf(token: string): string | null {
  const known = stems.get(token);
  if (known !== undefined) return known;
  const folded = token
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’]s?$/, '');
  const stem =
    folded.length < 2 || STOP_WORDS.has(folded) || MONTHS.test(folded) || SPELLED.has(folded) ? null : stemmer(folded);
  if (stems.size > 200_000) stems.clear();
  stems.set(token, stem);
  return stem;
}

/** Stemming is most of the time on a long page, and words repeat. */
const stems = new Map<string, string | null>();

function findNumbers(text: string): Set<string> {
  const numbers = new Set<string>();
  for (const match of text.matchAll(DIGITS)) {
    const [, digits = '', scale = ''] = match;
    const value = Number(digits.replace(/[,\s]/g, '')) * (SCALES[scale.toLowerCase()] ?? 1);
    numbers.add(String(Number(value.toPrecision(12))));
  }
  for (const [word] of text.toLowerCase().matchAll(SPELLED_NUMBER)) {
    const [tens = '', ones] = word.split(/[- ]/);
    numbers.add(String((SPELLED.get(tens) ?? 0) + (ones === undefined ? 0 : (SPELLED.get(ones) ?? 0))));
  }
  return numbers;
}

function findDates(text: string): Set<string> {
  const dates = new Set<string>();
  for (const [, year] of text.matchAll(/(?<![\d.,])((?:1[0-9]|20)\d\d)(?!\d|[.,]\d)/g)) dates.add(`y${year}`);
  for (const [, name = '', day] of text.matchAll(MONTH_DAY)) addDay(dates, monthOf(name), day);
  for (const [, day, name = ''] of text.matchAll(DAY_MONTH)) addDay(dates, monthOf(name), day);
  for (const [, month, day] of text.matchAll(/\b\d{4}-(\d\d)-(\d\d)/g)) addDay(dates, Number(month), day);
  return dates;
}

function addDay(dates: Set<string>, month: number, day: string | undefined): void {
  dates.add(`m${month}`);
  if (day !== undefined) dates.add(`d${month}-${Number(day)}`);
}

function monthOf(name: string): number {
  return MONTH_NAMES.indexOf(name.slice(0, 3).toLowerCase()) + 1;
}

const KINDS = ['words', 'pairs', 'numbers', 'dates', 'names'] as const;

const TOKEN = /\p{L}[\p{L}\p{M}]*(?:['’]\p{L}+)?/gu;
const DIGITS =
  /(?<![\d.,])(\d{1,3}(?:[,\u0020](?=\d{3}(?!\d))\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?:\s?(thousand|million|billion|trillion|bn|m|k)\b)?/gi;
const SCALES: Record<string, number> = {
  thousand: 1e3,
  k: 1e3,
  million: 1e6,
  m: 1e6,
  billion: 1e9,
  bn: 1e9,
  trillion: 1e12,
};

const MONTH_NAMES = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH =
  '(Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)';
const MONTHS = new RegExp(`^${MONTH}$`, 'i');
const MONTH_DAY = new RegExp(`\\b${MONTH}\\.?(?: (\\d{1,2})(?:st|nd|rd|th)?(?!\\d))?\\b`, 'g');
const DAY_MONTH = new RegExp(`(?<!\\d)(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH}\\b`, 'g');

const ONES = 'two three four five six seven eight nine'.split(' ');
const TEENS = 'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ');
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const SPELLED = new Map<string, number>([
  ['one', 1],
  ...ONES.map((word, at): [string, number] => [word, at + 2]),
  ...TEENS.map((word, at): [string, number] => [word, at + 10]),
  ...TENS.map((word, at): [string, number] => [word, at * 10 + 20]),
]);
const SPELLED_NUMBER = new RegExp(
  `\\b(?:(?:${TENS.join('|')})(?:[- ](?:one|${ONES.join('|')}))?|${[...ONES, ...TEENS].join('|')})\\b`,
  'g',
);

const STOP_WORDS = new Set(
  `a about above after again against all also although am among an and another any are around as at be became because become
  been before being below between billion both but by can could did do does doing down during each either etc few for from further
  had has have having he her here hers herself him himself his how however hundred i if in into is it its itself just like made many
  may me might million more most much must my nor not now of off on once only onto or other our out over own per percent said same several
  shall she should since so some such than that the their them themselves then there these they this those though thousand through
  thus to too toward towards under until up upon us use used using very via was we were what when where whether which while
  who whom whose why will with within without would yet you your`.split(/\s+/),
);
