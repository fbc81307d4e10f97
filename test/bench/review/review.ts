/**
 * The benchmark of the review page: a real database of made-up findings, the real server, every filter and order over HTTP, the first
 * page and deep ones. Beside each round a peer: fifty rows by an index, straight from the same database.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { pino } from 'pino';
import { openReviewDatabase } from '../../../workers/review/database.ts';
import type { Filter } from '../../../workers/review/filter.ts';
import { createFindings } from '../../../workers/review/findings.ts';
import { createReviewServer } from '../../../workers/review/server.ts';
import { withQuery } from '../../../workers/review/views/address.ts';
import { time } from '../numbers.ts';
import { fill, WIKI } from './fill.ts';
import { type Asked, combined, eachAlone } from './requests.ts';

export interface ReviewBenchOptions {
  json: boolean;
  findings: number;
  pages: number;
  rounds: number;
  /** File that is made if it is not there, and stays: writing it takes longer than all else. Without it a new one, which goes. */
  database?: string;
}

export async function benchReview(options: ReviewBenchOptions): Promise<void> {
  const { json, findings, pages, rounds, database } = options;
  const folder = await mkdtemp(join(tmpdir(), 'sidelight-bench-review-'));
  const path = database ?? join(folder, 'review.sqlite');
  const isNew = !existsSync(path);
  const db = await openReviewDatabase(path);
  if (isNew) fill(path, { findings, pages });
  const server = createReviewServer({ db, findings: createFindings(db), ...SETTINGS });
  const origin = await server.listen({ host: '127.0.0.1', port: 0 });
  const peer = createPeer(path);
  try {
    const measured = {
      alone: await measure(origin, eachAlone(), rounds, peer.ask),
      combined: await measure(origin, combined(200), 1, peer.ask),
      processor: `${cpus().length} × ${cpus()[0]?.model}`,
    };
    process.stdout.write(`${JSON.stringify(measured, null, json ? undefined : 1)}\n`);
  } finally {
    peer.close();
    await server.close();
    await db.destroy();
    await rm(folder, { recursive: true });
  }
}

const SETTINGS = {
  log: pino({ level: 'silent' }),
  wiki: {
    ...{ id: WIKI, origin: `https://${WIKI}`, indexPath: '/w/index.php', userAgent: 'bench' },
    ...{ apiUrl: `https://${WIKI}/w/api.php`, restUrl: `https://${WIKI}/w/rest.php` },
  },
  wikiOrigins: [],
  publicUrl: 'http://127.0.0.1',
  signIn: {
    ...{ client: null, maintainers: [], maintainerGroups: [], patrollerGroups: null },
    secret: 'a secret of benchmarks that signs no cookie',
  },
};

function createPeer(path: string) {
  const db = new Database(path, { readonly: true });
  const rows = db.prepare(`SELECT * FROM findings WHERE state = 'open' ORDER BY position, id LIMIT 50`);
  return { ask: async () => void rows.all(), close: () => void db.close() };
}

async function measure(origin: string, asked: readonly Asked[], rounds: number, peer: () => Promise<void>) {
  const times: Record<'list' | 'api' | 'deepList' | 'deepApi' | 'peer', number[]> = {
    ...{ list: [], api: [], deepList: [], deepApi: [], peer: [] },
  };
  const slowest: { name: string; ms: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const { name, filter } of asked) {
      const list = await ask(origin, '/', filter);
      times.list.push(list);
      times.api.push(await ask(origin, '/api/findings', filter));
      const after = await deepIn(origin, filter);
      if (after !== null) {
        times.deepList.push(await ask(origin, '/', filter, after));
        times.deepApi.push(await ask(origin, '/api/findings', filter, after));
      }
      times.peer.push(await time(peer));
      slowest.push({ name, ms: Math.round(list) });
    }
  }
  slowest.sort((a, b) => b.ms - a.ms);
  const figures = Object.entries(times).map(([what, all]) => [what, figuresOf(all)]);
  return { ...Object.fromEntries(figures), slowest: slowest.slice(0, 5) };
}

/** Milliseconds until all of it has come. Throws where it is refused. */
async function ask(origin: string, path: string, filter: Filter, after?: number): Promise<number> {
  const address = `${origin}${withQuery(path, filter, after === undefined ? {} : { after })}`;
  return time(async () => {
    const response = await fetch(address);
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`HTTP ${response.status}: ${address}`);
  });
}

/** Five long pages on; null where the list ends before. */
async function deepIn(origin: string, filter: Filter): Promise<number | null> {
  let after: number | undefined;
  for (let page = 0; page < 5; page++) {
    const beside = { limit: 200, ...(after !== undefined && { after }) };
    const response = await fetch(`${origin}${withQuery('/api/findings', filter, beside)}`);
    // rows have ids, as everywhere in the API
    const { findings } = (await response.json()) as { findings: { id: number }[] };
    after = findings.at(-1)?.id;
    if (findings.length < 200 || after === undefined) return null;
  }
  return after ?? null;
}

function figuresOf(times: readonly number[]) {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) =>
    Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1));
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), max: at(1) };
}
