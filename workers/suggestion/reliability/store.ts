/**
 * What the lists of wikis say of sites, as it was last imported: one SQLite file that the bot writes and the workers read. In: whole
 * lists. Out: what stands there for an address, with the list's revision. Fetches nothing.
 */
import type Database from 'better-sqlite3';
import type { Reliability } from '../../../shared/citation.ts';
import type { ImportedList, ListKind, ListPattern } from '../../../shared/reliability.ts';
import { originalOfArchived, parseHttpUrl } from '../../../shared/url.ts';
import { openDatabase } from '../../sqlite.ts';
import { type BlockingList, createPatterns } from './patterns.ts';
import type { Standing, Standings } from './standing.ts';

export interface ReliabilityStore extends Standings {
  /** What `wiki` says of the site that `url` is on, in one word; null if no list of it has the site. */
  reliability(wiki: string, url: string): Reliability | null;
  /** Puts the lists of one place (a key of who imports) as they are now in the place of what was there. All or nothing. */
  replace(wiki: string, place: string, lists: readonly ImportedList[]): void;
  /** Forgets what was imported from any other place. */
  keepOnly(wiki: string, places: readonly string[]): void;
  lists(wiki: string): ListSummary[];
  close(): void;
}

export interface ListSummary {
  home: string;
  title: string;
  revision: number;
  date: string;
  /** ISO time of the import. */
  fetchedAt: string;
  entries: number;
  patterns: number;
  skipped: string[];
}

export function openReliabilityStore(path: string): ReliabilityStore {
  const database = openDatabase(path, SCHEMA);
  const find = prepareFind(database);
  const patterns = createPatterns(() => readPatterns(database), prepareVersion(database));
  const standings = (wiki: string, url: string): Standing[] => {
    const address = parseHttpUrl(originalOfArchived(url));
    if (address === null) return [];
    return [...patterns.blocking(wiki, address).map(toBlocked), ...longest(find(wiki, address))];
  };
  return {
    standings,
    reliability: (wiki, url) => summarize(standings(wiki, url)),
    replace: prepareReplace(database),
    keepOnly(wiki, places) {
      const elsewhere = 'DELETE FROM list WHERE wiki = ? AND place NOT IN (SELECT value FROM json_each(?))';
      database.prepare(elsewhere).run(wiki, JSON.stringify(places));
    },
    lists: (wiki) => (prepareLists(database).all({ wiki }) as ListRow[]).map(toSummary),
    close: () => void database.close(),
  };
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

interface Found extends Standing {
  length: number;
}

/** What a list says of a part of a site is said instead of what it says of the whole; a ban of the whole stays one. */
function longest(found: readonly Found[]): Standing[] {
  const length = Math.max(0, ...found.filter(({ source }) => source === 'perennial').map((entry) => entry.length));
  const kept = found.filter((entry) => entry.source !== 'perennial' || entry.length === length);
  return kept.map(({ length: _, ...standing }) => standing);
}

function prepareFind(database: Database.Database) {
  const statement = database.prepare(`
    SELECT status, user_generated AS userGenerated, kind AS source, path, length(domain) + length(path) AS length,
      home AS wiki, title AS list, revision, substr(timestamp, 1, 10) AS date
    FROM entry JOIN list ON list.id = entry.list
    WHERE list.wiki = :wiki AND domain IN (SELECT value FROM json_each(:domains))
    ORDER BY length DESC, list.id, entry.rowid`);
  return (wiki: string, { hostname, pathname }: URL): Found[] => {
    const rows = statement.all({ wiki, domains: JSON.stringify(domainsOf(hostname)) }) as FoundRow[];
    const under = rows.filter(({ path }) => path === '' || pathname === path || pathname.startsWith(withSlash(path)));
    return under.map(({ path: _, userGenerated, ...row }) => ({ ...row, userGenerated: userGenerated === 1 }));
  };
}

/** A host and the domains above it, longest first. */
function domainsOf(hostname: string): string[] {
  const labels = hostname.replace(/\.$/, '').split('.');
  return labels.map((_, at) => labels.slice(at).join('.'));
}

function withSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}

function toBlocked({ home, title, revision, date }: BlockingList): Standing {
  const where = { wiki: home, list: title, revision, date };
  return { ...where, status: 'blacklisted', source: 'blacklist', userGenerated: false };
}

function readPatterns(database: Database.Database) {
  const statement = database.prepare(`
    SELECT list.id, wiki, home, title, revision, substr(timestamp, 1, 10) AS date, about, effect, pattern
    FROM pattern JOIN list ON list.id = pattern.list ORDER BY list.id, pattern.rowid`);
  return statement.all() as (BlockingList & ListPattern & { id: number; wiki: string })[];
}

/** Changes whenever this or another process has written. */
function prepareVersion(database: Database.Database): () => string {
  const others = database.prepare('PRAGMA data_version').pluck();
  const own = database.prepare('SELECT total_changes()').pluck();
  return () => `${others.get()} ${own.get()}`;
}

function prepareReplace(database: Database.Database): ReliabilityStore['replace'] {
  const drop = database.prepare('DELETE FROM list WHERE wiki = ? AND place = ?');
  const addList = database.prepare(`
    INSERT INTO list (wiki, place, home, title, kind, revision, timestamp, fetched_at, skipped)
    VALUES (:wiki, :place, :home, :title, :kind, :revision, :timestamp, :fetchedAt, :skipped)`);
  const addEntry = database.prepare(
    'INSERT INTO entry (list, domain, path, status, user_generated) VALUES (?, ?, ?, ?, ?)',
  );
  const addPattern = database.prepare('INSERT INTO pattern (list, about, effect, pattern) VALUES (?, ?, ?, ?)');
  const add = (wiki: string, place: string, { entries, patterns, skipped, ...list }: ImportedList) => {
    const about = { wiki, place, fetchedAt: new Date().toISOString(), skipped: JSON.stringify(skipped) };
    const { lastInsertRowid: id } = addList.run({ ...list, ...about });
    for (const { domain, path, status, userGenerated } of entries) {
      addEntry.run(id, domain, path, status, userGenerated ? 1 : 0);
    }
    for (const { about, effect, pattern } of patterns) addPattern.run(id, about, effect, pattern);
  };
  const replace = database.transaction((wiki: string, place: string, lists: readonly ImportedList[]) => {
    drop.run(wiki, place);
    for (const list of lists) add(wiki, place, list);
  });
  return (wiki, place, lists) => replace.immediate(wiki, place, lists);
}

function prepareLists(database: Database.Database) {
  return database.prepare(`
    SELECT home, title, revision, substr(timestamp, 1, 10) AS date, fetched_at AS fetchedAt, skipped,
      (SELECT count(*) FROM entry WHERE list = list.id) AS entries,
      (SELECT count(*) FROM pattern WHERE list = list.id) AS patterns
    FROM list WHERE wiki = :wiki ORDER BY id`);
}

function toSummary({ skipped, ...row }: ListRow): ListSummary {
  return { ...row, skipped: JSON.parse(skipped) };
}

/** Rows as the queries above name their columns. */
interface FoundRow extends Omit<Found, 'userGenerated'> {
  path: string;
  userGenerated: number;
  source: ListKind;
}
interface ListRow extends Omit<ListSummary, 'skipped'> {
  skipped: string;
}

const SCHEMA = {
  version: 1,
  sql: `
    CREATE TABLE IF NOT EXISTS list (
      id INTEGER PRIMARY KEY,
      wiki TEXT NOT NULL,
      place TEXT NOT NULL,
      home TEXT NOT NULL,
      title TEXT NOT NULL,
      kind TEXT NOT NULL,
      revision INTEGER NOT NULL,
      timestamp TEXT NOT NULL,
      fetched_at TEXT NOT NULL,
      skipped TEXT NOT NULL,
      UNIQUE (wiki, place, home, title)
    );
    CREATE TABLE IF NOT EXISTS entry (
      list INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE,
      domain TEXT NOT NULL,
      path TEXT NOT NULL,
      status TEXT NOT NULL,
      user_generated INTEGER NOT NULL
    );
    CREATE INDEX IF NOT EXISTS entry_domain ON entry (domain);
    CREATE INDEX IF NOT EXISTS entry_list ON entry (list);
    CREATE TABLE IF NOT EXISTS pattern (
      list INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE,
      about TEXT NOT NULL,
      effect TEXT NOT NULL,
      pattern TEXT NOT NULL
    );
    CREATE INDEX IF NOT EXISTS pattern_list ON pattern (list);`,
};
