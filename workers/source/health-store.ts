/** The health of each link that was looked at, in the sources' database. In: addresses, looks, what people say. Out: `Health`. */
import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import { hashText } from '../../shared/hash.ts';
import { canonicalUrl } from '../../shared/url.ts';
import { type Correction, correct, dueAt, Health, type Look, observe, UNKNOWN } from './health.ts';
import { parseSnapshot } from './wayback.ts';

export interface Links {
  /** `UNKNOWN` for an address that was never looked at. */
  get(url: string): Health;
  observe(url: string, look: Look, now: number): Health;
  correct(url: string, state: Correction['state'] | 'clear', note: string, now: number): Health;
  /** When a person last said something of it, ms; 0: never. What was read before may not hold any more. */
  saidAt(url: string): number;
  /** Up to `limit` links that are to be looked at again, longest due first. Nobody else is given them for an hour. */
  takeDue(limit: number, now: number): string[];
  counts(): Partial<Record<Health['state'] | 'corrected' | 'due', number>>;
  /** Latest look first. `state`: default all. */
  list(options: { state?: Health['state'] | 'corrected'; limit: number }): { url: string; health: Health }[];
}

export const LINKS_SQL = `
CREATE TABLE IF NOT EXISTS links (
  key TEXT PRIMARY KEY, url TEXT NOT NULL, health TEXT NOT NULL, due_at INTEGER, said_at INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX IF NOT EXISTS links_due ON links (due_at) WHERE due_at IS NOT NULL;`;

export function openLinks(database: Database): Links {
  const select = database.prepare('SELECT health, said_at FROM links WHERE key = ?');
  const upsert = database.prepare(
    'INSERT INTO links (key, url, health, due_at, said_at) VALUES (:key, :url, :health, :dueAt, :saidAt) ' +
      'ON CONFLICT (key) DO UPDATE SET health = excluded.health, due_at = excluded.due_at, said_at = excluded.said_at',
  );
  const due = database.prepare(
    'UPDATE links SET due_at = :until WHERE key IN ' +
      '(SELECT key FROM links WHERE due_at <= :now ORDER BY due_at LIMIT :limit) RETURNING url',
  );
  const find = (url: string) => {
    const row = Row.optional().parse(select.get(keyOf(url)));
    return row === undefined
      ? { health: UNKNOWN, saidAt: 0 }
      : { health: Health.parse(JSON.parse(row.health)), saidAt: row.said_at };
  };
  const change = (url: string, now: number, next: (health: Health) => Health, said: boolean): Health =>
    database
      .transaction(() => {
        const before = find(url);
        const health = next(before.health);
        const saidAt = said ? now : before.saidAt;
        upsert.run({ key: keyOf(url), url, health: JSON.stringify(health), dueAt: dueAt(health, now), saidAt });
        return health;
      })
      .immediate();
  return {
    get: (url) => find(url).health,
    observe: (url, look, now) => change(url, now, (health) => observe(health, look, now), false),
    correct: (url, state, note, now) => change(url, now, (health) => correct(health, state, note, now), true),
    saidAt: (url) => find(url).saidAt,
    takeDue: (limit, now) => Urls.parse(due.all({ now, limit, until: now + LEASE_MS })).map(({ url }) => url),
    counts() {
      const rows = Counts.parse(
        database.prepare(`SELECT ${STATE} AS state, count(*) AS count FROM links GROUP BY 1`).all(),
      );
      const waiting = database.prepare('SELECT count(*) FROM links WHERE due_at <= ?').pluck().get(Date.now());
      return { ...Object.fromEntries(rows.map(({ state, count }) => [state, count])), due: Number(waiting) };
    },
    list({ state, limit }) {
      const rows = database
        .prepare(
          `SELECT url, health FROM links WHERE :state IS NULL OR ${STATE} = :state ` +
            `ORDER BY coalesce(health ->> '$.lookedAt', 0) DESC, url LIMIT :limit`,
        )
        .all({ state: state ?? null, limit });
      return Listed.parse(rows).map(({ url, health }) => ({ url, health: Health.parse(JSON.parse(health)) }));
    },
  };
}

/** Of the page; a copy in an archive is a link of its own. */
function keyOf(url: string): string {
  return hashText(parseSnapshot(url) === null ? (canonicalUrl(url) ?? url) : url);
}

const STATE = `iif(health ->> '$.correction' IS NULL, health ->> '$.state', 'corrected')`;
/** Longer than a round of looks takes. */
const LEASE_MS = 3600 * 1000;
const Row = z.object({ health: z.string(), said_at: z.int() });
const Urls = z.array(z.object({ url: z.string() }));
const Counts = z.array(z.object({ state: z.string(), count: z.int() }));
const Listed = z.array(z.object({ url: z.string(), health: z.string() }));
