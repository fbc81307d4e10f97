/** The benchmark of the bot: claims from HTML beside a bare parse, revisions a second, how far behind the stream, memory. */
import { type Benchmark, beside, line, type Measured, runParts, type Size } from '../benchmark.ts';
import { timeExtraction } from './extraction.ts';
import { type BenchPage, makePages, readPages } from './pages.ts';
import { measureLag, timeRevisions, watchMemory } from './rates.ts';

/** `minutes`: of the rate of English Wikipedia, for memory. */
const SCALE: Record<Size, { rounds: number; pages: number; revisions: number; seconds: number; minutes: number }> = {
  tiny: { rounds: 1, pages: 1, revisions: 4, seconds: 1, minutes: 1 / 10 },
  quick: { rounds: 3, pages: 6, revisions: 200, seconds: 10, minutes: 3 },
  full: { rounds: 5, pages: 6, revisions: 400, seconds: 20, minutes: 60 },
};

export const bot: Benchmark = {
  name: 'bot',
  about: 'claims from Parsoid HTML beside a bare parse, revisions a second, how far behind the stream, memory',
  parts: ['extraction', 'revisions', 'lag', 'memory'],
  async run({ size, html, rounds, parts }) {
    const scale = SCALE[size];
    const given = html === null ? null : await readPages(html);
    const usual = given ?? makePages(20, USUAL_BYTES);
    const large = given ?? makePages(scale.pages, size === 'tiny' ? USUAL_BYTES : LARGE_BYTES);
    const measure = {
      extraction: async () => extraction(large, rounds ?? scale.rounds),
      revisions: () => revisions(usual, scale.revisions),
      lag: () => lag(usual, scale.seconds),
      memory: () => memory(usual, scale.minutes),
    };
    return runParts('bot', measure, parts);
  },
};

function extraction(pages: readonly BenchPage[], rounds: number): Measured {
  const { speeds, ...figures } = timeExtraction(pages, rounds);
  const ours = speeds.extraction.mb_per_cpu_s;
  const compare = (peerName: string, { mb_per_cpu_s: peer }: { mb_per_cpu_s: number }) =>
    beside({ name: 'claims from HTML', unit: 'MB/s of a core', ours, peer, peerName, better: 'more' });
  const results = [
    compare('linkedom, parsing alone', speeds.parse_linkedom),
    compare('htmlparser2, parsing alone', speeds.parse_htmlparser2),
  ];
  return { figures: { ...figures, ...speeds }, results };
}

async function revisions(pages: readonly BenchPage[], count: number): Promise<Measured> {
  const figures = await timeRevisions(pages, count);
  const name = 'revisions from event to queued claims';
  const note = `pages of ${figures.kb_a_page.toFixed(0)} kB, each read with the one before it`;
  return { figures, results: [line({ name, ours: figures.revisions_per_cpu_s, unit: '/s of a core', note })] };
}

async function lag(pages: readonly BenchPage[], seconds: number): Promise<Measured> {
  const figures = await measureLag(pages, seconds, 5, 95);
  const note = `longest ${figures.lag_ms_longest.toFixed(0)} ms, at 100 events/s of which 5 are ours`;
  return {
    figures,
    results: [line({ name: 'behind the stream, median', ours: figures.lag_ms_median, unit: 'ms', note })],
  };
}

async function memory(pages: readonly BenchPage[], minutes: number): Promise<Measured> {
  const figures = await watchMemory(pages, minutes);
  const [first = Number.NaN, last = Number.NaN] = [figures.heap_mb[0], figures.heap_mb.at(-1)];
  const note = `heap over ${minutes} minutes of a large wiki: ${first} → ${last} MB`;
  return { figures, results: [line({ name: 'memory gained', ours: last - first, unit: 'MB', note })] };
}

const USUAL_BYTES = 50_000;
const LARGE_BYTES = 800_000;
