import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { measureExtraction } from '../../../../workers/evaluation/extraction/measure.ts';
import { readWithReadability } from '../../../../workers/evaluation/extraction/readability.ts';
import { compareTexts } from '../../../../workers/evaluation/extraction/shingles.ts';

test('runs of four words are counted: one wrong word at the end costs one run of three', () => {
  // right: abcd bcde cdef; found: abcd bcde cdeX
  expect(compareTexts('a b c d e f', 'a b c d e X')).toEqual({ precision: 2 / 3, recall: 2 / 3, f1: 2 / 3 });
});

test('what is there twice counts twice, and case counts', () => {
  // found: abcd bcda cdab dabc abcd
  expect(compareTexts('a b c d', 'a b c d a b c d')).toMatchObject({
    precision: 1 / 5,
    recall: 1,
    f1: expect.closeTo(1 / 3),
  });
  expect(compareTexts('a b c d', 'A b c d').f1).toBe(0);
});

test('a text of fewer than four words is one run, and so is none', () => {
  expect(compareTexts('Closed, today.', 'Closed today').f1).toBe(1);
  expect(compareTexts('Closed today', '').f1).toBe(0);
  expect(compareTexts('', '').f1).toBe(1);
});

async function folder(pages: Record<string, { html: string; articleBody: string }>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'extraction-'));
  await mkdir(join(root, 'html'));
  for (const [id, { html }] of Object.entries(pages))
    await writeFile(join(root, 'html', `${id}.html.gz`), gzipSync(html));
  const truth = Object.entries(pages).map(([id, { articleBody }]) => [id, { articleBody }]);
  await writeFile(join(root, 'ground-truth.json'), JSON.stringify(Object.fromEntries(truth)));
  return root;
}

test('figures are means over pages; F1 of the means is another', async () => {
  const root = await folder({
    a: { html: 'a b c d', articleBody: 'a b c d' },
    b: { html: 'a b c d x', articleBody: 'a b c d' },
  });
  const { measured, texts } = await measureExtraction(root, (body) => body.toString());
  expect(measured).toMatchObject({ pages: 2, precision: 0.75, recall: 1, f1: (1 + 2 / 3) / 2 });
  expect(measured.f1_of_means).toBeCloseTo(1.5 / 1.75);
  expect(measured.intervals.precision).toEqual([0.5, 1]);
  expect(texts).toEqual({ a: { articleBody: 'a b c d' }, b: { articleBody: 'a b c d x' } });
});

test('a folder without a ground truth is refused by code', async () => {
  const root = await mkdtemp(join(tmpdir(), 'extraction-'));
  await expect(measureExtraction(root, () => '')).rejects.toMatchObject({ code: 'no_ground_truth' });
});

test('Readability reads a page as it comes', () => {
  expect(
    readWithReadability(
      Buffer.from(`<html><body><article>${'<p>The ferry was built in 1930.</p>'.repeat(30)}</article></body></html>`),
    ),
  ).toContain('1930');
});
