/**
 * What the gadget says, by key, in the reader's language. In: a language as MediaWiki names it. Out: texts with their numbers and
 * plurals (`{{PLURAL:$1|one=…|few=…|…}}`, CLDR's categories, the last one for all others). Asks nothing of the wiki.
 */
import ar from './i18n/ar.json' with { type: 'json' };
import de from './i18n/de.json' with { type: 'json' };
import en from './i18n/en.json' with { type: 'json' };
import es from './i18n/es.json' with { type: 'json' };
import fr from './i18n/fr.json' with { type: 'json' };
import he from './i18n/he.json' with { type: 'json' };

export type MessageKey = keyof typeof en;

export interface Messages {
  /** `$1`, `$2`… are the arguments: numbers as the language writes them, texts as they are. */
  (key: MessageKey, ...args: (string | number)[]): string;
  /** Of the texts, which need not be the reader's: BCP 47. */
  readonly language: string;
}

/** Texts of the language, or of the one that it is a variant of (`de-at`), or English. */
export function createMessages(wanted: string): Messages {
  const language =
    [wanted, wanted.split('-')[0] ?? ''].filter((name) => LANGUAGES.hasOwnProperty.call(LANGUAGES, name))[0] ?? 'en';
  const texts = LANGUAGES[language];
  const plurals = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  const say = (key: MessageKey, ...args: (string | number)[]) =>
    (texts?.[key] ?? en[key])
      .replace(PLURAL, (_, position: string, forms: string) =>
        formOf(forms.split('|'), plurals.select(Number(args[Number(position) - 1]))),
      )
      .replace(/\$(\d)/g, (_, position: string) => {
        const arg = args[Number(position) - 1];
        return typeof arg === 'number' ? numbers.format(arg) : (arg ?? '');
      });
  return Object.assign(say, { language });
}

function formOf(forms: readonly string[], category: string): string {
  const named = forms.filter((form) => form.startsWith(`${category}=`))[0];
  return named === undefined ? (forms[forms.length - 1] ?? '') : named.slice(category.length + 1);
}

const PLURAL = /\{\{PLURAL:\$(\d)\|([^}]*)\}\}/g;

const LANGUAGES: Record<string, Partial<Record<MessageKey, string>>> = { ar, de, en, es, fr, he };
