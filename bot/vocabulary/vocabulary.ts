/**
 * What a wiki calls its templates and their parameters, as claims are read with it. In: names as they stand in `data-mw`. Out: what
 * they mean. Reads nothing: where the words come from is in bundled.ts and wiki-vocabulary.ts.
 */
import { z } from 'zod';

/** What a template of a wiki is to us. */
export const Meaning = z.enum([
  /** Tags behind a doubtful claim, or around it. */
  'failed_verification',
  'citation_needed',
  /** {{sfn}}: a reference that names a work of the page by author and year. */
  'short_footnote',
  /** {{harvnb}}: the same as a link, in a reference or in the text. */
  'short_citation',
  /** {{r}}: a named reference by its name. */
  'named_reference',
  /** {{rp}}: pages, behind a reference. */
  'pages',
  /** An archived copy of what is cited. */
  'archived_copy',
  /** Says something of a link in a reference, and names no source. */
  'link_note',
]);
export type Meaning = z.infer<typeof Meaning>;

/** What a parameter of a citation template says. */
export const Role = z.enum([
  'url',
  'archiveUrl',
  'urlStatus',
  'title',
  'accessDate',
  'pages',
  'pmc',
  'arxiv',
  'doi',
  'jstor',
  'hdl',
  'pmid',
]);
export type Role = z.infer<typeof Role>;

/** Names of parameters by what they say; the first that is set wins. */
export type Parameters = Readonly<Record<Role, readonly string[]>>;

export interface Vocabulary {
  /** `name`: as `templateName` gives it, like all names here. Null for a template that is none of these, such as a citation template. */
  meaningOf(name: string): Meaning | null;
  parametersOf(name: string): Parameters;
}

/** A template's title without its namespace, as editors write it. `href`: of its page on the wiki, if Parsoid tells. */
export function templateTitle(target: string, href = ''): string {
  const written = target.replace(/<!--.*?-->/gs, '').replace(/[_\s]+/g, ' ');
  const title = written.includes(':') ? (titleOf(href) ?? written) : written;
  return title.replace(/^\s*template:/i, '').trim();
}

/** The key of a title: editors care about the case of letters, and wikis about the first only. */
export function templateName(title: string): string {
  return title.toLowerCase();
}

/** `./Vorlage:Internetquelle` → `Internetquelle`: what wikis call the namespace need not be known. */
function titleOf(href: string): string | null {
  const title = /^\.\/[^:?#]+:([^?#]+)/.exec(href)?.[1];
  if (title === undefined) return null;
  try {
    return decodeURIComponent(title).replace(/_/g, ' ');
  } catch {
    return null;
  }
}
