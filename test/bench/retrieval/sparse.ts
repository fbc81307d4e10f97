/** How the embedded sparse arm grows: time to add passages, disk, and milliseconds a search. Prose is made up (prose.ts). */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../../shared/sql/better-sqlite3.ts';
import type { CorpusPassage } from '../../../workers/retrieval/corpus/store.ts';
import { openFts5Index } from '../../../workers/retrieval/sparse/fts5.ts';
import { toWords, weigh } from '../../../workers/retrieval/sparse/query.ts';
import type { SparseIndex } from '../../../workers/retrieval/sparse/sparse-index.ts';
import { median, time } from '../numbers.ts';
import { createProse, type Prose } from './prose.ts';

export interface SparseFigures {
  passages: number;
  /** Processor time of one thread: other work on the machine does not change it much. */
  add_cpu_ms_per_1000: number;
  search_ms: number;
  search_cpu_ms: number;
  index_mb: number;
}

/** Ascending sizes of one index that grows. */
export async function measureSparse(sizes: readonly number[], searches = SEARCHES): Promise<SparseFigures[]> {
  const directory = mkdtempSync(join(tmpdir(), 'sidelight-sparse-'));
  const path = join(directory, 'sparse.sqlite');
  const index = openFts5Index(path);
  const prose = createProse(3);
  try {
    const figures: SparseFigures[] = [];
    let held = 0;
    for (const passages of sizes) {
      const added = passages - held;
      const start = process.cpuUsage();
      for (; held < passages; held += BATCH)
        await index.add(makePassages(prose, held, Math.min(BATCH, passages - held)));
      held = passages;
      const add_cpu_ms_per_1000 = cpuSince(start) / added;
      const searched = await timeSearches(index, prose, searches);
      figures.push({ passages, add_cpu_ms_per_1000, ...searched, index_mb: sizeOf(path) / 1e6 });
    }
    return figures;
  } finally {
    await index.close();
    rmSync(directory, { recursive: true });
  }
}

/** Bytes, with what was only in the journal written into the file. */
function sizeOf(path: string): number {
  const db = new Database(path);
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
  return statSync(path).size;
}

async function timeSearches(
  index: SparseIndex,
  prose: Prose,
  searches: number,
): Promise<{ search_ms: number; search_cpu_ms: number }> {
  const claims = Array.from({ length: searches }, () =>
    weigh(toWords({ title: prose.words(2), text: prose.sentence(20) })),
  );
  const start = process.cpuUsage();
  const times: number[] = [];
  for (const words of claims) times.push(await time(() => index.search(words, TOP)));
  return { search_ms: median(times), search_cpu_ms: cpuSince(start) / 1e3 / searches };
}

function makePassages(prose: Prose, from: number, count: number): CorpusPassage[] {
  return Array.from({ length: count }, (_, at) => {
    const text = prose.page(95);
    const url = `https://bench.example/${from + at}`;
    return {
      ...{
        id: from + at + 1,
        pageId: from + at + 1,
        sourceKey: null,
        url,
        title: '',
        text,
        start: 0,
        end: text.length,
      },
      ...{ domain: 'bench.example', language: 'en', crawledAt: null, publishedAt: null, position: 0 },
    };
  });
}

/** Microseconds. */
function cpuSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

const BATCH = 1000;
const SEARCHES = 50;
const TOP = 100;
