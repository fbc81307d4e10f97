/**
 * Responses as they came, in the sources' database: what makes a request conditional, and a check repeatable. In and out:
 * `FetchResponse`, by the address that was asked. Bodies are kept compressed and up to a number of bytes; the longest unused go first.
 */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import type { FetchResponse } from './fetch.ts';

/** `receivedAt`: when the body came; later looks that found it unchanged are not counted. */
export type KeptResponse = FetchResponse & { receivedAt: string };

export interface Responses {
  get(address: string): Promise<KeptResponse | null>;
  /** One that failed (a status other than 2xx) never takes the place of a page, nor an older one that of a newer. */
  put(address: string, response: KeptResponse): Promise<void>;
  /** The address was asked again, and nothing had changed. */
  confirm(address: string, now: number): void;
  /** In the order of addresses. `since`: ISO time at which the body came, at the earliest. */
  addresses(since: string | null): string[];
}

export const RESPONSES_SQL = `
CREATE TABLE IF NOT EXISTS responses (
  address TEXT PRIMARY KEY, meta TEXT NOT NULL, body BLOB NOT NULL, bytes INTEGER NOT NULL,
  received_at INTEGER NOT NULL, used_at INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS responses_used ON responses (used_at, bytes);`;

/** `keepBytes`: of all of them together, compressed; up to a hundredth more for each process that writes. */
export function openResponses(database: Database, keepBytes: number): Responses {
  const select = database.prepare('SELECT meta, body, received_at FROM responses WHERE address = ?');
  const upsert = database.prepare(
    'INSERT INTO responses (address, meta, body, bytes, received_at, used_at) ' +
      'VALUES (:address, :meta, :body, :bytes, :receivedAt, :usedAt) ON CONFLICT (address) DO UPDATE SET ' +
      'meta = excluded.meta, body = excluded.body, bytes = excluded.bytes, received_at = excluded.received_at, ' +
      'used_at = excluded.used_at WHERE excluded.received_at >= received_at AND ' +
      "(excluded.meta ->> '$.status' BETWEEN 200 AND 299 OR meta ->> '$.status' NOT BETWEEN 200 AND 299)",
  );
  const touch = database.prepare('UPDATE responses SET used_at = ? WHERE address = ?');
  const list = database.prepare('SELECT address FROM responses WHERE received_at >= ? ORDER BY address').pluck();
  const shrink = createShrink(database, keepBytes);
  return {
    async get(address) {
      const row = Row.optional().parse(select.get(normal(address)));
      if (row === undefined) return null;
      const receivedAt = new Date(row.received_at).toISOString();
      return { kind: 'response', ...Meta.parse(JSON.parse(row.meta)), body: await decompress(row.body), receivedAt };
    },
    async put(address, { finalUrl, status, contentType, headers, redirects, body: sent, receivedAt }) {
      const body = await compress(sent);
      const meta = JSON.stringify({ finalUrl, status, contentType, headers: keptHeaders(headers), redirects });
      const bytes = body.length + meta.length + ROW_BYTES;
      const times = { receivedAt: Date.parse(receivedAt), usedAt: Date.now() };
      upsert.run({ address: normal(address), meta, body, bytes, ...times });
      shrink(bytes);
    },
    confirm: (address, now) => void touch.run(now, normal(address)),
    addresses: (since) => z.array(z.string()).parse(list.all(since === null ? 0 : Date.parse(since))),
  };
}

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
function createShrink(database: Database, keepBytes: number): (added: number) => void {
  const sum = database.prepare('SELECT coalesce(sum(bytes), 0) FROM responses').pluck();
  const oldest = database.prepare('SELECT address, bytes FROM responses ORDER BY used_at LIMIT 100');
  const remove = database.prepare('DELETE FROM responses WHERE address = ?');
  const shrink = database.transaction(() => {
    let excess = Number(sum.get()) - keepBytes;
    while (excess > 0) {
      for (const { address, bytes } of Sized.parse(oldest.all())) {
        if (excess <= 0) return;
        remove.run(address);
        excess -= bytes;
      }
    }
  }).immediate;
  let unseen = 0;
  return (added) => {
    unseen += added;
    if (unseen < keepBytes / 100) return;
    unseen = 0;
    shrink();
  };
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
const Row = z.object({ meta: z.string(), body: z.instanceof(Uint8Array), received_at: z.int() });
const Sized = z.array(z.object({ address: z.string(), bytes: z.int() }));
const Meta = z.object({
  finalUrl: z.string(),
  status: z.int(),
  contentType: z.string(),
  headers: z.record(z.string(), z.string()),
  redirects: z.array(z.object({ url: z.string(), status: z.int(), location: z.string() })).exactOptional(),
});
