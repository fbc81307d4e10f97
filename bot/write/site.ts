/** What writing has to know of a wiki: its namespaces, its size limit, and which templates are the same by redirect. */
import { z } from 'zod';
import type { Connection } from './connection.ts';

export interface Site {
  /** Namespaces of articles and other content, by number. */
  contentNamespaces: ReadonlySet<number>;
  /** Lower-case names of all namespaces but the main one, in every language and alias that the wiki takes. */
  prefixes: ReadonlyMap<string, number>;
  /** Bytes of a page's wikitext. */
  maxBytes: number;
  /** Whether a template as it is called in wikitext is the named one, or a redirect to it. */
  isTemplate(called: string, name: string): boolean;
}

/** `templates`: names without namespace, to which redirects are looked up. */
export async function readSite(
  connection: Pick<Connection, 'query'>,
  templates: readonly string[],
  signal?: AbortSignal,
): Promise<Site> {
  const titles = templates.map((name) => `Template:${name}`);
  const { query } = await connection.query(SiteAnswer, { ...QUESTION, titles }, signal);
  const prefixes = readPrefixes(query);
  const aliases = new Map(query.pages.map((page) => [key(page.title, prefixes), page.redirects]));
  const same = new Map(
    templates.map((name) => {
      const redirects = aliases.get(key(name, prefixes)) ?? [];
      return [name, new Set([name, ...redirects.map(({ title }) => title)].map((title) => key(title, prefixes)))];
    }),
  );
  return {
    contentNamespaces: new Set(Object.values(query.namespaces).flatMap(({ id, content }) => (content ? [id] : []))),
    prefixes,
    maxBytes: query.general.maxarticlesize,
    isTemplate: (called, name) => same.get(name)?.has(key(called, prefixes)) ?? false,
  };
}

/** User names are the same whatever the case of the first letter, and with '_' for ' '; lists of bots are not strict about more. */
export function sameUser(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

function plain(name: string): string {
  return name
    .normalize('NFC')
    .replace(/[_\s]+/g, ' ')
    .trim()
    .toLowerCase();
}

/** Case is ignored: `{{NoBots}}` is meant as `{{nobots}}` where both exist. */
function key(title: string, prefixes: ReadonlyMap<string, number>): string {
  const name = plain(title);
  const colon = name.indexOf(':');
  return prefixes.get(name.slice(0, colon)) === TEMPLATE ? name.slice(colon + 1).trim() : name;
}

function readPrefixes({ namespaces, namespacealiases }: z.infer<typeof SiteAnswer>['query']): Map<string, number> {
  const named = Object.values(namespaces).flatMap(({ id, name, canonical }) => [
    [name, id] as const,
    [canonical ?? name, id] as const,
  ]);
  const aliased = namespacealiases.map(({ id, alias }) => [alias, id] as const);
  return new Map([...named, ...aliased].filter(([name]) => name !== '').map(([name, id]) => [plain(name), id]));
}

const TEMPLATE = 10;
const QUESTION = {
  action: 'query',
  meta: 'siteinfo',
  siprop: 'general|namespaces|namespacealiases',
  prop: 'redirects',
  rdlimit: 'max',
} as const;

const SiteAnswer = z.object({
  query: z.object({
    general: z.object({ maxarticlesize: z.int().positive() }),
    namespaces: z.record(
      z.string(),
      z.object({ id: z.int(), name: z.string(), canonical: z.string().optional(), content: z.boolean() }),
    ),
    namespacealiases: z.array(z.object({ id: z.int(), alias: z.string() })).default([]),
    pages: z
      .array(z.object({ title: z.string(), redirects: z.array(z.object({ title: z.string() })).default([]) }))
      .default([]),
  }),
});
