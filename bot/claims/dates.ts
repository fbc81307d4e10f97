/** Days as editors write them → ISO dates. In: a text, the language of its page. Out: null for what is no day, such as "March 2011". */

/** ISO, "4 March 2011" and "March 4, 2011" in any language that Intl knows the months of, "2011年3月4日". */
export function readDate(text: string, language: string): string | null {
  const iso = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? /^(\d{4})年(\d{1,2})月(\d{1,2})日$/.exec(text);
  if (iso !== null) return toIso(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const words = text.toLowerCase().match(/[\p{L}\p{M}]{2,}|\d+/gu) ?? [];
  const [first = '', second = ''] = words.filter((word) => /^\d+$/.test(word));
  const month = words.map((word) => monthOf(word, language)).find((found) => found !== undefined);
  if (month === undefined || !/^\d{1,2}$/.test(first) || !/^\d{4}$/.test(second)) return null;
  return toIso(Number(second), month, Number(first));
}

function monthOf(word: string, language: string): number | undefined {
  const months = monthsOf(language);
  return months.get(word) ?? (word.length >= 3 ? months.get(word.slice(0, 3)) : undefined);
}

function toIso(year: number, month: number, day: number): string | null {
  const time = new Date(Date.UTC(year, month - 1, day));
  const isDay = year >= 1000 && time.getUTCMonth() === month - 1 && time.getUTCDate() === day;
  return isDay ? time.toISOString().slice(0, 10) : null;
}

const KNOWN = new Map<string, ReadonlyMap<string, number>>();

/** Names of months, as they stand in a date and alone, and their first three letters where these say which; English ones too. */
function monthsOf(language: string): ReadonlyMap<string, number> {
  const known = KNOWN.get(language);
  if (known !== undefined) return known;
  const months = new Map<string, number>();
  for (const locale of ['en', ...supported(language)]) addMonths(months, locale);
  KNOWN.set(language, months);
  return months;
}

function addMonths(months: Map<string, number>, locale: string): void {
  const taken = new Set<string>();
  for (let month = 1; month <= 12; month++) {
    const day = new Date(Date.UTC(2011, month - 1, 4));
    for (const options of [{ month: 'long', day: 'numeric' }, { month: 'long' }] as const) {
      const parts = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).formatToParts(day);
      const name = parts.find(({ type }) => type === 'month')?.value.toLowerCase() ?? '';
      months.set(name, month);
      addShort(months, name.slice(0, 3), month, taken);
    }
  }
}

/** "jui" is both of French "juin" and "juillet": no month. */
function addShort(months: Map<string, number>, short: string, month: number, taken: Set<string>): void {
  const other = months.get(short);
  if (taken.has(short) || (other !== undefined && other !== month)) {
    months.delete(short);
    taken.add(short);
  } else if (/^\p{L}{3}$/u.test(short)) months.set(short, month);
}

function supported(language: string): string[] {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf([language]);
  } catch {
    return [];
  }
}
