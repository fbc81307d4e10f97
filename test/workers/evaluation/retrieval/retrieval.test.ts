import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type EvaluationCorpus, openEvaluationCorpus } from '../../../../workers/evaluation/retrieval/corpus.ts';
import { evaluateRetrieval, type QueryRow } from '../../../../workers/evaluation/retrieval/evaluate.ts';
import { ARMS } from '../../../../workers/evaluation/retrieval/names.ts';
import { readQueries } from '../../../../workers/evaluation/retrieval/queries.ts';
import { openEmbeddedEngine } from '../../../../workers/retrieval/corpus/sparse-engine.ts';
import { noExpansion } from '../../../../workers/retrieval/expansion/expander.ts';
import { loadEncoder } from '../../../../workers/verification/encoder.ts';
import { containment, findTerms } from '../../../../workers/verification/terms.ts';

const encoder = await loadEncoder('workers/models');
/** The share of the claim's words that each passage has: what is measured must not move with the shipped model. */
const ranker = {
  async rank({ text }: { text: string }, passages: readonly { text: string }[]) {
    const shareOf = (found: string) => containment(findTerms(text).words, findTerms(found).words, 0);
    return passages.map((passage) => ({ supported: shareOf(passage.text), partly: 0, contradicted: 0 }));
  },
};

const DOCUMENTS = [
  {
    url: 'https://www.orrin.example/mill/',
    title: '',
    text: 'The stone mill at Orrin Bay ground its last sack in 1931.',
  },
  { url: 'https://orrin.example/choir', title: 'The choir', text: 'The parish choir of Orrin Bay sings on Sundays.' },
  { url: 'https://tarn.example/ferry', title: 'Ferry', text: 'A steam ferry crossed the Tarn until 1952.' },
  { url: 'https://tarn.example/ferry', title: 'Ferry', text: 'Its captain was Ada Brenk, who kept hens aboard.' },
];
const QUERIES = [
  record('mill', 'Orrin Bay', 'The mill at Orrin Bay closed in 1931.', ['http://orrin.example/mill?utm_source=wiki']),
  record('captain', 'Tarn', 'The captain kept hens.', ['https://other.example/', 'https://tarn.example/ferry#crew']),
  record('lost', 'Tarn', 'A bridge replaced it.', ['https://tarn.example/bridge']),
];

let folder: string;
let corpus: EvaluationCorpus;
const broken: string[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'retrieval-'));
  corpus = await open([
    await fileOf('corpus.jsonl', [...DOCUMENTS, { title: 'No address', text: 'Nobody can cite it.' }]),
  ]);
});
afterAll(async () => {
  await corpus.close();
  await rm(folder, { recursive: true });
});

function record(id: string, title: string, claim: string, urls: string[]) {
  return {
    id,
    input: `${title} [SEP]  [SEP] ${claim} [CIT]`,
    output: urls.map((url) => ({ answer: url, provenance: [{ url }] })),
    meta: { wikipedia_title: title, wikipedia_section: '', sentences: [`${claim} [CIT]`] },
  };
}

async function fileOf(name: string, lines: object[]): Promise<string> {
  const path = join(folder, name);
  const text = lines.map((line) => JSON.stringify(line)).join('\n');
  await writeFile(path, name.endsWith('.gz') ? gzipSync(text) : text);
  return path;
}

function open(files: string[], encoding = encoder): Promise<EvaluationCorpus> {
  return openEvaluationCorpus({
    ...{ files, work: join(folder, 'work'), encoder: encoding, engine: openEmbeddedEngine(join(folder, 'work')) },
    onProgress: () => undefined,
    onBroken: (detail) => broken.push(detail),
  });
}

async function evaluate(records: object[], arms = ARMS.slice()) {
  const { queries } = await readQueries(await fileOf('queries.jsonl', records));
  const rows: QueryRow[] = [];
  const figures = await evaluateRetrieval({
    corpus,
    expander: noExpansion,
    ranker,
    arms,
    queries,
    onRow: async (row) => void rows.push(row),
  });
  return { figures, rows };
}

test('every arm finds the pages of its claims, by any spelling of their address', async () => {
  const { figures, rows } = await evaluate(QUERIES.slice(0, 2));
  expect(Object.keys(figures)).toEqual(ARMS);
  for (const arm of ARMS) expect(figures[arm]).toMatchObject({ p_at_1: 1, mrr: 1, queries: 2 });
  expect(rows.map(({ id }) => id)).toEqual(['mill', 'captain']);
  expect(rows[0]?.found.merged?.pages[0]).toBe('orrin.example/mill');
});

test('a page that the corpus has not counts as not found', async () => {
  const { figures, rows } = await evaluate(QUERIES, ['sparse']);
  expect(rows[2]?.found.sparse).toMatchObject({ rank: null });
  expect(figures.sparse).toMatchObject({ p_at_1: 2 / 3, sr_at_200: 2 / 3, mrr: 2 / 3, queries: 3 });
});

test('only the arms that were asked for are measured', async () => {
  const { figures } = await evaluate(QUERIES, ['ranked']);
  expect(Object.keys(figures)).toEqual(['ranked']);
  expect(figures.ranked).toEqual({
    ...{ p_at_1: 2 / 3, sr_at_5: 2 / 3, sr_at_20: 2 / 3, sr_at_100: 2 / 3, sr_at_200: 2 / 3, mrr: 2 / 3, queries: 3 },
    ci: expect.objectContaining({ p_at_1: [expect.any(Number), expect.any(Number)] }),
    ms: expect.any(Number),
    p95_ms: expect.any(Number),
  });
});

test('lines of one page are one page, and a line without an address is named', () => {
  expect(corpus.generation.corpus.size().pages).toBe(3);
  expect(broken).toEqual([expect.stringMatching(/corpus\.jsonl, line 5.*\(no_url\)/)]);
});

test('a corpus that was built is found again, and one of other files is not', async () => {
  const never = { ...encoder, encode: () => Promise.reject(new Error('encoded anew')) };
  const again = await open([join(folder, 'corpus.jsonl')], never);
  expect(again.generation.corpus.size()).toEqual(corpus.generation.corpus.size());
  await again.close();
  const other = await open([await fileOf('other.jsonl.gz', DOCUMENTS.slice(0, 1))], never); // its vectors are known
  expect(other.generation.corpus.size().pages).toBe(1);
  await other.close();
});

test('a record without a page to find is left out and counted', async () => {
  const { output: _, ...unanswered } = record('none', 'Tarn', 'Nobody knows.', []);
  const path = await fileOf('some.jsonl', [...QUERIES, unanswered, { ...unanswered, output: [{ answer: '1952' }] }]);
  const { queries, leftOut } = await readQueries(path);
  expect(queries.map(({ id }) => id)).toEqual(['mill', 'captain', 'lost']);
  expect(leftOut).toBe(2);
});

test('a record that has only its input is read from that', async () => {
  const { meta: _, ...bare } = record('bare', 'Tarn', 'The ferry stopped in 1952. Its captain was Ada Brenk.', [
    'https://x.example',
  ]);
  const { queries } = await readQueries(await fileOf('bare.jsonl', [bare]));
  expect(queries[0]?.claim).toEqual({
    title: 'Tarn',
    section: [],
    context: 'The ferry stopped in 1952.',
    text: 'Its captain was Ada Brenk.',
  });
});

test('a corpus file that is not there is refused', async () => {
  await expect(open([join(folder, 'nowhere.jsonl')])).rejects.toMatchObject({ code: 'no_such_file' });
});
