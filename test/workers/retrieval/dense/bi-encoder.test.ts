import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { ModelFailure, RefuseToStart } from '../../../../shared/errors.ts';
import { loadBiEncoder } from '../../../../workers/retrieval/dense/bi-encoder.ts';

const here = 'test/workers/retrieval/dense';
/** What PyTorch gives for the shipped weights; written by models/training/export_bi_encoder.py. */
const EXACT = z
  .array(z.object({ text: z.string(), embedding: z.string().transform((row) => row.split(' ').map(Number)) }))
  .parse(JSON.parse(await readFile(`${here}/bi-encoder.exact.json`, 'utf8')));
const TINY = z
  .record(z.string(), z.string())
  .parse(JSON.parse(await readFile(`${here}/bi-encoder-models.json`, 'utf8')));
const LONG = `The mill at the river was rebuilt ${'by the town council and the railway engineer '.repeat(12)}in 1874.`;

const encoder = await loadBiEncoder('workers/models');

test('embeddings are those of the exact model, but for the quantisation', async () => {
  const rows = rowsOf(await encoder.encode(EXACT.map(({ text }) => text)));
  expect(rows).toHaveLength(EXACT.length);
  for (const [at, { embedding }] of EXACT.entries()) expect(cosine(rows[at], embedding)).toBeGreaterThan(0.98);
});

test('embeddings have length one', async () => {
  const rows = rowsOf(await encoder.encode(['A mill stood here.', LONG, '']));
  for (const row of rows) expect(cosine(row, row)).toBeCloseTo(1, 5);
});

test('an embedding does not depend on its neighbours, nor on their order', async () => {
  const texts = ['A mill stood here.', LONG, 'Sourdough bread rises slowly.', `${LONG} ${LONG}`, ''];
  const alone = await Promise.all(texts.map(async (text) => rowsOf(await encoder.encode([text]))[0]));
  const together = rowsOf(await encoder.encode(texts));
  const backwards = rowsOf(await encoder.encode(texts.toReversed())).reverse();
  for (const at of texts.keys()) {
    expect(cosine(together[at], alone[at])).toBeGreaterThan(0.9999);
    expect(cosine(backwards[at], alone[at])).toBeGreaterThan(0.9999);
  }
});

test('of a text of 10,000 words the first 256 tokens are read', async () => {
  const words = 'harbour lighthouse mill bridge market '.repeat(2000);
  const [whole, cut] = rowsOf(await encoder.encode([words, words.slice(0, 4000)]));
  expect(cosine(whole, cut)).toBeGreaterThan(0.99999);
});

test('no texts, no rows', async () => {
  expect(await encoder.encode([])).toHaveLength(0);
});

describe('a folder', () => {
  let modelsDir: string;
  const path = (name: string) => join(modelsDir, 'bi-encoder', name);

  beforeEach(async () => {
    modelsDir = await mkdtemp(join(tmpdir(), 'bi-encoder-'));
    await cp('workers/models/bi-encoder', join(modelsDir, 'bi-encoder'), { recursive: true });
  });
  afterEach(() => rm(modelsDir, { recursive: true }));

  async function putModel(bytes: Buffer): Promise<void> {
    await writeFile(path('model.int8.onnx'), bytes);
    const manifest = JSON.parse(await readFile(path('manifest.json'), 'utf8'));
    manifest.files['model.int8.onnx'] = createHash('sha256').update(bytes).digest('hex');
    await writeFile(path('manifest.json'), JSON.stringify(manifest));
  }

  const putTiny = (name: string) => putModel(Buffer.from(TINY[name] ?? '', 'base64'));

  async function refusal(): Promise<string> {
    const error: unknown = await loadBiEncoder(modelsDir).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RefuseToStart);
    return String(error);
  }

  test('with a file that is not what the manifest says is refused', async () => {
    await writeFile(path('tokenizer.json'), '{}');
    expect(await refusal()).toContain(path('tokenizer.json'));
  });

  test('with a model of other inputs is refused', async () => {
    await putTiny('withAnotherInput');
    expect(await refusal()).toContain('position_ids');
  });

  test('with bytes that are no model is refused', async () => {
    await putModel(Buffer.from('no model'));
    expect(await refusal()).toContain(path('model.int8.onnx'));
  });

  test.each([
    ['notFiniteAbove40Tokens', 'not_finite'],
    ['ofThreeDimensions', 'wrong_shape'],
    ['ofOneRow', 'run_failed'],
  ] as const)('with a model %s fails with a code', async (name, code) => {
    await putTiny(name);
    const failing = await loadBiEncoder(modelsDir);
    const error: unknown = await failing.encode(['A mill.', LONG, 'A mill.']).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ModelFailure);
    expect(error).toMatchObject({ code });
  });
});

function rowsOf(embeddings: Float32Array): Float32Array[] {
  const count = embeddings.length / encoder.dimensions;
  return Array.from({ length: count }, (_, at) =>
    embeddings.subarray(at * encoder.dimensions, (at + 1) * encoder.dimensions),
  );
}

function cosine(a: Float32Array | undefined, b: ArrayLike<number> | undefined): number {
  let sum = 0;
  for (let at = 0; at < encoder.dimensions; at += 1) sum += (a?.[at] ?? Number.NaN) * (b?.[at] ?? Number.NaN);
  return sum;
}
