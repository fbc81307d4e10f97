/** What imported lists say of an address, from memory. In: all rows of the store, once. Out: answers at once. Reads no database. */
import type { Reliability } from '../../../shared/citation.ts';
import type { ListEntry, ListKind } from '../../../shared/reliability.ts';
import { originalOfArchived, parseHttpUrl } from '../../../shared/url.ts';
import { groupBy } from '../../evaluation/group.ts';
import { type BlockingList, compilePatterns, type PatternRow } from './patterns.ts';
import type { Standing, Standings } from './standing.ts';

export interface SiteLists extends Standings {
  /** What `wiki` says of the site that `url` is on, in one word; null if no list of it has the site. */
  reliability(wiki: string, url: string): Reliability | null;
}

/** An entry, and the list that it is of. */
export interface EntryRow extends BlockingList, ListEntry {
  wiki: string;
  kind: ListKind;
}

/** `entries` and `patterns` in the order of lists, and of their lines. */
export function createSiteLists(entries: readonly EntryRow[], patterns: readonly PatternRow[]): SiteLists {
  const byDomain = groupBy(entries, ({ wiki, domain }) => `${wiki} ${domain}`);
  const { blocking } = compilePatterns(patterns);
  const standings = (wiki: string, url: string): Standing[] => {
    const address = parseHttpUrl(originalOfArchived(url));
    if (address === null) return [];
    const found = domainsOf(address.hostname).flatMap((domain) => byDomain.get(`${wiki} ${domain}`) ?? []);
    const under = found.filter(({ path }) => isUnder(address.pathname, path));
    return [...blocking(wiki, address).map(toBlocked), ...longest(under).map(toStanding)];
  };
  return { standings, reliability: (wiki, url) => summarize(standings(wiki, url)) };
}

/** Several rows of one list that weigh a site differently make it `mixed`; what is not wanted at all comes before what is weighed. */
function summarize(standings: readonly Standing[]): Reliability | null {
  const weighed = standings.filter(({ source }) => source === 'perennial');
  const first = standings.find(({ status }) => status === 'blacklisted') ?? weighed[0] ?? standings[0];
  if (first === undefined) return null;
  const { wiki, list, revision, date } = first;
  const agree = first.source !== 'perennial' || weighed.every(({ status }) => status === first.status);
  return { status: agree ? first.status : 'mixed', wiki, list, revision, date };
}

/** What a list says of a part of a site is said instead of what it says of the whole; a ban of the whole stays one. */
function longest(found: readonly EntryRow[]): EntryRow[] {
  const length = Math.max(0, ...found.filter(({ kind }) => kind === 'perennial').map(lengthOf));
  const kept = found.filter((entry) => entry.kind !== 'perennial' || lengthOf(entry) === length);
  return kept.sort((a, b) => lengthOf(b) - lengthOf(a) || a.id - b.id);
}

function lengthOf({ domain, path }: EntryRow): number {
  return domain.length + path.length;
}

/** A host and the domains above it, longest first. */
function domainsOf(hostname: string): string[] {
  const labels = hostname.replace(/\.$/, '').split('.');
  return labels.map((_, at) => labels.slice(at).join('.'));
}

function isUnder(pathname: string, path: string): boolean {
  return path === '' || pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
}

function toStanding({ home, title, revision, date, status, kind, userGenerated }: EntryRow): Standing {
  return { wiki: home, list: title, revision, date, status, source: kind, userGenerated };
}

function toBlocked({ home, title, revision, date }: BlockingList): Standing {
  const where = { wiki: home, list: title, revision, date };
  return { ...where, status: 'blacklisted', source: 'blacklist', userGenerated: false };
}
