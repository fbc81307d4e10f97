/**
 * A reference → the citation: which source it names. In: marker and references. Out: a Citation, or why the reference names
 * none. Whether the source can be read is not known here.
 */
import { Citation } from '../../shared/citation.ts';
import { hashCitation } from '../../shared/hash.ts';
import { originalOfArchived, parseHttpUrl } from '../../shared/url.ts';
import type { Element } from './document.ts';
import { ARCHIVE_TEMPLATES, CITATION_PARAMETERS, IDENTIFIERS, NOT_A_SOURCE } from './english.ts';
import type { UnpairedReason } from './extraction.ts';
import type { Link, Reference, References } from './references.ts';
import { plainWikitext, readDataMw, type Transclusion } from './transclusion.ts';

export function readCitation(marker: Element, references: References): Citation | UnpairedReason {
  const reference = references.of(marker);
  if (reference === null || isEmpty(reference)) return 'empty_reference';
  const own = readSource(reference);
  const work = own.url === null ? workOf(reference, references) : null;
  const source = work === null ? own : readSource(work);
  if (isNote(marker, reference, source)) return 'explanatory_note';
  const form = reference.works.length > 0 && own.url === null ? 'short_footnote' : 'ref';
  return toCitation(source, { text: reference.text, name: nameOf(marker), form });
}

interface CitedSource {
  url: string | null;
  archiveUrl: string | null;
  urlStatus: Citation['urlStatus'];
  title: string | null;
  accessDate: string | null;
  /** Named by a citation template. */
  isTemplate: boolean;
}

function isEmpty(reference: Reference): boolean {
  return reference.text === '' && reference.links.length === 0 && reference.transclusions.length === 0;
}

/** The first work of a short footnote that the page lists. */
function workOf(reference: Reference, references: References): Reference | null {
  for (const id of reference.works) {
    const work = references.work(id);
    if (work !== null) return work;
  }
  return null;
}

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

function readSource(reference: Reference): CitedSource {
  const templates = reference.transclusions.filter(({ name }) => !NOT_A_SOURCE.has(name));
  const template = templates.find((each) => urlOf(each) !== null) ?? templates.find((each) => titleOf(each) !== null);
  const link = reference.links.find(({ href }) => !isArchive(href)) ?? reference.links[0];
  const cited = (template && urlOf(template)) ?? link?.href ?? bareUrl(reference.text);
  const archiveUrl = (template && firstUrl(template, CITATION_PARAMETERS.archiveUrl)) ?? archiveOf(reference, cited);
  return {
    url: cited ?? (archiveUrl === null ? null : originalOfArchived(archiveUrl)),
    archiveUrl,
    urlStatus: template === undefined ? null : statusOf(template),
    title: (template && titleOf(template)) ?? linkTitle(link),
    accessDate: template === undefined ? null : accessDateOf(template),
    isTemplate: template !== undefined,
  };
}

function urlOf(template: Transclusion): string | null {
  return firstUrl(template, CITATION_PARAMETERS.url) ?? identifierUrl(template);
}

function firstUrl({ params }: Transclusion, names: readonly string[]): string | null {
  for (const name of names) {
    const url = bareUrl(params.get(name) ?? '');
    if (url !== null) return url;
  }
  return null;
}

function identifierUrl({ params }: Transclusion): string | null {
  for (const [name, address] of IDENTIFIERS) {
    const id = plainWikitext(params.get(name) ?? '');
    if (/^[\w./:()<>;-]+$/.test(id)) return address(id);
  }
  return null;
}

/** The first http(s) URL in a text. */
function bareUrl(text: string): string | null {
  const url = /(?:https?:|^)\/\/[^\s<>[\]{}|"]+/i.exec(text)?.[0].replace(/&amp;/g, '&') ?? '';
  return parseHttpUrl(url) === null || url.length > 4000 ? null : url;
}

function titleOf(template: Transclusion): string | null {
  return firstText(template, CITATION_PARAMETERS.title);
}

function firstText({ params }: Transclusion, names: readonly string[]): string | null {
  for (const name of names) {
    const text = plainWikitext(params.get(name) ?? '');
    if (text !== '') return text;
  }
  return null;
}

function linkTitle(link: Link | undefined): string | null {
  const text = link?.text.replace(/\s+/g, ' ').trim() ?? '';
  return text === '' || parseHttpUrl(text) !== null ? null : text;
}

function archiveOf(reference: Reference, url: string | null): string | null {
  const template = reference.transclusions.find(({ name }) => ARCHIVE_TEMPLATES.has(name));
  const link = reference.links.find(({ href }) => href !== url && isArchive(href));
  return (template && firstUrl(template, ['url', '1'])) ?? link?.href ?? null;
}

function isArchive(url: string): boolean {
  return ARCHIVES.test(parseHttpUrl(url)?.hostname ?? '');
}

const ARCHIVES =
  /^((web\.|www\.)?archive\.(org|today|is|ph|fo|li|vn|md)|(www\.)?webcitation\.org|webarchive\..+|archive-it\.org|ghostarchive\.org)$/;

function statusOf(template: Transclusion): Citation['urlStatus'] {
  const value = (firstText(template, CITATION_PARAMETERS.urlStatus) ?? '').toLowerCase();
  if (/^(yes|y|true)$/.test(value)) return 'dead';
  if (/^(no|n|false)$/.test(value)) return 'live';
  return Citation.shape.urlStatus.safeParse(value).data ?? null;
}

/** ISO dates and English dates with a day; null for others, such as "March 2011". */
function accessDateOf(template: Transclusion): string | null {
  const text = firstText(template, CITATION_PARAMETERS.accessDate) ?? '';
  const isDate = /^(\d{4}-\d\d-\d\d|\d{1,2} [A-Z][a-z]+\.? \d{4}|[A-Z][a-z]+\.? \d{1,2},? \d{4})$/.test(text);
  const time = isDate ? Date.parse(`${text.replace('.', '')} UTC`) : Number.NaN;
  return Number.isNaN(time) ? null : new Date(time).toISOString().slice(0, 10);
}

function toCitation(source: CitedSource, marker: Pick<Citation, 'text' | 'name' | 'form'>): Citation {
  const { isTemplate: _, ...named } = source;
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
