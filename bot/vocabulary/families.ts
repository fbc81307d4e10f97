/**
 * What templates are called where no wiki was asked: names that the largest Wikipedias give them, English redirects, the parameters
 * of Citation Style 1. Data, also of the gadget; whatever a wiki says of its own templates comes before it (wiki-vocabulary.ts).
 */
import type { Meaning, Parameters } from './vocabulary.ts';

export interface Family {
  meaning: Meaning;
  /** Titles by language; the wiki is asked where these lead and what leads to them. */
  titles: Readonly<Record<string, readonly string[]>>;
  /** English redirects, lower case. */
  redirects: readonly string[];
}

const list = (text: string): string[] => text.split('|').map((name) => name.trim());

export const FAMILIES: readonly Family[] = [
  {
    meaning: 'failed_verification',
    titles: {
      en: ['Failed verification', 'Failed verification span'],
      es: ['No en fuente citada'],
      no: ['Ikke i angitt kilde'],
      cs: ['Není ve zdroji'],
      sl: ['Neuspešno preverjanje'],
    },
    redirects: list(
      `failedverification|failed|fv|nicg|not in citation|not in citation given|not in ref|not in reference|not in source|
       notinsource|not verified in body|source does not support|verification failed`,
    ),
  },
  {
    meaning: 'citation_needed',
    titles: {
      en: ['Citation needed', 'Citation needed span'],
      fr: ['Référence nécessaire', 'Référence souhaitée'],
      es: ['Cita requerida'],
      it: ['Citazione necessaria', 'Senza fonte'],
      ru: ['Нет АИ', 'Нет АИ 2'],
      ja: ['要出典', '要出典範囲'],
      zh: ['Fact', '来源请求'],
      pl: ['Fakt'],
      pt: ['Carece de fontes'],
      nl: ['Bron?'],
      sv: ['Källa behövs', 'Referens behövs'],
      ca: ['Citació necessària'],
      cs: ['Doplňte zdroj'],
      no: ['Trenger referanse'],
      fi: ['Lähde'],
      he: ['דרוש מקור'],
    },
    redirects: list(
      `citation required|citationneeded|cite needed|citeneeded|cb|cn|fact|facts|needs citation|needs citations|needs source|
       need citation|no source given|ref needed|ref-needed|reference needed|refneeded|source needed|source?|unsourced-inline|
       uncited-inline|cn-span|cnspan|fact span|reference necessary`,
    ),
  },
  {
    meaning: 'short_footnote',
    titles: { en: ['Sfn', 'Sfnp', 'Sfnm', 'Sfnmp'], pl: ['Odn'] },
    redirects: [],
  },
  {
    meaning: 'short_citation',
    titles: {
      en: list(
        `Harvard citation no brackets|Harvard citation|Harvard citation text|Harvcoltxt|Harvcol|Harvcolnb|Harvp`,
      ),
      fr: ['Harvsp', 'Harvnb'],
    },
    redirects: list('harvnb|harv|harvtxt'),
  },
  {
    meaning: 'named_reference',
    titles: { en: ['R'] },
    redirects: ['ref name'],
  },
  {
    meaning: 'pages',
    titles: { en: ['Reference page'], ja: ['Rp'], fr: ['Rp'] },
    redirects: list('rp|ref page|refpage'),
  },
  {
    meaning: 'archived_copy',
    titles: { en: ['Webarchive'] },
    redirects: list('wayback|web archive|webarchiv'),
  },
  {
    meaning: 'link_note',
    titles: { en: list('Dead link|Cbignore|Subscription required|Registration required') },
    redirects: list('deadlink|dl|subscription|registration'),
  },
];

/** https://en.wikipedia.org/wiki/Help:Citation_Style_1; most Wikipedias take these names too. */
export const ENGLISH_PARAMETERS: Parameters = {
  url: list('url|URL|chapter-url|chapterurl|contribution-url|section-url|article-url|entry-url'),
  archiveUrl: list('archive-url|archiveurl'),
  urlStatus: list('url-status|urlstatus|dead-url|deadurl'),
  title: list('title|chapter|article|entry|contribution|script-title'),
  accessDate: list('access-date|accessdate|access_date'),
  pages: list('page|pages|p|pp|at'),
  pmc: ['pmc'],
  arxiv: ['arxiv', 'eprint'],
  doi: ['doi', 'DOI'],
  jstor: ['jstor'],
  hdl: ['hdl'],
  pmid: ['pmid'],
};
