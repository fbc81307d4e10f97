/** `sidelight evaluate retrieval`: queries with known pages on a corpus → how well each arm finds them, and how fast. */
import { type FileHandle, open } from 'node:fs/promises';
import Table from 'cli-table3';
import type { Config } from '../../shared/config.ts';
import { RequestError } from '../../shared/errors.ts';
import { createLogger, type Logger } from '../../shared/logger.ts';
import { spellInterval } from '../../workers/evaluation/report/report.ts';
import { openEvaluationCorpus } from '../../workers/evaluation/retrieval/corpus.ts';
import { evaluateRetrieval, type RetrievalFigures } from '../../workers/evaluation/retrieval/evaluate.ts';
import type { Arm } from '../../workers/evaluation/retrieval/names.ts';
import { readQueries } from '../../workers/evaluation/retrieval/queries.ts';
import { openSparseEngine } from '../../workers/retrieval/corpus/sparse-engine.ts';
import { loadBiEncoder } from '../../workers/retrieval/dense/bi-encoder.ts';
import { createExpander } from '../../workers/retrieval/expansion/create.ts';
import { createRanker } from '../../workers/suggestion/rank.ts';
import { loadCrossEncoder } from '../../workers/verification/cross-encoder.ts';
import { print } from './print.ts';

export interface EvaluateRetrievalOptions {
  /** Sphere-style files, read one after the other. */
  corpus: string[];
  queries: string;
  arms: Arm[];
  sparse: 'fts5' | 'elasticsearch';
  /** A folder: corpora that were built stay there. */
  work: string;
  /** A file: one JSON line a query, written as it is searched for. */
  out?: string;
  json: boolean;
}

/** The expansion is the configured one. Throws RequestError for files that are not there, or no query to measure with. */
export async function evaluateRetrievalFiles(config: Config, options: EvaluateRetrievalOptions): Promise<void> {
  const { queries, leftOut } = await readQueries(options.queries);
  if (queries.length === 0)
    throw new RequestError('no_queries', `${options.queries}: no record has a claim and a page`);
  if (leftOut > 0) say(`${leftOut} records without a claim or without a page are left out`);
  const log = createLogger(config.logLevel, 'evaluation');
  const engine = openEngine(config, options, log);
  const corpus = await openEvaluationCorpus({
    files: options.corpus,
    work: options.work,
    engine,
    encoder: await loadBiEncoder(config.modelsDir),
    onBroken: (detail) => say(`left out: ${detail}`),
    onProgress: everySeconds((pages: number) => say(`${pages} pages indexed`)),
  });
  const out = options.out === undefined ? null : await openOut(options.out);
  try {
    const ranker = createRanker(await loadCrossEncoder(config.modelsDir));
    const expander = await createExpander(config, log);
    const { pages, passages } = corpus.generation.corpus.size();
    say(`${pages} pages, ${passages} passages, ${queries.length} queries`);
    const told = everySeconds((done: number) => say(`${done} of ${queries.length} queries`));
    const figures = await evaluateRetrieval({
      ...{ corpus, expander, ranker, queries, arms: options.arms },
      async onRow(row, done) {
        await out?.appendFile(`${JSON.stringify(row)}\n`);
        told(done);
      },
    });
    print(options.json ? figures : retrievalTable(figures));
  } finally {
    await out?.close();
    await corpus.close();
    await engine.close();
  }
}

/** In a namespace of its own: what an installation searches is left alone. */
function openEngine({ elasticsearch, ...config }: Config, { sparse, work }: EvaluateRetrievalOptions, log: Logger) {
  if (sparse === 'fts5') return openSparseEngine({ ...config, dataDir: work, elasticsearch: null }, log);
  if (elasticsearch === null)
    throw new RequestError('no_elasticsearch', '--sparse elasticsearch: set ELASTICSEARCH_URL');
  const apart = { ...elasticsearch, prefix: `${elasticsearch.prefix}-evaluation` };
  return openSparseEngine({ ...config, dataDir: work, elasticsearch: apart }, log);
}

function retrievalTable(figures: RetrievalFigures): string {
  const table = new Table({ head: ['', ...Object.keys(figures)], style: { head: [], border: [], compact: true } });
  for (const name of ['p_at_1', 'sr_at_5', 'sr_at_20', 'sr_at_100', 'sr_at_200', 'mrr'] as const) {
    table.push([
      name,
      ...Object.values(figures).map((arm) => `${arm[name].toFixed(3)} ${spellInterval(arm.ci[name])}`),
    ]);
  }
  table.push(['ms', ...Object.values(figures).map(({ ms, p95_ms }) => `${ms} (p95 ${p95_ms})`)]);
  return table.toString();
}

async function openOut(path: string): Promise<FileHandle> {
  return open(path, 'w').catch((error: NodeJS.ErrnoException) => {
    throw new RequestError('not_writable', `--out: ${path} can't be written (${error.code})`);
  });
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Calls at most every two seconds. */
function everySeconds<Args extends unknown[]>(call: (...args: Args) => void): (...args: Args) => void {
  let last = 0;
  return (...args) => {
    if (Date.now() - last < 2000) return;
    last = Date.now();
    call(...args);
  };
}
