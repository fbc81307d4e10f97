/**
 * The benchmark of the review page: a real database of made-up findings, the real server, every filter and order over HTTP, the first
 * page and deep ones. Beside each round a peer: fifty rows by an index, straight from the same database.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Database } from '../../../shared/sql/better-sqlite3.ts';
import { openReviewDatabase } from '../../../workers/review/database.ts';
import type { Filter } from '../../../workers/review/filter.ts';
import { createFindings } from '../../../workers/review/findings.ts';
import { createReviewServer } from '../../../workers/review/server.ts';
import { withQuery } from '../../../workers/review/views/address.ts';
import {
  type Benchmark,
  type BenchOptions,
  beside,
  type Measured,
  type Result,
  runParts,
  type Size,
} from '../benchmark.ts';
import { time } from '../numbers.ts';
import { fill, WIKI } from './fill.ts';
import { type Asked, combined, eachAlone } from './requests.ts';

const SCALE: Record<Size, { findings: number; pages: number; rounds: number; combined: number }> = {
  tiny: { findings: 40, pages: 10, rounds: 1, combined: 2 },
  quick: { findings: 20_000, pages: 4_000, rounds: 1, combined: 50 },
  full: { findings: 100_000, pages: 20_000, rounds: 3, combined: 200 },
};

export const review: Benchmark = {
  name: 'review',
  about: 'lists of the review page by every filter and order over HTTP, beside fifty rows straight from the database',
  parts: ['lists'],
  run: (options) => runParts('review', { lists: () => lists(options) }, options.parts),
};

/** Without `database`, a new one, which goes: writing a large one takes longer than all else. */
async function lists({ size, rounds, database }: BenchOptions): Promise<Measured> {
  const scale = SCALE[size];
  const folder = await mkdtemp(join(tmpdir(), 'sidelight-bench-review-'));
  const path = database ?? join(folder, 'review.sqlite');
  const isNew = !existsSync(path);
  const db = await openReviewDatabase(path);
  if (isNew) fill(path, scale);
  const server = createReviewServer({ db, findings: createFindings(db), ...SETTINGS });
  const origin = await server.listen({ host: '127.0.0.1', port: 0 });
  const peer = createPeer(path);
  try {
    const figures = {
      alone: await measure(origin, eachAlone(), rounds ?? scale.rounds, peer.ask),
      combined: await measure(origin, combined(scale.combined), 1, peer.ask),
    };
    return { figures, results: resultsOf(figures.alone, scale.findings) };
  } finally {
    peer.close();
    await server.close();
    await db.destroy();
    await rm(folder, { recursive: true });
  }
}

function resultsOf({ api, list, peer }: Awaited<ReturnType<typeof measure>>, findings: number): Result[] {
  const compare = (name: string, { p50, p95 }: Quantiles) => {
    const note = `p95 ${p95.toFixed(1)} ms, each filter and order over ${findings} findings`;
    const peerName = '50 rows from the file, no HTTP';
    return beside({ name, unit: 'ms', ours: p50, peer: peer.p50, peerName, better: 'less', note });
  };
  return [compare('review API, p50', api), compare('review page, p50', list)];
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
  return {
    ...{ list: figuresOf(times.list), api: figuresOf(times.api), peer: figuresOf(times.peer) },
    ...{ deepList: figuresOf(times.deepList), deepApi: figuresOf(times.deepApi) },
    slowest: slowest.slice(0, 5),
  };
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

interface Quantiles {
  count: number;
  p50: number;
  p95: number;
  max: number;
}

function figuresOf(times: readonly number[]): Quantiles {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) =>
    Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(2));
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), max: at(1) };
}
