/**
 * How a passage lies in Elasticsearch: one document, whose title and text stand in the field of their language, so that each is
 * analysed as its language is. Fields of a language are added when its first passage comes. In and out: passages, no requests.
 */
import type { estypes } from '@elastic/elasticsearch';
import { z } from 'zod';
import { type CorpusPassage, PassagePlace } from '../corpus/store.ts';

/** Without any language yet. Strict: a field that is not listed here is an error, not a new field. */
export const MAPPING: estypes.MappingTypeMapping = {
  dynamic: 'strict',
  properties: {
    id: { type: 'long' },
    pageId: { type: 'long' },
    sourceKey: { type: 'keyword' },
    url: { type: 'keyword', index: false, doc_values: false },
    domain: { type: 'keyword', ignore_above: 256 },
    language: { type: 'keyword', ignore_above: 64 },
    crawledAt: { type: 'date' },
    publishedAt: { type: 'date', format: 'strict_date' },
    position: { type: 'integer' },
    start: { type: 'integer', index: false },
    end: { type: 'integer', index: false },
    title: { properties: {} },
    text: { properties: {} },
  },
};

/** What is added to the mapping for some languages. */
export function mappingOf(codes: readonly string[]): Record<string, estypes.MappingProperty> {
  const fields = Object.fromEntries(codes.map((code) => [code, fieldOf(code)]));
  return { title: { properties: fields }, text: { properties: fields } };
}

/** Of an index's mapping, as Elasticsearch answers it: the languages that have fields `text.en` and `title.en`. */
export function codesOf(answer: unknown): string[] {
  return Object.values(Fields.parse(answer)).flatMap(({ mappings }) =>
    Object.keys(mappings.properties.text.properties ?? {}),
  );
}

/** Frequencies are all that BM25 needs: no positions. */
function fieldOf(code: string): estypes.MappingTextProperty {
  return { type: 'text', analyzer: ANALYZERS[code] ?? 'standard', index_options: 'freqs' };
}

/** The field of a BCP 47 language: its code where Elasticsearch has an analyzer for it, else `und`. */
export function toField(language: string): string {
  const code = language.toLowerCase().split(/[-_]/)[0] ?? '';
  return Object.hasOwn(ANALYZERS, code) ? code : 'und';
}

export function toDocument({ title, text, ...passage }: CorpusPassage): Record<string, unknown> {
  const field = toField(passage.language);
  return { ...passage, title: title === '' ? {} : { [field]: title }, text: { [field]: text } };
}

/** Throws ZodError for what `toDocument` did not make. */
export function toPassage(document: unknown): CorpusPassage {
  const { title, text, ...passage } = Document.parse(document);
  return StoredPassage.parse({ ...passage, title: Object.values(title)[0] ?? '', text: Object.values(text)[0] });
}

const StoredPassage = PassagePlace.extend({ text: z.string() });
const Texts = z.object({ properties: z.record(z.string(), z.unknown()).optional() });
const Fields = z.record(z.string(), z.object({ mappings: z.object({ properties: z.object({ text: Texts }) }) }));
const InOneField = z.record(z.string(), z.string());
const Document = z.looseObject({ title: InOneField, text: InOneField });

/** https://www.elastic.co/guide/en/elasticsearch/reference/8.19/analysis-lang-analyzer.html */
const ANALYZERS: Readonly<Record<string, string>> = {
  ar: 'arabic',
  bg: 'bulgarian',
  bn: 'bengali',
  ca: 'catalan',
  ckb: 'sorani',
  cs: 'czech',
  da: 'danish',
  de: 'german',
  el: 'greek',
  en: 'english',
  es: 'spanish',
  et: 'estonian',
  eu: 'basque',
  fa: 'persian',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  gl: 'galician',
  hi: 'hindi',
  hu: 'hungarian',
  hy: 'armenian',
  id: 'indonesian',
  it: 'italian',
  ja: 'cjk',
  ko: 'cjk',
  lt: 'lithuanian',
  lv: 'latvian',
  nb: 'norwegian',
  nl: 'dutch',
  nn: 'norwegian',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  sv: 'swedish',
  tr: 'turkish',
  zh: 'cjk',
};
