/**
 * A folder of pages with the right text of each → how well an extractor finds it, and in what time. In: `html/<id>.html.gz` and
 * `ground-truth.json`. Out: figures with 95 % intervals, and the texts.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { z } from 'zod';
import { RequestError } from '../../../shared/errors.ts';
import { parseJson } from '../../../shared/json.ts';
import { bootstrapIntervals, type Interval } from '../bootstrap.ts';
import { compareTexts, harmonic, type Overlap } from './shingles.ts';

/** A page's bytes → its text, '' for none. */
export type ExtractText = (body: Buffer) => Promise<string> | string;

export const Texts = z.record(z.string(), z.object({ articleBody: z.string() }));
export type Texts = z.infer<typeof Texts>;

export interface Measured {
  pages: number;
  /** Mean over pages. */
  f1: number;
  precision: number;
  recall: number;
  /** Of the mean precision and the mean recall, as published tables give it. */
  f1_of_means: number;
  intervals: Record<string, Interval>;
  /** Mean milliseconds a page, reading the file not counted. */
  ms_per_page: number;
}

/** Throws RequestError `no_ground_truth` for a folder without a readable one. */
export async function measureExtraction(
  folder: string,
  extractText: ExtractText,
): Promise<{ measured: Measured; texts: Texts }> {
  const right = await readTexts(join(folder, 'ground-truth.json'));
  const rows: (Overlap & { id: string })[] = [];
  const texts: Texts = {};
  let ms = 0;
  for (const [id, { articleBody }] of Object.entries(right)) {
    const body = await promisify(gunzip)(await readFile(join(folder, 'html', `${id}.html.gz`)));
    const start = performance.now();
    const text = await extractText(body);
    ms += performance.now() - start;
    texts[id] = { articleBody: text };
    rows.push({ id, ...compareTexts(articleBody, text) });
  }
  const intervals = bootstrapIntervals(rows, ({ id }) => id, figuresOf);
  return { measured: { pages: rows.length, ...figuresOf(rows), intervals, ms_per_page: ms / rows.length }, texts };
}

async function readTexts(path: string): Promise<Texts> {
  const read = await readFile(path, 'utf8').catch(() => '');
  const texts = Texts.safeParse(parseJson(read));
  if (texts.success && Object.keys(texts.data).length > 0) return texts.data;
  throw new RequestError('no_ground_truth', `${path} is no {"<id>": {"articleBody": "…"}}`);
}

function figuresOf(rows: readonly Overlap[]) {
  const mean = (of: (row: Overlap) => number) => rows.reduce((sum, row) => sum + of(row), 0) / rows.length;
  const [precision, recall] = [mean((row) => row.precision), mean((row) => row.recall)];
  return { f1: mean((row) => row.f1), f1_of_means: harmonic(precision, recall), precision, recall };
}
