/**
 * What a wiki wants done its own way: MediaWiki:Gadget-sidelight.json, each field described in deploy/gadget/config.md. In: any
 * JSON. Out: settings; a field that is missing or of a wrong type is as it is by default. Asks nobody.
 */
import { ENGLISH_PARAMETERS, FAMILIES } from '../bot/vocabulary/families.ts';
import type { Meaning } from '../bot/vocabulary/vocabulary.ts';
import type { EditKind } from './editing.ts';

export interface SiteConfig {
  /** Names without the namespace. The first of a list is written; all are recognised. */
  templates: {
    failedVerification: readonly string[];
    citationNeeded: readonly string[];
    /** That stay when their source is replaced. */
    citation: readonly string[];
    shortFootnote: readonly string[];
    /** {{harvnb}}. */
    shortCitation: readonly string[];
    namedReference: readonly string[];
    pages: readonly string[];
    /** Footnotes of text: {{refn}}. */
    note: readonly string[];
    referenceList: readonly string[];
  };
  /** Template of a new citation by the type of work that Citoid names; `webpage` for all others. */
  templateByType: Readonly<Record<string, string>>;
  parameters: Readonly<Record<ParameterRole, readonly string[]>>;
  dates: {
    /** Of access dates, in letters Y, F, M, m, n, d, j. */
    access: string;
    /** Of tags. */
    tag: string;
    /** Twelve names; [] as the wiki's language has them. */
    months: readonly string[];
  };
  /** Edit summaries: `$1` the site that is cited, `$2` the finding's number. */
  summaries: Readonly<Record<EditKind, string>>;
  /** Words for the tag's reason. */
  reasons: Readonly<Record<TagReason, string>>;
  /** Change tag that edits carry, if the wiki has it and lets people set it; '' for none. */
  changeTag: string;
  /** Path on this wiki that an address is appended to; '' for none. */
  citoid: string;
  /** Template by which a page asks for the bot's report. */
  reportTemplate: string;
  /** Name of a project at the review service by the title of its page on the wiki. */
  projects: Readonly<Record<string, string>>;
}

export type ParameterRole =
  | 'url'
  | 'title'
  | 'website'
  | 'date'
  | 'accessDate'
  | 'page'
  | 'quote'
  | 'first'
  | 'last'
  | 'tagDate'
  | 'tagReason';

export type TagReason = 'source_disagrees' | 'source_silent' | 'partly';

/** `json`: anything. `language`: of the wiki's content. */
export function parseSiteConfig(json: unknown, language: string): SiteConfig {
  return merge(defaultsFor(language), json);
}

export function defaultsFor(language: string): SiteConfig {
  return {
    ...DEFAULTS,
    templates: {
      ...DEFAULTS.templates,
      failedVerification: namesOf('failed_verification', language),
      citationNeeded: namesOf('citation_needed', language),
      shortFootnote: namesOf('short_footnote', language),
      shortCitation: namesOf('short_citation', language),
      namedReference: namesOf('named_reference', language),
      pages: namesOf('pages', language),
    },
  };
}

/** The wiki's own first, then English ones, which wikis in any language copy: as editors there write them. */
function namesOf(meaning: Meaning, language: string): string[] {
  const family = FAMILIES.filter((one) => one.meaning === meaning)[0];
  if (family === undefined) return [];
  const code = language.split('-')[0] ?? 'en';
  const own = code === 'en' ? [] : (family.titles[code] ?? []);
  const english = (family.titles.en ?? []).map((title) => title.charAt(0).toLowerCase() + title.slice(1));
  return own.concat(english, family.redirects).filter((name, i, all) => all.indexOf(name) === i);
}

/** Of what the defaults are: lists of texts, texts, and objects of these. An open object takes texts by any name. */
function merge<T>(defaults: T, given: unknown): T {
  if (typeof defaults === 'string') return (typeof given === 'string' ? given : defaults) as T; // T is string
  if (Array.isArray(defaults)) return (textsOf(given) ?? defaults) as T; // T is string[]
  if (!isObject(given)) return defaults;
  const merged: Record<string, unknown> = {};
  const known = defaults as Record<string, unknown>; // an object: of no other types are settings made
  const isOpen = OPEN.indexOf(defaults) >= 0;
  Object.keys(isOpen ? { ...known, ...given } : known).forEach((name) => {
    const before = name in known ? known[name] : '';
    const value = merge(before, HAS.call(given, name) ? given[name] : undefined);
    if (value !== '' || name in known) merged[name] = value;
  });
  return merged as T; // every field of `defaults`, each of its type
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Null for what is no list of texts; an empty list counts. */
function textsOf(value: unknown): string[] | null {
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value) || value.length > MOST_NAMES) return null;
  return value.every((one) => typeof one === 'string') ? value : null;
}

export const CONFIG_PAGE = 'MediaWiki:Gadget-sidelight.json';
const MOST_NAMES = 200;

const DEFAULTS: SiteConfig = {
  templates: {
    failedVerification: [],
    citationNeeded: [],
    citation: [
      'Cite web',
      'Cite news',
      'Cite magazine',
      'Cite journal',
      'Cite book',
      'Cite report',
      'Cite encyclopedia',
      'Citation',
    ],
    shortFootnote: [],
    shortCitation: [],
    namedReference: [],
    pages: [],
    note: ['refn', 'efn'],
    referenceList: ['Reflist', 'References', 'Refs', 'Notelist'],
  },
  templateByType: {
    webpage: 'cite web',
    newspaperArticle: 'cite news',
    magazineArticle: 'cite magazine',
    journalArticle: 'cite journal',
    book: 'cite book',
    report: 'cite report',
  },
  parameters: {
    url: ENGLISH_PARAMETERS.url,
    title: ['title'],
    website: ['website', 'work', 'newspaper', 'magazine', 'journal'],
    date: ['date'],
    accessDate: ENGLISH_PARAMETERS.accessDate,
    page: ENGLISH_PARAMETERS.pages,
    quote: ['quote', 'quotation'],
    first: ['first'],
    last: ['last'],
    tagDate: ['date'],
    tagReason: ['reason'],
  },
  dates: { access: 'Y-m-d', tag: 'F Y', months: [] },
  summaries: {
    replace: 'Replace a citation that does not support its sentence with $1 (Sidelight finding $2)',
    add: 'Cite $1 beside what is cited (Sidelight finding $2)',
    tag: 'Tag a citation that does not support its sentence (Sidelight finding $2)',
    untag: 'Remove a tag from a citation (Sidelight finding $2)',
  },
  reasons: {
    source_disagrees: 'the source says otherwise',
    source_silent: 'the source does not say this',
    partly: 'the source supports only a part of this',
  },
  changeTag: '',
  citoid: '/api/rest_v1/data/citation/mediawiki/',
  reportTemplate: 'Sidelight report',
  projects: {},
};

/** Objects that take names of the wiki's own. */
const OPEN: readonly unknown[] = [DEFAULTS.templateByType, DEFAULTS.projects];
const HAS = Object.prototype.hasOwnProperty;
