/** The health of each link that was looked at, in the sources' database. In: addresses, looks, what people say. Out: `Health`. */
import type { FunctionModule, Kysely } from 'kysely';
import { TransientError } from '../../shared/errors.ts';
import { hashText } from '../../shared/hash.ts';
import { canonicalUrl } from '../../shared/url.ts';
import { type Correction, correct, dueAt, Health, type Look, observe, UNKNOWN } from './health.ts';
import type { LinkTable, SourceTables } from './tables.ts';
import { parseSnapshot } from './wayback.ts';

export interface Links {
  /** `UNKNOWN` for an address that was never looked at. */
  get(url: string): Promise<Health>;
  observe(url: string, look: Look, now: number): Promise<Health>;
  correct(url: string, state: Correction['state'] | 'clear', note: string, now: number): Promise<Health>;
  /** When a person last said something of it, ms; 0: never. What was read before may not hold any more. */
  saidAt(url: string): Promise<number>;
  /** Up to `limit` links that are to be looked at again, longest due first. Nobody else is given them for an hour. */
  takeDue(limit: number, now: number): Promise<string[]>;
  counts(): Promise<Partial<Record<Health['state'] | 'corrected' | 'due', number>>>;
  /** Latest look first. `state`: default all. */
  list(options: { state?: Health['state'] | 'corrected'; limit: number }): Promise<{ url: string; health: Health }[]>;
}

export function openLinks(db: Kysely<SourceTables>): Links {
  return {
    get: async (url) => (await find(db, url)).health,
    observe: (url, look, now) => change(db, url, now, (health) => observe(health, look, now), false),
    correct: (url, state, note, now) => change(db, url, now, (health) => correct(health, state, note, now), true),
    saidAt: async (url) => (await find(db, url)).saidAt,
    takeDue: (limit, now) => takeDue(db, limit, now),
    counts: () => count(db),
    async list({ state, limit }) {
      let query = db.selectFrom('links').select(['url', 'health']);
      if (state !== undefined) query = query.where('state', '=', state);
      const rows = await query.orderBy('looked_at', 'desc').orderBy('url').limit(limit).execute();
      return rows.map(({ url, health }) => ({ url, health: Health.parse(JSON.parse(health)) }));
    },
  };
}

async function find(db: Kysely<SourceTables>, url: string) {
  const row = await db
    .selectFrom('links')
    .select(['health', 'said_at', 'version'])
    .where('key', '=', keyOf(url))
    .executeTakeFirst();
  if (row === undefined) return { health: UNKNOWN, saidAt: 0, version: 0 };
  return { health: Health.parse(JSON.parse(row.health)), saidAt: row.said_at, version: row.version };
}

/** Anew where another process was quicker: what it saw counts too. */
async function change(
  db: Kysely<SourceTables>,
  url: string,
  now: number,
  next: (health: Health) => Health,
  said: boolean,
): Promise<Health> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const before = await find(db, url);
    const health = next(before.health);
    const row = { url, ...columnsOf(health, now), said_at: said ? now : before.saidAt };
    if (await write(db, keyOf(url), before.version, row)) return health;
  }
  throw new TransientError(`too many look at ${url} at once`);
}

function columnsOf(health: Health, now: number) {
  const state = health.correction === null ? health.state : ('corrected' as const);
  return { health: JSON.stringify(health), state, looked_at: health.lookedAt ?? 0, due_at: dueAt(health, now) };
}

/** False if it is of another version by now. */
async function write(
  db: Kysely<SourceTables>,
  key: string,
  version: number,
  { url, ...row }: Omit<LinkTable, 'key' | 'version'>,
): Promise<boolean> {
  if (version === 0) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('links')
      .values({ key, url, ...row, version: 1 })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows !== undefined && numInsertedOrUpdatedRows > 0n;
  }
  const { numUpdatedRows } = await db
    .updateTable('links')
    .set({ ...row, version: version + 1 })
    .where('key', '=', key)
    .where('version', '=', version)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Of two processes that see the same link, one takes it. */
async function takeDue(db: Kysely<SourceTables>, limit: number, now: number): Promise<string[]> {
  const due = await db
    .selectFrom('links')
    .select(['key', 'url', 'version'])
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(limit)
    .execute();
  const taken: string[] = [];
  for (const { key, url, version } of due) {
    const { numUpdatedRows } = await db
      .updateTable('links')
      .set({ due_at: now + LEASE_MS, version: version + 1 })
      .where('key', '=', key)
      .where('version', '=', version)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) taken.push(url);
  }
  return taken;
}

async function count(db: Kysely<SourceTables>): ReturnType<Links['counts']> {
  const counted = ({ fn }: { fn: FunctionModule<SourceTables, 'links'> }) => fn.countAll<number>().as('count');
  const rows = await db.selectFrom('links').select('state').select(counted).groupBy('state').execute();
  const due = await db.selectFrom('links').select(counted).where('due_at', '<=', Date.now()).executeTakeFirstOrThrow();
  const states = Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
  return { ...states, due: Number(due.count) };
}

/** Of the page; a copy in an archive is a link of its own. */
function keyOf(url: string): string {
  return hashText(parseSnapshot(url) === null ? (canonicalUrl(url) ?? url) : url);
}

/** Longer than a round of looks takes. */
const LEASE_MS = 3600 * 1000;
const ATTEMPTS = 20;
