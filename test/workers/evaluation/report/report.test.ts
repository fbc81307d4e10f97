import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseHTML } from 'linkedom';
import type { JudgedPair } from '../../../../workers/evaluation/judge-pairs.ts';
import type { Label } from '../../../../workers/evaluation/pairs.ts';
import { breakDownKinds, worstRows } from '../../../../workers/evaluation/report/breakdown.ts';
import { writeReport } from '../../../../workers/evaluation/report/report.ts';
import { measureRows } from '../../../../workers/evaluation/verification.ts';

const THRESHOLD = 0.4;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'report-'));
});
afterEach(() => rm(folder, { recursive: true }));

function judged(id: string, label: Label, score: number, more: Partial<JudgedPair> = {}): JudgedPair {
  const verdict = score >= THRESHOLD ? 'supported' : 'not_supported';
  const evidence = { quote: 'The pier was lit by gas until 1911.', url: 'https://pier.example/a_b' };
  const opinion = { score, failed: 0.9 * (1 - score), verdict, evidence } as const;
  return { id, label, kind: null, cluster: id, claim: `Claim ${id}`, opinion, seconds: 0.1, ...more };
}

const ROWS = [
  judged('a', 'supported', 0.9, { kind: 'paraphrase' }),
  judged('b', 'supported', 0.1, { kind: 'paraphrase' }),
  judged('c', 'partially_supported', 0.6, { kind: 'number' }),
  judged('d', 'not_supported', 0.05, { kind: 'absent' }),
  judged('e', 'not_supported', 0.95, { claim: 'Two | three\n*stars* <script>alert(1)</script>' }),
];

async function report(rows: JudgedPair[]): Promise<string> {
  const half = { auroc_supported: 0.5, auroc_not_supported: 0.5 };
  const figures = {
    n: rows.length,
    ...measureRows(rows, THRESHOLD),
    threshold: THRESHOLD,
    pairs_per_second: 10,
    intervals: { ece: [0.01, 0.2] as [number, number] },
    baselines: { document_length: half, url_depth: half, lexical: half, cosine: half },
  };
  await writeReport(folder, { figures, rows }, { engine: 'test-1', files: ['pier.jsonl'] });
  return readFile(join(folder, 'report.md'), 'utf8');
}

test('the report shows every picture that it wrote, and each is an SVG with words in it', async () => {
  const markdown = await report(ROWS);
  const pictures = (await readdir(folder)).filter((name) => name.endsWith('.svg'));
  expect(pictures).toHaveLength(5);
  for (const name of pictures) {
    expect(markdown).toContain(`](${name})`);
    const svg = await readFile(join(folder, name), 'utf8');
    expect(svg).toMatch(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    expect(svg).not.toMatch(/NaN|undefined/);
  }
});

test('each filled bin of the calibration has a point and its number of rows', async () => {
  await report(ROWS);
  const { document } = parseHTML(await readFile(join(folder, 'calibration-supported.svg'), 'utf8'));
  expect(document.querySelectorAll('circle')).toHaveLength(4);
  const counts = [...document.querySelectorAll('[aria-label="text"] text')].map((text) => text.textContent);
  expect(counts.sort()).toEqual(['1', '1', '1', '2']);
});

test('without kinds there is no picture of kinds', async () => {
  const markdown = await report(ROWS.map((row) => ({ ...row, kind: null })));
  expect(await readdir(folder)).not.toContain('kinds.svg');
  expect(markdown).not.toContain('## By kind');
});

test('what a claim says stays in its cell and is no markup', async () => {
  const markdown = await report(ROWS);
  expect(markdown).toContain('Two \\| three \\*stars\\* \\<script\\>alert(1)\\</script\\>');
  expect(markdown).toContain('[0.010, 0.200]');
});

test('of one label alone the report is written all the same', async () => {
  expect(await report(ROWS.slice(0, 1))).toContain('| auroc_supported | – |');
});

test('the worst rows are on the wrong side of the threshold, farthest first', () => {
  expect(worstRows(ROWS, THRESHOLD, 20).map(({ id }) => id)).toEqual(['e', 'b', 'c']);
  expect(worstRows(ROWS, THRESHOLD, 1)).toHaveLength(1);
});

test('a kind has its rows, labels and how many were decided right', () => {
  expect(breakDownKinds(ROWS, THRESHOLD)).toEqual([
    expect.objectContaining({ kind: 'absent', n: 1, right: 1 }),
    {
      kind: 'paraphrase',
      n: 2,
      right: 1,
      meanScore: 0.5,
      labels: { supported: 2, partially_supported: 0, not_supported: 0 },
    },
    expect.objectContaining({ kind: 'number', n: 1, right: 0 }),
  ]);
});
