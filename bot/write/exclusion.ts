/**
 * {{bots}} and {{nobots}}, by which a page keeps bots away (https://en.wikipedia.org/wiki/Template:Bots). In: the templates of a
 * page. Out: the one that keeps this bot away, or null. Where several disagree, or a list could be read both ways, the bot stays away.
 */
import type { Template } from './page-text.ts';
import { type Site, sameUser } from './site.ts';

export const BOTS = 'Bots';
export const NOBOTS = 'Nobots';

/** `names`: what lists may call this bot: its account, its program. Kinds of message (`optout=`) are matched with them, too. */
export function whyExcluded(
  templates: readonly Template[],
  names: readonly string[],
  site: Pick<Site, 'isTemplate'>,
): string | null {
  for (const template of templates) {
    const isNobots = site.isTemplate(template.name, NOBOTS);
    if (!isNobots && !site.isTemplate(template.name, BOTS)) continue;
    if (isNobots ? nobotsExcludes(template, names) : botsExcludes(template, names)) return asWritten(template);
  }
  return null;
}

/** A list in it narrows it to the bots that it names. */
function nobotsExcludes({ params }: Template, names: readonly string[]): boolean {
  const list = listOf(params.get('1')) ?? listOf(params.get('deny'));
  return list === null || hits(list, names);
}

function botsExcludes({ params }: Template, names: readonly string[]): boolean {
  const [allow, deny, optout] = ['allow', 'deny', 'optout'].map((name) => listOf(params.get(name)));
  if (allow && !hits(allow, names)) return true;
  return [deny, optout].some((list) => list && hits(list, names));
}

function hits(list: readonly string[], names: readonly string[]): boolean {
  return list.some((entry) => [...names, 'all'].some((name) => sameUser(entry, name)));
}

/** Null for what is absent or blank, as a form that was not filled in leaves it. */
function listOf(value: string | undefined): string[] | null {
  const entries = (value ?? '').split(',').map((entry) => entry.trim().replace(/^user:/i, ''));
  const named = entries.filter((entry) => entry !== '');
  return named.length === 0 ? null : named;
}

function asWritten({ name, params }: Template): string {
  return `{{${[name, ...[...params].map(([param, value]) => `${param}=${value}`)].join('|')}}}`;
}
