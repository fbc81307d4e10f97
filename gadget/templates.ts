/** What the wiki says of its templates. In: names. Out: which there are, and what one calls its parameters. Nothing where it does not answer. */

import type { ParameterRole, SiteConfig } from './site-config.ts';
import { answerOf, PLAIN } from './wiki-api.ts';
import type { KnownParameters } from './work.ts';

/** In the order of the names. */
export async function existingTemplates(api: mw.Api, names: readonly string[]): Promise<string[]> {
  const titles = names.slice(0, MOST_TITLES).map(titleOf);
  if (titles.length === 0) return [];
  const asked = await answerOf<Pages>(api.get({ action: 'query', titles, prop: 'info', ...PLAIN }));
  if (asked.kind === 'failed') return [];
  const { pages, normalized = [] } = asked.answer.query;
  const there = pages.filter(({ missing, invalid }) => !missing && !invalid).map(({ title }) => title);
  const canonical = (title: string) => normalized.filter(({ from }) => from === title)[0]?.to ?? title;
  return names.filter((name) => there.indexOf(canonical(titleOf(name))) >= 0);
}

/** By the wiki's TemplateData (https://www.mediawiki.org/wiki/Help:TemplateData): its map for Citoid, and names that are known. */
export async function knownParameters(api: mw.Api, name: string, config: SiteConfig): Promise<KnownParameters> {
  const ask = { action: 'templatedata', titles: titleOf(name), redirects: true };
  const asked = await answerOf<TemplateData>(api.get({ ...ask, ...PLAIN }));
  const pages = asked.kind === 'failed' ? {} : (asked.answer.pages ?? {});
  const page = pages[Object.keys(pages)[0] ?? ''];
  return page?.params === undefined ? null : rolesOf(page, config);
}

function rolesOf({ params = {}, maps }: TemplatePage, { parameters }: SiteConfig): NonNullable<KnownParameters> {
  const roles: Partial<Record<ParameterRole, string[]>> = {};
  (Object.keys(parameters) as ParameterRole[]).forEach((role) => {
    const mapped = FIELDS[role].reduce<string[]>((all, field) => all.concat(textsOf(maps?.citoid?.[field], role)), []);
    const known = Object.keys(params).filter((name) => {
      const names = [name].concat(textsOf(params[name]?.aliases, role));
      return names.some((one) => parameters[role].indexOf(one) >= 0);
    });
    const all = mapped.concat(known);
    if (all.length > 0) roles[role] = all;
  });
  return roles;
}

/** A map names one parameter, or a list, or for authors a list of pairs: first name and last name. */
function textsOf(value: unknown, role: ParameterRole): string[] {
  if (typeof value === 'string') return role === 'first' ? [] : [value];
  if (!Array.isArray(value)) return [];
  const [first] = value as unknown[];
  if (Array.isArray(first)) return [first[role === 'first' ? 0 : 1]].filter((name) => typeof name === 'string');
  return (value as unknown[]).filter((name) => typeof name === 'string');
}

function titleOf(name: string): string {
  return `Template:${name}`;
}

/** Of https://www.mediawiki.org/wiki/Citoid/MediaWiki_TemplateData_Citoid_map. */
const FIELDS: Record<ParameterRole, readonly string[]> = {
  url: ['url'],
  title: ['title'],
  website: ['websiteTitle', 'publicationTitle'],
  date: ['date'],
  accessDate: ['accessDate'],
  page: ['pages'],
  quote: [],
  first: ['author'],
  last: ['author'],
  tagDate: [],
  tagReason: [],
};

/** Of one request, for accounts without higher limits. */
const MOST_TITLES = 50;

interface Pages {
  query: {
    normalized?: { from: string; to: string }[];
    pages: { title: string; missing?: boolean; invalid?: boolean }[];
  };
}

interface TemplatePage {
  params?: Record<string, { aliases?: unknown } | undefined>;
  maps?: { citoid?: Record<string, unknown> };
}

interface TemplateData {
  pages?: Record<string, TemplatePage | undefined>;
}
