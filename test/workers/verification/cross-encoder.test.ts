import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { ModelFailure, RefuseToStart } from '../../../shared/errors.ts';
import { loadCrossEncoder } from '../../../workers/verification/cross-encoder.ts';

/** By cross-encoder-models.py, in base64. */
const tinyModels = z
  .record(z.string(), z.base64())
  .parse(JSON.parse(await readFile('test/workers/verification/cross-encoder-models.json', 'utf8')));

const encoder = await loadCrossEncoder('workers/models');

const PAIRS = [
  { claim: 'The harbour lighthouse was lit in 1874.', text: 'In 1874 the light at the harbour began to shine.' },
  { claim: 'The harbour lighthouse was lit in 1874.', text: 'Sourdough bread rises slowly. '.repeat(40) },
  { claim: 'Mill.', text: '' },
  { claim: 'The town cut the budget for libraries.', text: 'Library funding grew by nearly an eighth. '.repeat(9) },
];

test('each pair has three logits, in the order of the pairs', async () => {
  const logits = await encoder.score(PAIRS);
  expect(logits).toHaveLength(PAIRS.length * 3);
  for (const [at, pair] of PAIRS.entries()) {
    const alone = await encoder.score([pair]);
    for (const [output, logit] of alone.entries()) {
      // ranges of the 8-bit numbers are those of the batch, hence not the very same
      expect(Math.abs(logit - (logits[at * 3 + output] ?? Number.NaN))).toBeLessThan(0.5);
    }
  }
});

test('the same pairs have the same logits', async () => {
  expect(await encoder.score(PAIRS)).toEqual(await encoder.score(PAIRS));
});

test('texts that are empty, endless and full of control characters, are scored', async () => {
  const odd = ['', '\u0000\u0007', '🗼', 'ignore all of this [SEP] '.repeat(9000), '\ud800'];
  const pairs = odd.flatMap((claim) => odd.map((text) => ({ claim, text })));
  const logits = await encoder.score(pairs);
  expect(logits).toHaveLength(pairs.length * 3);
  expect(logits.every(Number.isFinite)).toBe(true);
});

test('no pairs, no logits', async () => {
  expect(await encoder.score([])).toHaveLength(0);
});

describe('a model that is not as it should be', () => {
  let modelsDir = '';
  const path = (name: string) => join(modelsDir, 'cross-encoder', name);

  beforeEach(async () => {
    modelsDir = await mkdtemp(join(tmpdir(), 'models-'));
    await cp('workers/models/cross-encoder', join(modelsDir, 'cross-encoder'), { recursive: true });
  });
  afterEach(() => rm(modelsDir, { recursive: true }));

  async function refusal(): Promise<string> {
    const error: unknown = await loadCrossEncoder(modelsDir).catch((thrown: unknown) => thrown);
    if (!(error instanceof RefuseToStart)) throw new Error('it was not refused', { cause: error });
    expect(error.message).not.toContain('\n');
    return error.message;
  }

  async function edit(change: (manifest: Record<string, unknown>) => object): Promise<void> {
    const manifest = JSON.parse(await readFile(path('manifest.json'), 'utf8'));
    await writeFile(path('manifest.json'), JSON.stringify({ ...manifest, ...change(manifest) }));
  }

  /** A file of the maintainer's own making, entered into the manifest as it should be. */
  async function put(name: string, contents: Uint8Array | string): Promise<void> {
    await writeFile(path(name), contents);
    const sum = createHash('sha256').update(contents).digest('hex');
    await edit(({ files }) => ({ files: { ...Object(files), [name]: sum } }));
  }

  async function putTiny(name: string): Promise<void> {
    await put('model.int8.onnx', Buffer.from(tinyModels[name] ?? '', 'base64'));
    await edit(({ probe }) => ({ probe: { ...Object(probe), logits: [1, 2, 3] } }));
  }

  test.each(['manifest.json', 'model.int8.onnx', 'tokenizer.json'])('without %s it is refused', async (name) => {
    await rm(path(name));
    expect(await refusal()).toContain(path(name));
  });

  test('a model file that is cut off is refused', async () => {
    await truncate(path('model.int8.onnx'), 1_000_000);
    expect(await refusal()).toContain(path('model.int8.onnx'));
  });

  test('a file that is no model is refused', async () => {
    await put('model.int8.onnx', 'not a model');
    expect(await refusal()).toContain(path('model.int8.onnx'));
  });

  test('a model with other inputs and outputs is refused', async () => {
    await put('model.int8.onnx', await readFile('workers/models/encoder/model.int8.onnx'));
    expect(await refusal()).toContain('embeddings');
  });

  test('a file that is no tokenizer is refused', async () => {
    await put('tokenizer.json', '{"version": "1.0"}');
    expect(await refusal()).toContain(path('tokenizer.json'));
  });

  test('a tokenizer with another vocabulary is refused', async () => {
    const tokenizer = JSON.parse(await readFile(path('tokenizer.json'), 'utf8'));
    const words = Object.entries(tokenizer.model.vocab).filter(([, id]) => Number(id) < 20_000);
    tokenizer.model.vocab = Object.fromEntries(
      words.map(([word, id]) => [word, Number(id) < 1000 ? id : Number(id) - 1]),
    );
    await put('tokenizer.json', JSON.stringify(tokenizer));
    expect(await refusal()).toContain(path('tokenizer.json'));
  });

  test('a model that scores the probe otherwise is refused', async () => {
    await edit(({ probe }) => ({ probe: { ...Object(probe), logits: [9, 9, 9] } }));
    expect(await refusal()).toContain('probe');
  });

  test('outputs in another order are refused', async () => {
    await edit(() => ({ outputs: ['contradicted', 'partly', 'supported'] }));
    expect(await refusal()).toContain('outputs.0');
  });

  test.each([
    ['withAnotherInput', 'position_ids'],
    ['withFloatInputs', 'int64'],
    ['ofTwoLogits', 'wrong_shape'],
  ] as const)('a model %s is refused', async (name, said) => {
    await putTiny(name);
    expect(await refusal()).toContain(said);
  });

  test('a model without token types is used', async () => {
    await putTiny('withoutTypes');
    const tiny = await loadCrossEncoder(modelsDir);
    expect([...(await tiny.score(PAIRS.slice(0, 2)))]).toEqual([1, 2, 3, 1, 2, 3]);
  });

  test.each([
    ['notFiniteAbove40Tokens', 'not_finite'],
    ['ofOneRow', 'run_failed'],
  ] as const)('a model %s fails with a code', async (name, code) => {
    await putTiny(name);
    const failing = await loadCrossEncoder(modelsDir);
    const error: unknown = await failing.score([...PAIRS, ...PAIRS]).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ModelFailure);
    expect(error).toMatchObject({ code });
  });
});
