/**
 * What a reference names as its source: by its citation template, whose parameters a vocabulary knows in any language, or by a link.
 * In: a reference. Out: address, archived copy, title, dates. Fetches nothing.
 */
import { Citation } from '../../shared/citation.ts';
import { originalOfArchived, parseHttpUrl } from '../../shared/url.ts';
import type { Role, Vocabulary } from '../vocabulary/vocabulary.ts';
import { readDate } from './dates.ts';
import { cleanPages } from './footnotes.ts';
import { IDENTIFIERS } from './identifiers.ts';
import type { Link, Reference } from './reference.ts';
import { plainWikitext, type Transclusion } from './transclusion.ts';

export interface CitedSource {
  url: string | null;
  archiveUrl: string | null;
  urlStatus: Citation['urlStatus'];
  title: string | null;
  accessDate: string | null;
  pages: string | null;
  /** Named by a citation template. */
  isTemplate: boolean;
}

/** `language`: of the page, in which its dates are written. */
export function readSource(reference: Reference, vocabulary: Vocabulary, language: string): CitedSource {
  const templates = reference.transclusions
    .filter(({ name }) => vocabulary.meaningOf(name) === null)
    .map((transclusion) => new CitationTemplate(transclusion, vocabulary));
  const template = templates.find(({ url }) => url !== null) ?? templates.find((each) => each.title() !== null);
  const link = reference.links.find(({ href }) => !isArchive(href)) ?? reference.links[0];
  const cited = template?.url ?? link?.href ?? bareUrl(reference.text);
  const archiveUrl = template?.archiveUrl() ?? archiveOf(reference, vocabulary, cited);
  return {
    url: cited ?? (archiveUrl === null ? null : originalOfArchived(archiveUrl)),
    archiveUrl,
    urlStatus: template?.urlStatus() ?? null,
    title: template?.title() ?? linkTitle(link),
    accessDate: readDate(template?.text('accessDate') ?? '', language),
    pages: template?.pages() ?? null,
    isTemplate: template !== undefined,
  };
}

class CitationTemplate {
  readonly url: string | null;
  readonly #params: Transclusion['params'];
  readonly #names: Readonly<Record<Role, readonly string[]>>;

  constructor({ name, params }: Transclusion, vocabulary: Vocabulary) {
    this.#params = params;
    this.#names = vocabulary.parametersOf(name);
    this.url =
      this.#first('url', bareUrl) ?? this.#identifierUrl() ?? this.#anyUrl((url) => !isArchive(url), 'archiveUrl');
  }

  /** By its name, or by where it leads: archives are the same in every language. */
  archiveUrl(): string | null {
    return this.#first('archiveUrl', bareUrl) ?? this.#anyUrl(isArchive, 'url');
  }

  title(): string | null {
    return this.text('title');
  }

  pages(): string | null {
    return this.#first('pages', cleanPages);
  }

  text(role: Role): string | null {
    return this.#first(role, (value) => plainWikitext(value) || null);
  }

  urlStatus(): Citation['urlStatus'] {
    const value = (this.text('urlStatus') ?? '').toLowerCase();
    if (/^(yes|y|true)$/.test(value)) return 'dead';
    if (/^(no|n|false)$/.test(value)) return 'live';
    return Citation.shape.urlStatus.safeParse(value).data ?? null;
  }

  #first(role: Role, read: (value: string) => string | null): string | null {
    for (const name of this.#names[role]) {
      const value = this.#params.get(name);
      const found = value === undefined ? null : read(value);
      if (found !== null) return found;
    }
    return null;
  }

  #identifierUrl(): string | null {
    for (const [role, address] of IDENTIFIERS) {
      const id = this.text(role) ?? '';
      if (/^[\w./:()<>;-]+$/.test(id)) return address(id);
    }
    return null;
  }

  /** A parameter that nobody has named, and is an address as a whole. */
  #anyUrl(isWanted: (url: string) => boolean, other: Role): string | null {
    for (const [name, value] of this.#params) {
      if (!/^https?:\/\/\S+$/i.test(value) || this.#names[other].includes(name)) continue;
      const url = bareUrl(value);
      if (url !== null && isWanted(url)) return url;
    }
    return null;
  }
}

/** The first http(s) URL in a text. */
function bareUrl(text: string): string | null {
  const url = /(?:https?:|^)\/\/[^\s<>[\]{}|"]+/i.exec(text)?.[0].replace(/&amp;/g, '&') ?? '';
  return url === '' || url.length > LONGEST_URL || parseHttpUrl(url) === null ? null : url;
}

function linkTitle(link: Link | undefined): string | null {
  const text = link?.text.replace(/\s+/g, ' ').trim() ?? '';
  return text === '' || parseHttpUrl(text) !== null ? null : text;
}

function archiveOf(reference: Reference, vocabulary: Vocabulary, url: string | null): string | null {
  const template = reference.transclusions.find(({ name }) => vocabulary.meaningOf(name) === 'archived_copy');
  const link = reference.links.find(({ href }) => href !== url && isArchive(href));
  const named = template === undefined ? [] : ['url', '1'].map((name) => bareUrl(template.params.get(name) ?? ''));
  return named.find((each) => each !== null) ?? link?.href ?? null;
}

function isArchive(url: string): boolean {
  return MAY_BE_ARCHIVE.test(url) && ARCHIVES.test(parseHttpUrl(url)?.hostname ?? '');
}

/** Asked first: most addresses need not be parsed. */
const MAY_BE_ARCHIVE = /archive|webcitation/i;
const ARCHIVES =
  /^((web\.|www\.)?archive\.(org|today|is|ph|fo|li|vn|md)|(www\.)?webcitation\.org|webarchive\..+|archive-it\.org|ghostarchive\.org)$/;
const LONGEST_URL = 4000;
