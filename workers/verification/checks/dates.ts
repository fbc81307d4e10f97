/** Text → dates with what they leave open: day, month, year, decade, century. No times of day, no dates relative to another. */

export interface DateDetail {
  kind: 'date';
  start: number;
  end: number;
  /** First and last year it may be; null where only day and month are given. */
  years: readonly [number, number] | null;
  /** 1 to 12. */
  month: number | null;
  day: number | null;
  /** From the first to the last year named together: what lies between is neither said nor denied. */
  isPeriod: boolean;
}

export function findDates(text: string): DateDetail[] {
  if (!ANY.test(text)) return [];
  return [...text.matchAll(DATE)].flatMap((match) => {
    const read = readDate(match.groups ?? {});
    const place = { kind: 'date' as const, start: match.index, end: match.index + match[0].length };
    return read.flatMap(({ offset, length, ...date }) => {
      const start = place.start + (offset ?? 0);
      return isDate(date) ? [{ ...place, start, end: length === undefined ? place.end : start + length, ...date }] : [];
    });
  });
}

/** Where both say something of the same part, it is equal; false where no part is given by both. */
export function agree(a: DateDetail, b: DateDetail): boolean {
  return conflict(a, b) === null && sharesPart(a, b);
}

/** The widest part in which the two differ; null if none does. */
export function conflict(a: DateDetail, b: DateDetail): 'year' | 'month' | 'day' | null {
  if (a.years !== null && b.years !== null && (a.years[1] < b.years[0] || b.years[1] < a.years[0])) return 'year';
  if (a.month !== null && b.month !== null && a.month !== b.month) return 'month';
  if (a.day !== null && b.day !== null && a.day !== b.day) return 'day';
  return null;
}

function sharesPart(a: DateDetail, b: DateDetail): boolean {
  return (a.years !== null && b.years !== null) || (a.month !== null && b.month !== null);
}

type Read = Omit<DateDetail, 'kind' | 'start' | 'end'> & { offset?: number; length?: number };

function readDate(groups: Record<string, string | undefined>): Read[] {
  if (groups.century !== undefined) return [inYears(...centuryOf(groups.century))];
  if (groups.decade !== undefined) return [inYears(Number(groups.decade), Number(groups.decade) + 9)];
  if (groups.first !== undefined && groups.last !== undefined)
    return readPeriod(groups.first, groups.last, groups.dash ?? '');
  if (groups.isoYear !== undefined) return [onDay(groups.isoYear, Number(groups.isoMonth), groups.isoDay)];
  const name = groups.month1 ?? groups.month2 ?? groups.month3 ?? groups.month4;
  if (name !== undefined) {
    const year = groups.year1 ?? groups.year2 ?? groups.year3;
    return [onDay(year, monthOf(name), groups.day1 ?? groups.day2)];
  }
  const year = Number(groups.year);
  return [groups.about === undefined ? inYears(year, year) : inYears(year - 5, year + 5)];
}

/** "1931–44": both years, and what lies between. */
function readPeriod(first: string, last: string, dash: string): Read[] {
  const from = Number(first);
  const to = last.length === 4 ? Number(last) : Number(first.slice(0, 4 - last.length) + last);
  if (to <= from) return [inYears(from, from)];
  const offset = first.length + dash.length;
  return [
    { ...inYears(from, from), length: 4 },
    { ...inYears(to, to), offset, length: last.length },
    { ...inYears(from, to), isPeriod: true },
  ];
}

function inYears(from: number, to: number): Read {
  return { years: [from, to], month: null, day: null, isPeriod: false };
}

function onDay(year: string | undefined, month: number, day: string | undefined): Read {
  const years = year === undefined ? null : ([Number(year), Number(year)] as const);
  return { years, month, day: day === undefined ? null : Number(day), isPeriod: false };
}

function isDate({ month, day }: Read): boolean {
  return (month === null || (month >= 1 && month <= 12)) && (day === null || (day >= 1 && day <= 31));
}

function centuryOf(ordinal: string): [number, number] {
  const spelled = ORDINALS.indexOf(ordinal.toLowerCase());
  const century = spelled === -1 ? Number.parseInt(ordinal, 10) : spelled + 10;
  return [century * 100 - 100, century * 100];
}

function monthOf(name: string): number {
  return MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
}

const ANY = /\d{2}|[Cc]entury|\b(?:Jan|Feb|Ma[ry]|Apr|Ju[nl]|Aug|Sep|Oct|Nov|Dec)/;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** From the tenth on. */
const ORDINALS =
  'tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first'.split(
    ' ',
  );
const MONTH =
  'Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?';
const YEAR = '(?:1\\d|20)\\d\\d(?![\\d%]|[.,]\\d)';
const TH = '(?:st|nd|rd|th)?';
const DATE = new RegExp(
  [
    `(?<century>\\d{1,2}(?:st|nd|rd|th)|${ORDINALS.join('|')})[ -][Cc]entury`,
    `(?<decade>(?:1\\d|20)\\d0)['’]?s\\b`,
    `(?<isoYear>(?:1\\d|20)\\d\\d)-(?<isoMonth>[01]\\d)-(?<isoDay>[0-3]\\d)(?!\\d)`,
    `(?<first>${YEAR})(?<dash> ?[–—/-] ?)(?<last>(?:(?:1\\d|20)\\d\\d|\\d\\d))(?!\\d|[.,/-]\\d)`,
    `(?<day1>\\d{1,2})${TH}(?: of)? (?:the )?(?<month1>${MONTH})\\b\\.?(?:,? (?<year1>${YEAR}))?`,
    `(?<month2>${MONTH})\\b\\.? (?<day2>\\d{1,2})${TH}(?!\\d|[.,:]\\d|%)(?:,? (?<year2>${YEAR}))?`,
    `(?<month3>${MONTH})\\b(?:\\.|,| of)? ?(?<year3>${YEAR})`,
    `(?<=\\b(?:in|since|until|by|of|early|late|mid)[ -])(?<month4>${MONTH})\\b(?! \\d)`,
    `(?:(?<about>\\b(?:around|about|circa|c\\.|ca\\.|roughly) ?))?(?<year>${YEAR})(?!['’]?s\\b|-\\d)`,
  ]
    .map((form) => `(?<![\\p{L}\\d.,/$£€#-])${form}`)
    .join('|'),
  'gu',
);
