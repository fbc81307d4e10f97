/**
 * Asks a wiki what the parameters of its citation templates say (https://www.mediawiki.org/wiki/Help:TemplateData): its maps for
 * Citoid name them in any language, and aliases of known names do. In: names of templates. Out: parameters by role, or null where the
 * wiki says nothing.
 */
import { z } from 'zod';
import type { Ask } from '../wiki.ts';
import { ENGLISH_PARAMETERS } from './families.ts';
import { batches, follow } from './names.ts';
import { Role, templateName } from './vocabulary.ts';

export type KnownRoles = Partial<Record<Role, string[]>>;

/** Of every title asked, by its name. Throws TransientError if the wiki does not answer, or has no TemplateData. */
export async function readTemplateData(
  ask: Ask,
  titles: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, KnownRoles | null>> {
  const read = new Map<string, KnownRoles | null>();
  for (const batch of batches(titles)) {
    const params = {
      action: 'templatedata',
      titles: batch.map((title) => `Template:${title}`).join('|'),
      redirects: true,
    };
    const answer = await ask(Answer, params, signal);
    const leads = new Map([...answer.normalized, ...answer.redirects].map(({ from, to }) => [from, to]));
    const pages = new Map(Object.values(answer.pages).map((page) => [page.title, page]));
    for (const title of batch) {
      const page = pages.get(follow(`Template:${title}`, leads));
      read.set(templateName(title), page === undefined ? null : rolesOf(page));
    }
  }
  return read;
}

/** Whether a title can be asked for: none holds these characters (https://www.mediawiki.org/wiki/Manual:Page_title). */
export function isAskable(title: string): boolean {
  return title !== '' && title.length <= 200 && !/[#<>[\]{}|\p{Cc}]/u.test(title);
}

function rolesOf({ params, maps }: z.infer<typeof TemplatePage>): KnownRoles {
  const roles: KnownRoles = {};
  for (const role of Role.options) {
    const field = CITOID_FIELDS[role];
    const mapped = field === undefined ? [] : flatten(maps.citoid[field]);
    const known = new Set([...mapped, ...ENGLISH_PARAMETERS[role]]);
    const same = Object.entries(params)
      .map(([name, { aliases }]) => [name, ...aliases])
      .filter((names) => names.some((name) => known.has(name)));
    const all = [...mapped, ...same.flat()];
    if (all.length > 0) roles[role] = [...new Set(all)].slice(0, MOST_NAMES);
  }
  return roles;
}

/** Fields of https://www.mediawiki.org/wiki/Citoid/MediaWiki_TemplateData_Citoid_map. */
const CITOID_FIELDS: Partial<Record<Role, string>> = {
  url: 'url',
  title: 'title',
  accessDate: 'accessDate',
  pages: 'pages',
  doi: 'DOI',
  pmc: 'PMCID',
  pmid: 'PMID',
};

/** A map names one parameter, or several, or several of several. */
function flatten(mapped: unknown): string[] {
  if (typeof mapped === 'string') return [mapped];
  return Array.isArray(mapped) ? mapped.flat(2).filter((name) => typeof name === 'string') : [];
}

const MOST_NAMES = 50;

const Lead = z.object({ from: z.string(), to: z.string() });
const TemplatePage = z.object({
  title: z.string(),
  params: z
    .record(z.string(), z.object({ aliases: z.array(z.coerce.string()).catch([]) }).catch({ aliases: [] }))
    .catch({}),
  maps: z.object({ citoid: z.record(z.string(), z.unknown()).catch({}) }).catch({ citoid: {} }),
});
const Answer = z.object({
  pages: z.record(z.string(), TemplatePage),
  normalized: z.array(Lead).default([]),
  redirects: z.array(Lead).default([]),
});
