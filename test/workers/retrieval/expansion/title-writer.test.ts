import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { z } from 'zod';
import { ModelFailure, RefuseToStart, TransientError } from '../../../../shared/errors.ts';
import { createGeneratedExpander, wordsOfTitles } from '../../../../workers/retrieval/expansion/generate.ts';
import { loadTitleWriter, type TitleWriter } from '../../../../workers/retrieval/expansion/title-writer.ts';
import { aClaim } from '../../../support/examples.ts';

const ClaimText = z.object({ title: z.string(), section: z.string(), claim: z.string(), context: z.string() });
/** By title-models.py. */
const tiny = z
  .object({
    encoder: z.base64(),
    decoder: z.base64(),
    tokenizer: z.record(z.string(), z.unknown()),
    cases: z.array(z.object({ claim: ClaimText, ids: z.array(z.int()), title: z.string() })),
  })
  .parse(JSON.parse(await readFile('test/workers/retrieval/expansion/title-models.json', 'utf8')));

const silent = pino({ level: 'silent' });

let modelsDir = '';
beforeAll(async () => {
  modelsDir = await mkdtemp(join(tmpdir(), 'models-'));
  await mkdir(join(modelsDir, 'expansion'));
  await putModel(tiny.cases[0]?.ids ?? []);
});
afterAll(() => rm(modelsDir, { recursive: true }));

async function putModel(ids: number[]): Promise<void> {
  const contents = {
    'encoder.int8.onnx': Buffer.from(tiny.encoder, 'base64'),
    'decoder.int8.onnx': Buffer.from(tiny.decoder, 'base64'),
    'tokenizer.json': JSON.stringify(tiny.tokenizer),
  };
  const files: Record<string, string> = {};
  for (const [name, content] of Object.entries(contents)) {
    await writeFile(join(modelsDir, 'expansion', name), content);
    files[name] = createHash('sha256').update(content).digest('hex');
  }
  const manifest = {
    ...{ name: 'tiny', version: 'tiny-1', parts: { title: 16, section: 10, claim: 64, context: 33 }, maxTitle: 16 },
    ...{ probe: { claim: tiny.cases[0]?.claim, ids }, files },
  };
  await writeFile(join(modelsDir, 'expansion', 'manifest.json'), JSON.stringify(manifest));
}

function toClaim({ claim, section, ...rest }: z.infer<typeof ClaimText>) {
  return { ...rest, text: claim, section: [section] };
}

const words = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? [];

test.each(tiny.cases)('what PyTorch writes is written: $title', async ({ claim, title }) => {
  const writer = await loadTitleWriter(modelsDir);
  const [written, ...others] = await writer.write(toClaim(claim), 1);
  expect(words(written?.text ?? '')).toEqual(words(title));
  expect(written?.share).toBeCloseTo(1);
  expect(others).toEqual([]);
});

test('the tiny model writes more than one thing', () => {
  expect(new Set(tiny.cases.map(({ title }) => title)).size).toBeGreaterThan(3);
});

test('a wider beam gives several titles that share the probability', async () => {
  const writer = await loadTitleWriter(modelsDir);
  const titles = await writer.write(aClaim, 3);
  expect(titles).toHaveLength(3);
  expect(titles.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
});

test('a tokenizer of another model is refused', async () => {
  await putModel([101, 7, 102, 102, 102, 102]);
  await expect(loadTitleWriter(modelsDir)).rejects.toThrow(RefuseToStart);
  await putModel(tiny.cases[0]?.ids ?? []);
});

test('a model that gives no usable numbers adds nothing, and its failure is logged as a code', async () => {
  const codes: unknown[] = [];
  const broken = { write: () => Promise.reject(new ModelFailure('not_finite')) };
  const log = { warn: ({ code }: { code: string }) => codes.push(code) };
  const query = { claim: aClaim, words: ['mill'], feedback: async () => [] };
  expect(await createGeneratedExpander(broken, log).expand(query, new AbortController().signal)).toEqual([]);
  expect(codes).toEqual(['not_finite']);
});

test('a search that was stopped is told so before the model runs', async () => {
  const writer = await loadTitleWriter(modelsDir);
  const query = { claim: aClaim, words: ['mill'], feedback: async () => [] };
  const expanded = createGeneratedExpander(writer, silent).expand(query, AbortSignal.abort());
  await expect(expanded).rejects.toThrow(TransientError);
});

describe('the model that is shipped', () => {
  let writer: TitleWriter;
  beforeAll(async () => {
    writer = await loadTitleWriter('workers/models');
  });

  test('writes what it wrote where it was exported', async () => {
    const manifest = JSON.parse(await readFile('workers/models/expansion/manifest.json', 'utf8'));
    const [title] = await writer.write(toClaim(ClaimText.parse(manifest.probe.claim)), 1);
    expect(words(title?.text ?? '')).toEqual(words(manifest.probe.text));
  });

  test('adds words to a claim that is empty, endless or full of control characters', async () => {
    const expander = createGeneratedExpander(writer, silent);
    const odd = ['', 'a claim [SEP] '.repeat(10_000), '\u0000\u0007\ud800', '🐝'];
    for (const text of odd) {
      const claim = { text, title: '', section: [], context: text };
      const added = await expander.expand({ claim, words: [], feedback: async () => [] }, new AbortController().signal);
      expect(added.every(({ weight }) => weight > 0)).toBe(true);
    }
  });
});

test('a word weighs as much as the titles it stands in are likely, and the claim’s own are left out', () => {
  const titles = [
    { text: 'Mill of the bay closed', share: 0.75 },
    { text: 'the mill, the mill', share: 0.25 },
  ];
  expect(wordsOfTitles(titles, 0.5, ['closed'])).toEqual([
    { word: 'mill', weight: 0.5 },
    { word: 'bay', weight: 0.375 },
  ]);
});
