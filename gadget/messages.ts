/**
 * What the gadget says, by key, in the reader's language. In: a language and its texts. Out: texts with their numbers and
 * plurals (`{{PLURAL:$1|one=…|few=…|…}}`, CLDR's categories, the last one for all others). English stands for what is missing.
 */
import en from './i18n/en.json' with { type: 'json' };

export type MessageKey = keyof typeof en;

export type Texts = Partial<Record<MessageKey, string>>;

/** Texts as a language's page has them (deploy/gadget/build.ts). */
export interface TextList {
  /** Which keys: those of the script that it was built with. */
  of: string;
  /** In the order of KEYS. */
  texts: readonly string[];
}

export const KEYS = Object.keys(en) as readonly MessageKey[]; // of this very object

export function textsOf({ texts }: TextList): Texts {
  const named: Texts = {};
  KEYS.forEach((key, i) => {
    named[key] = texts[i] ?? '';
  });
  return named;
}

export interface Messages {
  /** `$1`, `$2`… are the arguments: numbers as the language writes them, texts as they are. */
  (key: MessageKey, ...args: (string | number)[]): string;
  /** Of the texts, which need not be the reader's: BCP 47. */
  readonly language: string;
}

/** Beside English. Each has its own page on the wiki, which only its readers load. */
export const LANGUAGES: readonly string[] = ['ar', 'de', 'es', 'fr', 'he'];

/** Which texts a reader gets: those of the language, or of the one that it is a variant of (`de-at`), or English. */
export function languageOf(wanted: string): string {
  return [wanted, wanted.split('-')[0] ?? ''].filter((name) => LANGUAGES.indexOf(name) >= 0)[0] ?? 'en';
}

export function createMessages(language: string, texts: Texts = {}): Messages {
  let plurals: Intl.PluralRules | null = null; // slow to make, and mostly not needed to begin with
  let numbers: Intl.NumberFormat | null = null;
  const categoryOf = (count: number) => {
    if (language === 'en') return count === 1 ? 'one' : 'other';
    plurals = plurals ?? new Intl.PluralRules(language);
    return plurals.select(count);
  };
  const write = (count: number) => {
    if (language !== 'ar' && count % 1 === 0 && count >= 0 && count < 1000) return String(count);
    numbers = numbers ?? new Intl.NumberFormat(language);
    return numbers.format(count);
  };
  const say = (key: MessageKey, ...args: (string | number)[]) =>
    (texts[key] || en[key])
      .replace(PLURAL, (_, position: string, forms: string) =>
        formOf(forms.split('|'), categoryOf(Number(args[Number(position) - 1]))),
      )
      .replace(/\$(\d)/g, (_, position: string) => {
        const arg = args[Number(position) - 1];
        return typeof arg === 'number' ? write(arg) : (arg ?? '');
      });
  return Object.assign(say, { language });
}

function formOf(forms: readonly string[], category: string): string {
  const named = forms.filter((form) => form.startsWith(`${category}=`))[0];
  return named === undefined ? (forms[forms.length - 1] ?? '') : named.slice(category.length + 1);
}

const PLURAL = /\{\{PLURAL:\$(\d)\|([^}]*)\}\}/g;
