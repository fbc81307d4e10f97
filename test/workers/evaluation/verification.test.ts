import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scoreBaselines } from '../../../workers/evaluation/baselines.ts';
import { type Engine, type JudgedPair, toOutLine } from '../../../workers/evaluation/judge-pairs.ts';
import { evaluateVerification, readPairs } from '../../../workers/evaluation/verification.ts';
import { loadEncoder } from '../../../workers/verification/encoder.ts';
import { containment, findTerms } from '../../../workers/verification/terms.ts';

const encoder = await loadEncoder('workers/models');
/** An engine of our own, so that what is measured doesn't move with the shipped model: support is the share of words found. */
const engine: Engine = {
  version: 'words-1',
  threshold: 0.8,
  async verify({ text }, [page]) {
    const score = containment(findTerms(text).words, findTerms(page?.text ?? '').words, 0);
    const evidence = page === undefined ? null : { quote: page.text.slice(0, 40), url: page.url };
    return {
      score,
      failed: 1 - score,
      verdict: score >= 0.8 ? 'supported' : 'not_supported',
      evidence,
      features: { score },
    };
  },
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pairs-'));
});
afterAll(() => rm(folder, { recursive: true }));

const KILN = 'The lime kiln at Orby was built in 1844 by Tobias Reck. It was fired for the last time in 1902.';
const row = (label: string, text: string, more: object = {}) => ({
  id: text,
  claim: { text, title: 'Orby', section: 'Industry', context: '' },
  sources: [{ url: 'https://example.org/kiln', title: '', text: KILN }],
  label,
  ...more,
});
const ROWS = [
  row('supported', 'The lime kiln at Orby was built in 1844.', { kind: 'paraphrase', article: 'Kilns' }),
  row('partially_supported', 'The lime kiln at Orby was built in 1844 and restored by volunteers in 1987.'),
  row('not_supported', 'Orby won the county cricket cup three times.', { kind: 'absent' }),
];

async function fileOf(name: string, lines: unknown[]): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'));
  return path;
}

async function evaluate(...paths: string[]) {
  const told: JudgedPair[] = [];
  const { figures, rows } = await evaluateVerification({
    engine,
    baselinesOf: (pair) => scoreBaselines(encoder, pair),
    pairs: readPairs(...paths),
    onRow: async (judged) => void told.push(judged),
  });
  expect(told).toEqual(rows);
  return { figures, rows };
}

test('labelled pairs of several files give the figures of ranking, deciding and calibration', async () => {
  const [one, two] = [await fileOf('one.jsonl', ROWS.slice(0, 1)), await fileOf('two.jsonl', ROWS.slice(1))];
  const { figures, rows } = await evaluate(one, two);
  expect(rows.map(({ id }) => id)).toEqual(ROWS.map(({ id }) => id));
  expect(figures).toMatchObject({
    n: 3,
    auroc_supported: 1,
    auroc_not_supported: 1,
    ap_not_supported: 1,
    ap_failed: 1,
    precision_at_15_recall: 1,
    accuracy_supported: 1,
    threshold: engine.threshold,
    baselines: { lexical: { auroc_supported: 1, auroc_not_supported: 1 }, url_depth: { auroc_supported: 0.5 } },
  });
  expect(figures.ece).toBeCloseTo(
    rows.reduce((sum, { opinion, label }) => sum + Math.abs(opinion.score - (label === 'supported' ? 1 : 0)), 0) / 3,
    10,
  );
  expect(figures.pairs_per_second).toBeGreaterThan(0);
});

test('each ranking, accuracy and calibration figure has an interval around it', async () => {
  const { figures } = await evaluate(await fileOf('all.jsonl', ROWS));
  const { n, threshold, pairs_per_second, intervals, baselines, ...measured } = figures;
  expect(Object.keys(intervals)).toEqual(Object.keys(measured));
  expect(intervals.auroc_supported).toEqual([1, 1]);
});

test('rows of one article are one cluster, by `article` or else by title', async () => {
  const { rows } = await evaluate(await fileOf('all.jsonl', ROWS));
  expect(rows.map(({ cluster }) => cluster)).toEqual(['article Kilns', 'article Orby', 'article Orby']);
});

test('what was said of a row is a line with its label, its kind, both probabilities, verdict and quote', async () => {
  const { rows } = await evaluate(await fileOf('all.jsonl', ROWS));
  const [first, second] = rows.map((judged) => JSON.parse(toOutLine(judged)));
  expect(first).toMatchObject({ id: ROWS[0]?.id, label: 'supported', kind: 'paraphrase', verdict: 'supported' });
  expect(KILN).toContain(first.quote);
  expect(first.score).toBe(rows[0]?.opinion.score);
  expect(first.failed).toBe(rows[0]?.opinion.failed);
  expect(first.features).toEqual({ score: first.score });
  expect(second).not.toHaveProperty('kind');
});

test('with rows of one label alone, what needs both is NaN, which JSON says as null', async () => {
  const { figures } = await evaluate(await fileOf('one-class.jsonl', ROWS.slice(0, 1)));
  const { auroc_supported, ap_not_supported, intervals, accuracy_supported } = JSON.parse(JSON.stringify(figures));
  expect({ auroc_supported, ap_not_supported, accuracy_supported }).toEqual({
    auroc_supported: null,
    ap_not_supported: null,
    accuracy_supported: 1,
  });
  expect(intervals.auroc_supported).toEqual([null, null]);
});

test('a malformed line is named with its number and field', async () => {
  const unlabelled = { ...ROWS[1], label: 'maybe' };
  const path = await fileOf('unlabelled.jsonl', [ROWS[0], '', unlabelled]);
  await expect(evaluate(path)).rejects.toMatchObject({
    code: 'malformed_record',
    message: expect.stringMatching(/line 3: label/),
  });
  const noJson = await fileOf('no-json.jsonl', ['{"id":']);
  await expect(evaluate(noJson)).rejects.toThrow(/line 1: is not JSON/);
});

test('files without a pair, and a file that is not there, are refused', async () => {
  const empty = await fileOf('empty.jsonl', []);
  await expect(evaluate(empty, empty)).rejects.toMatchObject({ code: 'no_pairs' });
  await expect(evaluate(join(folder, 'nowhere.jsonl'))).rejects.toMatchObject({ code: 'no_such_file' });
  await expect(evaluate(folder)).rejects.toMatchObject({ code: 'no_such_file' });
});
