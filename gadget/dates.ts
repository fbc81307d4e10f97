/** Days as a wiki writes them. In: a day, a format. Out: text. Formats: PHP's letters Y, F, M, m, n, d, j; `\` before one that stands for itself. */

/** `months`: twelve names; [] as the language (BCP 47) has them. */
export function formatDay(day: Date, format: string, language: string, months: readonly string[] = []): string {
  const month = day.getUTCMonth();
  const name = () => (months.length === 12 ? (months[month] ?? '') : monthOf(day, language, /[dj]/.test(format)));
  const letters: Record<string, () => string> = {
    Y: () => String(day.getUTCFullYear()),
    F: name,
    M: () => name().slice(0, 3),
    m: () => `0${month + 1}`.slice(-2),
    n: () => String(month + 1),
    d: () => `0${day.getUTCDate()}`.slice(-2),
    j: () => String(day.getUTCDate()),
  };
  return format.replace(/\\(.)|[YFMmndj]/g, (letter, literal?: string) => literal ?? letters[letter]?.() ?? letter);
}

/** The format in which a day is written; null if it is none that is known. */
export function formatOf(written: string): string | null {
  return FORMATS.filter(([pattern]) => pattern.test(written.trim()))[0]?.[1] ?? null;
}

/** Many languages bend the month's name where a day stands before it. */
function monthOf(day: Date, language: string, withDay: boolean): string {
  const how: Intl.DateTimeFormatOptions = { month: 'long', timeZone: 'UTC', ...(withDay ? { day: 'numeric' } : {}) };
  const parts = formatterOf(language, how).formatToParts(day);
  return parts.filter(({ type }) => type === 'month')[0]?.value ?? '';
}

/** MediaWiki's names of languages are not all BCP 47. */
function formatterOf(language: string, how: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(`${language}-u-ca-gregory`, how);
  } catch {
    return new Intl.DateTimeFormat('en', how);
  }
}

const FORMATS: readonly (readonly [RegExp, string])[] = [
  [/^\d{4}-\d\d-\d\d$/, 'Y-m-d'],
  [/^\d{1,2} \p{L}+ \d{4}$/u, 'j F Y'],
  [/^\p{L}+ \d{1,2}, \d{4}$/u, 'F j, Y'],
  [/^\d{1,2}\. \p{L}+ \d{4}$/u, 'j. F Y'],
  [/^\d{1,2} de \p{L}+ de \d{4}$/u, 'j \\d\\e F \\d\\e Y'],
  [/^\d\d\.\d\d\.\d{4}$/, 'd.m.Y'],
];
