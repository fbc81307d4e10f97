/**
 * A reference → the citation: which source it names. In: marker and references. Out: a Citation, or why the reference names
 * none. Whether the source can be read is not known here.
 */
import type { Citation } from '../../shared/citation.ts';
import { hashCitation } from '../../shared/hash.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { CitationMark } from './block.ts';
import { type CitedSource, readSource } from './cited.ts';
import type { Element } from './document.ts';
import type { UnpairedReason } from './extraction.ts';
import { pagesIn, pagesOf, type WorkLink, worksOf } from './footnotes.ts';
import { bareReference, type Reference } from './reference.ts';
import type { References } from './references.ts';
import { readDataMw, readTransclusions, type Transclusion } from './transclusion.ts';

/** What a citation is read with. */
export interface CitationContext {
  references: References;
  vocabulary: Vocabulary;
  /** Of the page. */
  language: string;
}

export function readCitation(mark: CitationMark, context: CitationContext): Citation | UnpairedReason {
  if (mark.ignored === true) return 'ignored';
  const { references, vocabulary, language } = context;
  const marker = mark.element;
  const reference = mark.kind === 'link' ? bareReference(marker) : references.of(marker);
  if (reference === null || isEmpty(reference)) return 'empty_reference';
  if (reference.ignored) return 'ignored';
  const own = readSource(reference, vocabulary, language);
  const named = own.url === null ? workOf(reference, references) : null;
  const source = named === null ? own : readSource(named.work, vocabulary, language);
  if (isNote(marker, reference, source)) return 'explanatory_note';
  const isShort = reference.works.length > 0 && own.url === null;
  const pages = mark.pages ?? pagesOfUse(marker, reference, named?.link ?? null, own, context);
  const cited = { text: reference.text, name: nameOf(marker), form: isShort ? 'short_footnote' : 'ref' } as const;
  return toCitation(source, { ...cited, ...(pages !== null && { pages }) });
}

function isEmpty({ text, links, transclusions, works }: Reference): boolean {
  return text === '' && links.length + transclusions.length + works.length === 0;
}

/** The first work of a short footnote that the page lists. */
function workOf(reference: Reference, references: References): { work: Reference; link: WorkLink } | null {
  for (const link of reference.works) {
    const work = references.work(link.id);
    if (work !== null) return { work, link };
  }
  return null;
}

/** Pages that this use names: in the marker's own template, in the footnote that names the work, in the citation's template, in words. */
function pagesOfUse(
  marker: Element,
  reference: Reference,
  link: WorkLink | null,
  own: CitedSource,
  { vocabulary }: CitationContext,
): string | null {
  const template = readTransclusions(marker).find(({ name }) => PAGED.has(vocabulary.meaningOf(name) ?? ''));
  const inMarker = template === undefined ? null : pagesInMarker(template, link);
  const isShort = reference.works.length > 0 && own.url === null;
  return inMarker ?? link?.pages ?? own.pages ?? (isShort || !own.isTemplate ? pagesIn(reference.text) : null);
}

function pagesInMarker(template: Transclusion, link: WorkLink | null): string | null {
  return worksOf(template).find(({ id }) => id === link?.id)?.pages ?? pagesOf(template);
}

const PAGED: ReadonlySet<string> = new Set(['short_footnote', 'named_reference']);

/** Notes stand in a group of their own or hold references of their own, and name no source themselves. */
function isNote(marker: Element, reference: Reference, source: CitedSource): boolean {
  if (source.url !== null || source.isTemplate || reference.works.length > 0) return false;
  return reference.holdsReferences || groupOf(marker) !== '';
}

function groupOf(marker: Element): string {
  const group = readDataMw(marker).attrs?.group;
  return typeof group === 'string' ? group : '';
}

function nameOf(marker: Element): string | null {
  const name = readDataMw(marker).attrs?.name;
  return typeof name === 'string' && name !== '' ? name.slice(0, 500) : null;
}

function toCitation(source: CitedSource, marker: Pick<Citation, 'text' | 'name' | 'form' | 'pages'>): Citation {
  const { isTemplate: _template, pages: _pages, ...named } = source;
  const cited = {
    ...named,
    ...marker,
    url: bounded(source.url),
    archiveUrl: source.archiveUrl === source.url ? null : bounded(source.archiveUrl),
    title: source.title?.slice(0, 1000) ?? null,
    text: marker.text.slice(0, 4000),
  };
  return { hash: hashCitation(cited), ...cited };
}

/** An address that no server takes, a data: URL for one, is none. */
function bounded(url: string | null): string | null {
  return url === null || url.length > LONGEST_URL ? null : url;
}

const LONGEST_URL = 4000;
