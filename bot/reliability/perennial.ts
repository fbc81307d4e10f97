/**
 * The table of a perennial-sources page → its sites with what the wiki's editors say of them. In: wikitext. Out: entries. Its
 * markup: https://en.wikipedia.org/wiki/Wikipedia:Reliable_sources/Perennial_sources/Instructions
 */
import { Mwn } from 'mwn';
import type { ListEntry } from '../../shared/reliability.ts';
import type { Parsed } from './parsed.ts';
import type { PerennialPlace } from './places.ts';
import { parseSite } from './site.ts';

/** A row says its status by a template or by its class, and its domains by a template. */
export function parsePerennial(text: string, place: PerennialPlace): Parsed {
  const rows = text.replace(/<!--.*?-->/gs, '').split(/^\|-/m);
  const parsed = rows.slice(1).map((row) => parseRow(row, place));
  return {
    entries: parsed.flatMap(({ entries }) => entries),
    patterns: [],
    skipped: parsed.flatMap(({ skipped }) => skipped),
  };
}

function parseRow(row: string, place: PerennialPlace): Pick<Parsed, 'entries' | 'skipped'> {
  const templates: Template[] = Wikitext.parseTemplates(row, {});
  const statuses = statusesOf(row, templates, place);
  if (statuses.length === 0) return { entries: [], skipped: [] };
  const uses = templates.filter(isNamed(place.usesTemplates)).flatMap(({ parameters }) => parameters);
  const named = uses.filter(({ name, value }) => /^\d+$/.test(String(name)) && value.trim() !== '');
  const sites = named.map(({ value }) => parseSite(value));
  const entries = sites.flatMap((site) =>
    site === null ? [] : statuses.map((status) => ({ ...site, status, userGenerated: isUserGenerated(row, status) })),
  );
  const skipped = named.filter((_, at) => sites[at] === null).map(({ value }) => value.trim());
  return { entries, skipped: entries.length === 0 ? [...skipped, `no domain: ${nameOf(row)}`] : skipped };
}

type Status = ListEntry['status'];

/** Of the templates, else of the row's class; what is marked as blacklisted is that, whatever else is said. */
function statusesOf(row: string, templates: Template[], { statusTemplates, statuses }: PerennialPlace): Status[] {
  const said = templates.filter(isNamed(statusTemplates)).map((template): Status | undefined => {
    const isBlacklisted = ['b', 'blacklisted'].some((name) => /^y/i.test(template.getValue(name)?.trim() ?? ''));
    return isBlacklisted ? 'blacklisted' : statuses[template.getValue(1)?.trim() ?? ''];
  });
  const ofClass = /^[^\n]*\bclass="?[^"\n]*?\bs-(\w+)/.exec(row)?.[1] ?? '';
  const known = (said.length > 0 ? said : [statuses[ofClass]]).filter((status) => status !== undefined);
  return [...new Set(known)];
}

/** Where a site is weighed as better than unreliable, what readers write there is only a part of it. */
function isUserGenerated(row: string, status: Status): boolean {
  return UNWANTED.includes(status) && USER_GENERATED.test(row);
}

const UNWANTED: Status[] = ['generally_unreliable', 'deprecated', 'blacklisted'];
const USER_GENERATED = /user[- ]generated|\[\[(WP|Wikipedia|Project):(UGC|USERG)\b/i;

function isNamed(names: readonly string[]) {
  const wanted = names.map(normalize);
  return ({ name }: Template) => {
    const given = normalize(String(name));
    return wanted.some((one) => (one.startsWith('/') ? given.endsWith(one) : given === one));
  };
}

/** Without namespace; of `/Status`, a subpage of the list, the last part counts. */
function normalize(name: string): string {
  return name
    .replaceAll('_', ' ')
    .replace(/^[^:/]*:/, '')
    .trim()
    .toLowerCase();
}

function nameOf(row: string): string {
  return /\bid="([^"]+)"/.exec(row)?.[1] ?? row.trim().slice(0, 80);
}

const { Wikitext } = new Mwn({ silent: true });
type Template = ReturnType<typeof Wikitext.parseTemplates>[number];
