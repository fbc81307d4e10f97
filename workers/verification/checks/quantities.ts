/**
 * Text → quantities: what is counted or measured, as an interval of base units. Dates, times of day, scores, versions, house
 * numbers and codes such as A380 are left out.
 */
import type { DateDetail } from './dates.ts';
import { findSpelled } from './spelled.ts';
import { UNIT_SIGNS, unitOf } from './units.ts';

export interface Quantity {
  kind: 'quantity';
  start: number;
  end: number;
  /** In base units of the dimension; equal but for ranges. */
  low: number;
  high: number;
  isRange: boolean;
  /** `count`, `ordinal`, `share` (per cent), or what a unit measures. */
  dimension: string;
  /** Canonical name of the unit; '' for counts. */
  unit: string;
  /** As written, before conversion: the same number with another unit is a slip. */
  written: number;
  /** Half of the last digit that is meant, in base units: 1.2 million may be 1,187,000. */
  rounding: number;
  bound: 'about' | 'over' | 'under' | null;
}

/** In the order of the text; they do not overlap. `dates`: those found in it. */
export function findQuantities(text: string, dates: readonly DateDetail[]): Quantity[] {
  if (!ANY.test(text)) return [];
  const masked = mask(text, dates);
  const atoms = [...findDigits(masked), ...findWritten(masked), ...findFractions(masked)].sort(
    (a, b) => a.start - b.start,
  );
  const apart = atoms.filter((atom, at) => atom.start >= (atoms[at - 1]?.end ?? 0));
  return joinCompounds(joinRanges(apart, masked), masked).map((atom) => bounded(atom, masked));
}

/** Text of the same length in which no quantity is found where there is none. */
function mask(text: string, dates: readonly DateDetail[]): string {
  let masked = text;
  for (const { start, end } of dates) {
    const isCount =
      end - start === 4 &&
      COUNTED.test(text.slice(end, end + 30)) &&
      !DATED.test(text.slice(Math.max(0, start - 12), start));
    if (!isCount) masked = blank(masked, start, end);
  }
  return masked.replace(NO_QUANTITY, (found) => ' '.repeat(found.length - 1).concat('\u0001'));
}

function blank(text: string, start: number, end: number): string {
  return `${text.slice(0, start)}${' '.repeat(end - start - 1)}\u0001${text.slice(end)}`;
}

function findDigits(text: string): Quantity[] {
  return [...text.matchAll(DIGITS)].map((match) => {
    const place = { start: match.index, end: match.index + match[0].trimEnd().length };
    return readDigits(place, match.groups ?? {});
  });
}

function readDigits(place: Pick<Quantity, 'start' | 'end'>, groups: Record<string, string | undefined>): Quantity {
  const { sign, digits = '', scale = '', unit: behind, ordinal, money, code } = groups;
  const written = Number(digits.replace(/[,\s\u00a0\u202f]/g, '')) * (sign === undefined ? 1 : -1);
  if (ordinal !== undefined) return { ...plain(place, written, 0), dimension: 'ordinal' };
  const unit = unitOf(money ?? code ?? behind ?? '');
  // "30m" is metres unless money is counted
  if (scale === 'm' && unit?.dimension !== 'money')
    return measured(plain(place, written, roundingOf(digits, 1)), unitOf('m'));
  const factor = SCALES.get(scale.toLowerCase()) ?? 1;
  return measured(plain(place, written * factor, roundingOf(digits, factor)), unit);
}

function findWritten(text: string): Quantity[] {
  const ordinals = [...text.matchAll(ORDINAL)].map((match) => ({
    ...plain(
      { start: match.index, end: match.index + match[0].length },
      ORDINALS.indexOf(match[0].toLowerCase()) + 1,
      0,
    ),
    dimension: 'ordinal',
  }));
  const numbers = findSpelled(text).map(({ start, end, low, high }) => {
    const behind = UNIT_BEHIND.exec(text.slice(end, end + 30));
    const place = { start, end: end + (behind?.[0].length ?? 0) };
    const rounding = low >= 1000 ? roundingOf(String(low), 1) : 0;
    const quantity = measured({ ...plain(place, low, rounding), high }, unitOf(behind?.[1] ?? ''));
    return high > low ? { ...quantity, bound: 'about' as const } : quantity;
  });
  return [...ordinals, ...numbers];
}

/** "Half of the harvest", "two thirds of": shares, in per cent. */
function findFractions(text: string): Quantity[] {
  return [...text.matchAll(FRACTION)].map((match) => {
    const [found, count = 'a', part = ''] = match;
    const share =
      (100 * Math.max(1, COUNTS.indexOf(count.toLowerCase()))) /
      (PARTS.get(part.toLowerCase().replace(/s$|ves$/, '')) ?? 2);
    const quantity = plain({ start: match.index, end: match.index + found.length }, share, 1.5);
    return { ...quantity, dimension: 'share', unit: '%' };
  });
}

function plain(place: { start: number; end: number }, value: number, rounding: number): Quantity {
  return {
    kind: 'quantity',
    ...place,
    low: value,
    high: value,
    isRange: false,
    dimension: 'count',
    unit: '',
    written: value,
    rounding,
    bound: null,
  };
}

function measured(quantity: Quantity, unit: ReturnType<typeof unitOf>): Quantity {
  if (unit === null) return quantity;
  return {
    ...quantity,
    low: quantity.low * unit.factor + unit.offset,
    high: quantity.high * unit.factor + unit.offset,
    dimension: unit.dimension,
    unit: unit.name,
    // 42 % may be 41.8 %
    rounding: Math.max(quantity.rounding, unit.dimension === 'money' ? 0 : 0.5) * unit.factor,
  };
}

/** Decimals and scale words say how exact a number is; of whole numbers from 1,000 up the zeros do, but for 2.5 % at most. */
function roundingOf(digits: string, factor: number): number {
  const decimals = digits.split('.')[1]?.length ?? 0;
  if (decimals > 0 || factor > 1) return (factor / 10 ** decimals) * 0.5;
  const value = Number(digits.replace(/\D/g, ''));
  const zeros = /0*$/.exec(String(value))?.[0].length ?? 0;
  return value < 1000 ? 0 : Math.min(10 ** zeros / 2, value * 0.025);
}

function joinRanges(atoms: readonly Quantity[], text: string): Quantity[] {
  const joined: Quantity[] = [];
  for (const atom of atoms) {
    const last = joined.at(-1);
    const range = last === undefined ? null : rangeOf(last, atom, text);
    if (range === null) joined.push(atom);
    else joined[joined.length - 1] = range;
  }
  return joined;
}

function rangeOf(first: Quantity, last: Quantity, text: string): Quantity | null {
  const link = text.slice(first.end, last.start);
  const between = /between\s+$/i.test(text.slice(Math.max(0, first.start - 12), first.start));
  if (first.isRange || last.isRange || !(RANGE_LINK.test(link) || (between && /^\s+and\s+$/.test(link)))) return null;
  if (first.dimension !== last.dimension && first.dimension !== 'count') return null;
  const low = borrowScale(first, last);
  if (low >= last.high) return null;
  return {
    ...last,
    start: between ? first.start - 8 : first.start,
    low,
    isRange: true,
    rounding: Math.max(last.rounding, 0),
  };
}

/** "5 to 10 million km": the first number has the scale and the unit of the last. */
function borrowScale(first: Quantity, last: Quantity): number {
  if (first.dimension !== 'count') return first.low;
  const factor = last.written === 0 ? 1 : (last.high / last.written) * scaleOf(last);
  const value = first.low * factor;
  return value < last.high ? value : first.low;
}

function scaleOf(last: Quantity): number {
  const half = last.rounding * 2;
  return last.dimension === 'count' && half >= 1e5 ? half : 1;
}

/** "5 ft 5 in", "1 h 34 min". */
function joinCompounds(atoms: readonly Quantity[], text: string): Quantity[] {
  const joined: Quantity[] = [];
  for (const atom of atoms) {
    const last = joined.at(-1);
    const isNext =
      last !== undefined &&
      COMPOUND.has(`${last.unit} ${atom.unit}`) &&
      /^(?:,? | and )?$/.test(text.slice(last.end, atom.start));
    if (!isNext) joined.push(atom);
    else
      joined[joined.length - 1] = { ...atom, start: last.start, low: last.low + atom.low, high: last.high + atom.high };
  }
  return joined;
}

function bounded(quantity: Quantity, text: string): Quantity {
  const before = text.slice(Math.max(0, quantity.start - 24), quantity.start);
  const after = text.slice(quantity.end, quantity.end + 12);
  if (OVER.test(before) || /^\+| or more\b/.test(after)) return { ...quantity, bound: 'over' };
  if (UNDER.test(before)) return { ...quantity, bound: 'under' };
  return ABOUT.test(before) || /^ or so\b/.test(after) ? { ...quantity, bound: 'about' } : quantity;
}

/** Most sentences have no number: looking for all forms is dear. */
const ANY =
  /\d|\b(?:half|third|quarter|fifth|ten|eleven|twelve|[a-z]{3,5}teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|two|three|four|five|six|seven|eight|nine|dozens?|hundreds?|thousands?|millions?|billions?|fourth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth)\b/i;

const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ');
/** "First" and "second" order a text as often as they count. */
const ORDINAL = new RegExp(`\\b(?:${ORDINALS.slice(2).join('|')})\\b(?! of )`, 'gi');
const COUNTS = ['', 'a', 'two', 'three', 'four'];
const PARTS = new Map([
  ['hal', 2],
  ['half', 2],
  ['third', 3],
  ['quarter', 4],
  ['fifth', 5],
]);
const FRACTION = /\b(?:(an?|one|two|three|four)[ -])?((?<=[ -])(?:third|quarter|fifth)s?|half)(?= of | the )/gi;
const SCALES = new Map([
  ['hundred', 100],
  ['thousand', 1e3],
  ['k', 1e3],
  ['million', 1e6],
  ['mn', 1e6],
  ['m', 1e6],
  ['billion', 1e9],
  ['bn', 1e9],
  ['trillion', 1e12],
]);
const COMPOUND = new Set(['ft inch', 'hour minute', 'minute second', 'pound ounce', 'mile yard', 'year month']);

const NUMBER = '\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d{1,3}(?:[ \\u00a0\\u202f]\\d{3})+(?!\\d)|\\d+(?:\\.\\d+)?';
const UNIT_END = '(?![\\p{L}\\d])';
const DIGITS = new RegExp(
  `(?<![\\p{L}\\d.,/:#_])(?:(?<money>(?:US|CA?|AU?)?\\$|[£€¥₹]) ?|(?<code>USD|EUR|GBP|JPY|INR|CAD|AUD|CHF) )?(?<sign>(?<![\\p{L}\\d)])[−-])?(?<digits>${NUMBER})` +
    `(?:(?<ordinal>st|nd|rd|th)(?!\\p{L})|[ \\u00a0-]?(?<scale>hundred|thousand|million|billion|trillion|bn|mn|(?<=\\d)[mkMK])${UNIT_END})?` +
    `(?:[ \\u00a0-]?(?<unit>${UNIT_SIGNS})${UNIT_END})?(?![\\p{L}\\d]|[.,/:]\\d)`,
  'gu',
);
const UNIT_BEHIND = new RegExp(`^[ \\u00a0-](${UNIT_SIGNS})${UNIT_END}`, 'u');
const RANGE_LINK = /^\s*(?:[–—-]|to|or)\s*$/;

/** A year-like number is a count before a noun in the plural ("1500 copies") and where no preposition of time stands before it. */
const COUNTED = /^ (?!(?:was|is|has|this|as)\b)[a-z]{3,}s\b/;
const DATED = /\b(?:in|since|by|from|until|to|of|the|and|during|after|before|for)\s$/i;
const NO_QUANTITY = new RegExp(
  [
    '\\d{1,2}(?:[:.]\\d\\d)? ?[ap]\\.?m\\b\\.?',
    '\\d{1,2}:\\d\\d(?::\\d\\d)?',
    'https?:\\S{1,300}',
    '\\d+(?:\\.\\d+){2,}',
    '\\d{1,2}[–-]\\d{1,2}(?= (?:win|victory|loss|defeat|draw|in the|over|against|by|on)\\b|[,.;)])',
    '(?<!\\p{L})[A-Z]\\p{L}{0,30}[-–]?\\d+\\p{L}{0,30}',
    '\\d{1,5}[A-Z]?(?:[-–]\\d+)?(?= (?:\\p{Lu}\\p{L}+\\.? ){1,3}(?:Street|St|Avenue|Ave|Road|Rd|Row|Lane|Drive|Square|Boulevard|Blvd|Way)\\b)',
    '(?<=[Vv]ersion |[Cc]hapter |[Pp]age |[Pp]p?\\. ?|[Aa]rticle |[Ss]ection |[Rr]oute |[Hh]ighway |[Ii]ssue |[Vv]ol(?:\\.|ume) )\\d+(?:\\.\\d+)?',
    '\\+\\d{1,3}(?:[- ]\\d{2,4}){2,}|\\d{2,4}(?:-\\d{2,4}){2,}',
  ].join('|'),
  'gu',
);
const OVER =
  /\b(?:over|more than|at least|above|exceed(?:s|ed|ing)|upwards? of|no (?:less|fewer) than|not less than|minimum of)\s+(?:the\s+|an?\s+)?$/i;
const UNDER =
  /\b(?:under|less than|fewer than|below|up to|at most|no more than|not more than|as many as|maximum of)\s+(?:the\s+|an?\s+)?$/i;
const ABOUT =
  /(?:\b(?:about|around|nearly|almost|some|roughly|approximately|approx\.?|circa|c\.|ca\.|an? estimated|estimated(?: at)?|close to|just (?:over|under)|near|perhaps|or so)\s*|~\s?)(?:an?\s+)?$/i;
