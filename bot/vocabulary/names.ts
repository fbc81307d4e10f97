/**
 * Asks a wiki what its own templates are called. In: the API, the wiki's language. Out: names with what they mean; null for a name
 * that means something else there than elsewhere. A name that the wiki does not have is not in it.
 */
import { z } from 'zod';
import type { Ask } from '../wiki.ts';
import { FAMILIES, type Family } from './families.ts';
import { type Meaning, templateName } from './vocabulary.ts';

/** A wiki of a family of wikis whose pages link to those in other languages: the English Wikipedia. */
export interface Hub {
  ask: Ask;
  /** Code of the wiki's language in such links. */
  language: string;
}

export interface WikiNames {
  names: Map<string, Meaning | null>;
  /** Whether the wiki can say what parameters of templates mean. */
  templateData: boolean;
}

/** Throws TransientError if a wiki does not answer. */
export async function readNames(ask: Ask, hub: Hub | null, signal?: AbortSignal): Promise<WikiNames> {
  const site = (await ask(SiteInfo, { meta: 'siteinfo', siprop: 'general|extensions' }, signal)).query;
  const linked = hub === null ? new Map<string, string[]>() : await readLinked(hub, signal);
  const families = FAMILIES.map((family) => ({ family, titles: titlesOf(family, site.general.lang, linked) }));
  const asked = families.flatMap(({ family, titles }) => [...titles, ...family.redirects]);
  const pages = await readPages(ask, asked.map(toTitle), signal);
  const names = new Map<string, Meaning | null>();
  for (const name of asked) if (pages.has(keyOf(toTitle(name)))) names.set(templateName(name), null);
  for (const { family, titles } of [...families].reverse()) keepFamily(family.meaning, titles, pages, names);
  return { names, templateData: site.extensions.some(({ name }) => name === 'TemplateData') };
}

/** Titles of the wiki's own language, of the hub's links, and English ones, which wikis in any language copy. */
function titlesOf({ titles }: Family, language: string, linked: ReadonlyMap<string, string[]>): string[] {
  const english = titles.en ?? [];
  const own = titles[language.split('-')[0] ?? ''] ?? [];
  return [...new Set([...english, ...own, ...english.flatMap((title) => linked.get(title) ?? [])])];
}

interface TemplatePage {
  title: string;
  redirects: string[];
}

/** A title and all that leads to its page have its meaning, and so have other names that lead there. */
function keepFamily(
  meaning: Meaning,
  titles: readonly string[],
  pages: ReadonlyMap<string, TemplatePage>,
  names: Map<string, Meaning | null>,
): void {
  for (const title of titles) {
    const page = pages.get(keyOf(toTitle(title)));
    if (page === undefined) continue;
    for (const name of [title, page.title, ...page.redirects]) names.set(keyOf(name), meaning);
  }
}

/** The page that each title leads to, by the title's key; titles that the wiki has no page for are absent. */
async function readPages(
  ask: Ask,
  titles: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, TemplatePage>> {
  const found = new Map<string, TemplatePage>();
  for (const batch of batches([...new Set(titles)])) {
    const answers = await readAll(ask, { ...REDIRECTS, titles: batch.join('|') }, signal);
    const leads = new Map(answers.flatMap(leadsOf));
    const pages = pagesOf(answers);
    for (const title of batch) {
      const page = pages.get(follow(title, leads));
      if (page !== undefined) found.set(keyOf(title), page);
    }
  }
  return found;
}

function pagesOf(answers: readonly Answered[]): Map<string, TemplatePage> {
  const pages = new Map<string, TemplatePage>();
  for (const { title, missing, redirects } of answers.flatMap(({ query }) => query.pages)) {
    const page = pages.get(title) ?? { title, redirects: [] };
    page.redirects.push(...redirects.map((redirect) => redirect.title));
    if (!missing) pages.set(title, page);
  }
  return pages;
}

function leadsOf({ query }: Answered): [string, string][] {
  return [...query.normalized, ...query.redirects].map(({ from, to }) => [from, to]);
}

/** `leads` may go round in a circle, as redirects may. */
export function follow(title: string, leads: ReadonlyMap<string, string>): string {
  let at = title;
  for (let step = 0; step < 5; step++) at = leads.get(at) ?? at;
  return at;
}

/** Titles in the wiki's language by English title, as the English page links to them. */
async function readLinked({ ask, language }: Hub, signal?: AbortSignal): Promise<Map<string, string[]>> {
  const linked = new Map<string, string[]>();
  const english = FAMILIES.flatMap(({ titles }) => titles.en ?? []);
  for (const batch of batches(english.map(toTitle))) {
    const params = { ...LANGUAGE_LINKS, lllang: language, titles: batch.join('|') };
    const answer = await ask(Answer, params, signal);
    const leads = new Map(leadsOf(answer));
    const byTitle = new Map(answer.query.pages.map((page) => [page.title, page.langlinks.map((link) => link.title)]));
    for (const title of batch) {
      const titles = (byTitle.get(follow(title, leads)) ?? []).map((local) => local.replace(/^[^:]+:/, ''));
      linked.set(title.replace(/^Template:/, ''), titles);
    }
  }
  return linked;
}

async function readAll(
  ask: Ask,
  params: Record<string, string | number | boolean>,
  signal?: AbortSignal,
): Promise<Answered[]> {
  const answers: Answered[] = [];
  let more: Answered['continue'] = {};
  while (more !== undefined && answers.length < MOST_ANSWERS) {
    const answer: Answered = await ask(Answer, { ...params, ...more }, signal);
    answers.push(answer);
    more = answer.continue;
  }
  return answers;
}

export function* batches<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += MOST_TITLES) yield all.slice(at, at + MOST_TITLES);
}

function toTitle(name: string): string {
  return `Template:${name}`;
}

/** `Vorlage:Citation needed` → `citation needed`. */
function keyOf(title: string): string {
  return templateName(title.replace(/^[^:]+:/, '').replaceAll('_', ' '));
}

/** Of one request, for accounts without higher limits. */
const MOST_TITLES = 50;
/** A template with more redirects than this many answers hold loses the rest. */
const MOST_ANSWERS = 20;
const REDIRECTS = { prop: 'redirects', rdprop: 'title', rdnamespace: 10, rdlimit: 'max', redirects: true };
const LANGUAGE_LINKS = { prop: 'langlinks', lllimit: 'max', redirects: true };

const SiteInfo = z.object({
  query: z.object({
    general: z.object({ lang: z.string() }),
    extensions: z.array(z.object({ name: z.string().default('') })).default([]),
  }),
});
const Lead = z.object({ from: z.string(), to: z.string() });
const Titled = z.object({ title: z.string() });
const Answer = z.object({
  query: z.object({
    normalized: z.array(Lead).default([]),
    redirects: z.array(Lead).default([]),
    pages: z
      .array(
        z.object({
          title: z.string(),
          missing: z.boolean().default(false),
          redirects: z.array(Titled).default([]),
          langlinks: z.array(Titled).default([]),
        }),
      )
      .default([]),
  }),
  continue: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});
type Answered = z.infer<typeof Answer>;
