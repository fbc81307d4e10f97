/** `sidelight evaluate verification`: the shipped engine on labelled pairs. Out: the figures of the literature, rows, a report. */
import { type FileHandle, mkdir, open, realpath, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Config } from '../../shared/config.ts';
import { RequestError } from '../../shared/errors.ts';
import { scoreBaselines } from '../../workers/evaluation/baselines.ts';
import { toOutLine } from '../../workers/evaluation/judge-pairs.ts';
import { writeReport } from '../../workers/evaluation/report/report.ts';
import { evaluateVerification, readPairs } from '../../workers/evaluation/verification.ts';
import { loadModels, loadVerifier } from '../../workers/verification/verifier.ts';
import { evaluationTable } from './evaluation-table.ts';
import { print } from './print.ts';

export interface EvaluateOptions {
  /** Files, read one after the other. */
  pairs: string[];
  /** A file: one JSON line a pair, written as it is judged. */
  out?: string;
  /** A folder. */
  report?: string;
  json: boolean;
}

/** What can't be read or written is refused before anything is judged. */
export async function evaluate(config: Config, options: EvaluateOptions): Promise<void> {
  for (const path of options.pairs) await requireFile(path);
  const out = options.out === undefined ? null : await openOut(options.out, options.pairs);
  try {
    if (options.report !== undefined) await makeFolder(options.report);
    await evaluatePairs(config, options, out);
  } finally {
    await out?.close();
  }
}

async function evaluatePairs(config: Config, options: EvaluateOptions, out: FileHandle | null): Promise<void> {
  const models = await loadModels(config.modelsDir);
  const engine = await loadVerifier(config.modelsDir, models);
  const evaluation = await evaluateVerification({
    engine,
    baselinesOf: (pair) => scoreBaselines(models.encoder, pair),
    pairs: readPairs(...options.pairs),
    onRow: async (row) => out?.appendFile(`${toOutLine(row)}\n`),
  });
  if (options.report !== undefined) {
    await writeReport(options.report, evaluation, {
      engine: engine.version,
      files: options.pairs.map((path) => basename(path)),
    });
  }
  print(options.json ? evaluation.figures : evaluationTable(evaluation.figures));
}

async function requireFile(path: string): Promise<void> {
  const file = await stat(path).catch(() => null);
  if (file === null || file.isDirectory()) throw new RequestError('no_such_file', `--pairs: there is no file ${path}`);
}

async function openOut(path: string, pairs: readonly string[]): Promise<FileHandle> {
  const target = await realpath(path).catch(() => null); // null: not there yet
  for (const pair of pairs) {
    if ((await realpath(pair)) === target) {
      throw new RequestError('same_file', `--out: ${path} is a file of pairs; it would be overwritten`);
    }
  }
  return open(path, 'w').catch((error: NodeJS.ErrnoException) => {
    throw new RequestError('not_writable', `--out: ${path} can't be written (${error.code})`);
  });
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw new RequestError('not_writable', `--report: ${path} can't be a folder (${error.code})`);
  });
}
