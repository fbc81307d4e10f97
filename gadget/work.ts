/**
 * A source as a reference in wikitext: in the template that the old one has, or in the wiki's own for such works. In: what is known
 * of the source. Out: wikitext that nothing in it can break out of. Rules: deploy/gadget/config.md.
 */
import { parseHttpUrl } from '../shared/url.ts';
import { formatDay, formatOf } from './dates.ts';
import type { ParameterRole, SiteConfig } from './site-config.ts';
import { type Parameter, rewrite, type Template } from './template.ts';

/** What is known of a source; '' and [] for what is not. */
export interface Work {
  url: string;
  title: string;
  website: string;
  /** `2019`, `2019-05` or `2019-05-17`. */
  date: string;
  authors: readonly { first: string; last: string }[];
  /** As Citoid names it: `newspaperArticle`. */
  type: string;
  quote: string;
  page: string;
}

/** Names of parameters by role, as the wiki's TemplateData has them; null: it says nothing. */
export type KnownParameters = Partial<Record<ParameterRole, readonly string[]>> | null;

export interface WorkStyle {
  config: SiteConfig;
  /** Of the wiki's content. */
  language: string;
  now: Date;
  /** Of the template that stays. */
  parameters: KnownParameters;
  /** Template of a new citation; null: the wiki has none. */
  newTemplate: string | null;
}

/** The same template in the same layout, about another work. */
export function rewriteCitation(
  template: Template,
  texts: { blanked: string; text: string },
  work: Work,
  style: WorkStyle,
): string {
  const roles = rolesOf(style);
  const old = (role: ParameterRole) => template.parameters.filter(({ name }) => roles[role].indexOf(name) >= 0)[0];
  const format = formatOf(old('accessDate')?.value ?? '') ?? style.config.dates.access;
  const values = valuesOf(work, style, { access: format, date: formatOf(old('date')?.value ?? '') ?? format });
  const set = ROLES.filter((role) => values[role] !== '' && isSet(role, old(role), style));
  const all = namesFor(set, values, (role) => old(role)?.name ?? roles[role][0]).concat(authorsOf(work, roles, style));
  return rewrite(template, texts, all, ({ name }) => STYLE.indexOf(name) >= 0);
}

/** Without tags around it. `beside`: wikitext of a citation whose days it writes alike. */
export function newCitation(work: Work, style: WorkStyle, beside = ''): string {
  const { config, newTemplate } = style;
  const [, accessed = ''] =
    new RegExp(`\\|\\s*(?:${rolesOf(style).accessDate.join('|')})\\s*=([^|}]*)`).exec(beside) ?? [];
  const format = formatOf(accessed.trim()) ?? config.dates.access;
  const values = valuesOf(work, style, { access: format, date: format });
  if (newTemplate === null) return `[${values.url} ${values.title}]. ${values.accessDate}.`;
  const plain = { ...style, parameters: null };
  const roles = rolesOf(plain);
  const set = NEW.filter((role) => values[role] !== '');
  const all = authorsOf(work, roles, plain).concat(namesFor(set, values, (role) => roles[role][0]));
  return `{{${newTemplate}${all.map(([name, value]) => ` |${name}=${value}`).join('')}}}`;
}

/** A role that the wiki has no parameter for is left out. */
function namesFor(
  roles: readonly Role[],
  values: Record<Role, string>,
  name: (role: Role) => string | undefined,
): [string, string][] {
  return roles.reduce<[string, string][]>((all, role) => {
    const named = name(role);
    return named === undefined ? all : all.concat([[named, values[role]]]);
  }, []);
}

/** Whether it is a page of the web. */
export function isCitable({ url }: Work): boolean {
  return parseHttpUrl(url) !== null;
}

/** What would end the parameter, sign, emphasise or switch something on, by its code. */
export function escapeText(text: string): string {
  return escapeMarkup(text.replace(/[\s\p{Cc}]+/gu, ' ').trim(), (code) => `&#x${code};`);
}

function valuesOf(
  work: Work,
  { config, language, now }: WorkStyle,
  formats: { access: string; date: string },
): Record<Role, string> {
  const url = parseHttpUrl(work.url);
  const day = (date: Date, format: string) => formatDay(date, format, language, config.dates.months);
  return {
    url: escapeMarkup(url?.href ?? '', (code) => `%${code}`),
    title: escapeText(work.title) || (url?.hostname ?? ''),
    website: escapeText(work.website),
    date: dateOf(work.date, formats.date, day),
    accessDate: day(now, formats.access),
    quote: escapeText(work.quote),
    page: escapeText(work.page),
  };
}

/** A year, a month or a day; anything else says nothing. */
function dateOf(date: string, format: string, day: (date: Date, format: string) => string): string {
  const [, year, month, date2] = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?(?:T.*)?$/.exec(date) ?? [];
  if (year === undefined) return '';
  const at = new Date(`${year}-${month ?? '01'}-${date2 ?? '01'}T00:00:00Z`);
  if (Number.isNaN(at.getTime())) return '';
  return month === undefined ? year : day(at, date2 === undefined ? 'F Y' : format);
}

/** Quote and page stay where the old one had them, as those of the new work; a site's name where the template has a place for it. */
function isSet(role: Role, old: Parameter | undefined, { parameters }: WorkStyle): boolean {
  if (role === 'quote') return old !== undefined;
  if (parameters !== null) return old !== undefined || parameters[role] !== undefined;
  return old !== undefined || ALWAYS.indexOf(role) >= 0;
}

function authorsOf(
  work: Work,
  roles: Record<ParameterRole, readonly string[]>,
  { parameters }: WorkStyle,
): [string, string][] {
  const [first, last] = [roles.first[0], roles.last[0]];
  if (first === undefined || last === undefined || (parameters !== null && parameters.last === undefined)) return [];
  const few = work.authors.slice(0, MOST_AUTHORS).filter((author) => author.last !== '');
  return few.reduce<[string, string][]>((all, author, i) => {
    const number = few.length > 1 ? String(i + 1) : '';
    const names: [string, string][] = [
      [last + number, escapeText(author.last)],
      [first + number, escapeText(author.first)],
    ];
    return all.concat(names.filter(([, value]) => value !== ''));
  }, []);
}

function rolesOf({ parameters, config }: WorkStyle): Record<ParameterRole, readonly string[]> {
  const roles: Record<string, readonly string[]> = {};
  Object.keys(config.parameters).forEach((name) => {
    const role = name as ParameterRole; // keys of that record
    roles[role] = (parameters?.[role] ?? []).concat(config.parameters[role]);
  });
  return roles as Record<ParameterRole, readonly string[]>; // each key of the record
}

/** `write`: a character by its code, in hexadecimal. */
function escapeMarkup(text: string, write: (code: string) => string): string {
  return text.replace(/[|{}[\]<>~]|'{2,}|_{2,}/g, (markup) =>
    markup
      .split('')
      .map((character) => write(character.charCodeAt(0).toString(16).toUpperCase()))
      .join(''),
  );
}

type Role = 'url' | 'title' | 'website' | 'date' | 'accessDate' | 'quote' | 'page';
const ROLES: readonly Role[] = ['url', 'title', 'website', 'date', 'accessDate', 'page', 'quote'];
const NEW: readonly Role[] = ['url', 'title', 'website', 'date', 'page', 'accessDate'];
/** In whatever citation template. */
const ALWAYS: readonly Role[] = ['url', 'title', 'date', 'accessDate'];
/** Say how a citation looks, not what is cited. */
const STYLE: readonly string[] = ['mode', 'postscript', 'df', 'name-list-style'];
const MOST_AUTHORS = 4;
