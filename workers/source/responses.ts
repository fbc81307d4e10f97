/**
 * Responses as they came, in a file of this host: what makes a request conditional, and a check repeatable. In and out:
 * `FetchResponse`, by the address that was asked. Bodies are kept compressed and up to a number of bytes; the longest unused go first.
 */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { migrateSql } from '../../shared/sql.ts';
import type { FetchResponse } from './fetch.ts';

/** `receivedAt`: when the body came; later looks that found it unchanged are not counted. */
export type KeptResponse = FetchResponse & { receivedAt: string };

export interface Responses {
  get(address: string): Promise<KeptResponse | null>;
  /** One that failed (a status other than 2xx) never takes the place of a page, nor an older one that of a newer. */
  put(address: string, response: KeptResponse): Promise<void>;
  /** The address was asked again, and nothing had changed. */
  confirm(address: string, now: number): Promise<void>;
  /** In the order of addresses. `since`: ISO time at which the body came, at the earliest. */
  addresses(since: string | null): Promise<string[]>;
}

export interface ResponseTables {
  responses: {
    address: string;
    /** What `Meta` parses, as JSON. */
    meta: string;
    /** gzip */
    body: Buffer;
    bytes: number;
    /** ms */
    received_at: number;
    /** ms */
    used_at: number;
  };
}

/** Files of earlier versions have the table already. */
export async function migrateResponses(db: Kysely<ResponseTables>): Promise<void> {
  await migrateSql(db, { '0001-responses': { up } }, { table: 'response_migrations' });
}

/** In a SQLite file. `keepBytes`: of all of them together, compressed; up to a hundredth more for each process that writes. */
export function openResponses(db: Kysely<ResponseTables>, keepBytes: number): Responses {
  const shrink = createShrink(db, keepBytes);
  return {
    async get(address) {
      const row = await db
        .selectFrom('responses')
        .select(['meta', 'body', 'received_at'])
        .where('address', '=', normal(address))
        .executeTakeFirst();
      if (row === undefined) return null;
      const receivedAt = new Date(row.received_at).toISOString();
      return { kind: 'response', ...Meta.parse(JSON.parse(row.meta)), body: await decompress(row.body), receivedAt };
    },
    async put(address, { finalUrl, status, contentType, headers, redirects, body: sent, receivedAt }) {
      const body = await compress(sent);
      const meta = JSON.stringify({ finalUrl, status, contentType, headers: keptHeaders(headers), redirects });
      const bytes = body.length + meta.length + ROW_BYTES;
      const times = { received_at: Date.parse(receivedAt), used_at: Date.now() };
      await upsert(db, { address: normal(address), meta, body, bytes, ...times });
      await shrink(bytes);
    },
    async confirm(address, now) {
      await db.updateTable('responses').set({ used_at: now }).where('address', '=', normal(address)).execute();
    },
    async addresses(since) {
      const from = since === null ? 0 : Date.parse(since);
      const rows = await db
        .selectFrom('responses')
        .select('address')
        .where('received_at', '>=', from)
        .orderBy('address')
        .execute();
      return rows.map(({ address }) => address);
    },
  };
}

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE IF NOT EXISTS responses (
      address TEXT PRIMARY KEY, meta TEXT NOT NULL, body BLOB NOT NULL, bytes INTEGER NOT NULL,
      received_at INTEGER NOT NULL, used_at INTEGER NOT NULL
    ) STRICT`.execute(db);
  await sql`CREATE INDEX IF NOT EXISTS responses_used ON responses (used_at, bytes)`.execute(db);
}

async function upsert(db: Kysely<ResponseTables>, row: ResponseTables['responses']): Promise<void> {
  const { address: _, ...values } = row;
  await db
    .insertInto('responses')
    .values(row)
    .onConflict((conflict) => conflict.column('address').doUpdateSet(values).where(MAY_REPLACE))
    .execute();
}

const MAY_REPLACE = sql<boolean>`excluded.received_at >= responses.received_at AND (
  excluded.meta ->> '$.status' BETWEEN 200 AND 299 OR responses.meta ->> '$.status' NOT BETWEEN 200 AND 299)`;

/** Without what is not sent. */
function normal(address: string): string {
  const url = new URL(address);
  url.hash = '';
  return url.href;
}

/** Not what tells of the body as it was packed for the way, since it is unpacked here; and no cookies. */
function keptHeaders(headers: FetchResponse['headers']): FetchResponse['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !LEFT_OUT.has(name)));
}

/** The sum takes 16 ms for 100,000 rows (an index of its own): it is looked at after each hundredth of what may be kept. */
function createShrink(db: Kysely<ResponseTables>, keepBytes: number): (added: number) => Promise<void> {
  let unseen = 0;
  return async (added) => {
    unseen += added;
    if (unseen < keepBytes / 100) return;
    unseen = 0;
    const { sum } = await db
      .selectFrom('responses')
      .select(({ fn }) => fn.coalesce(fn.sum<number>('bytes'), sql<number>`0`).as('sum'))
      .executeTakeFirstOrThrow();
    await dropOldest(db, sum - keepBytes);
  };
}

/** Two processes that do it at once drop a little more than need be. */
async function dropOldest(db: Kysely<ResponseTables>, excess: number): Promise<void> {
  let left = excess;
  while (left > 0) {
    const oldest = await db
      .selectFrom('responses')
      .select(['address', 'bytes'])
      .orderBy('used_at')
      .limit(100)
      .execute();
    if (oldest.length === 0) return;
    const dropped: string[] = [];
    for (const { address, bytes } of oldest) {
      if (left <= 0) break;
      dropped.push(address);
      left -= bytes;
    }
    await db.deleteFrom('responses').where('address', 'in', dropped).execute();
  }
}

// off the main thread: a large body would hold up everything else
const compress = promisify(gzip);
const decompress = promisify(gunzip);
const LEFT_OUT = new Set([
  ...['content-encoding', 'content-length', 'transfer-encoding', 'trailer', 'connection', 'keep-alive', 'upgrade'],
  ...['content-md5', 'digest', 'content-digest', 'repr-digest', 'set-cookie'],
]);
/** What a row costs beside what stands in it. */
const ROW_BYTES = 200;
const Meta = z.object({
  finalUrl: z.string(),
  status: z.int(),
  contentType: z.string(),
  headers: z.record(z.string(), z.string()),
  redirects: z.array(z.object({ url: z.string(), status: z.int(), location: z.string() })).exactOptional(),
});
