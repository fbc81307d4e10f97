import { loadEncoder } from '../../../workers/verification/encoder.ts';

const encoder = await loadEncoder('workers/models');
const cosine = (rows: Float32Array, a: number, b: number) =>
  rows.subarray(a * 384, a * 384 + 384).reduce((sum, value, at) => sum + value * (rows[b * 384 + at] ?? 0), 0);

/** Of the exact model; models/training/export_encoder.py has the sentences. */
const EXACT = { lighthouses: 0.7756, lightAndBudget: 0.0785, lightAndBread: -0.0619 };

test('embeddings are those of the exact model, but for the quantisation', async () => {
  const rows = await encoder.encode([
    'The harbour lighthouse was lit for the first time in 1874.',
    'In 1874 the light at the harbour entrance began to shine.',
    'The town council raised the budget for public libraries by 12 percent.',
    'Sourdough bread rises slowly because wild yeast works slowly.',
  ]);
  expect(rows).toHaveLength(4 * 384);
  expect(Math.abs(cosine(rows, 0, 0) - 1)).toBeLessThan(1e-5);
  expect(Math.abs(cosine(rows, 0, 1) - EXACT.lighthouses)).toBeLessThan(0.04);
  expect(Math.abs(cosine(rows, 0, 2) - EXACT.lightAndBudget)).toBeLessThan(0.04);
  expect(Math.abs(cosine(rows, 0, 3) - EXACT.lightAndBread)).toBeLessThan(0.04);
});

test('an embedding does not depend on its neighbours', async () => {
  const alone = await encoder.encode(['A mill stood here.']);
  const among = await encoder.encode(['A much longer sentence about something else entirely.', 'A mill stood here.']);
  expect([...among.subarray(384)]).toEqual([...alone]);
});

test('empty and endless texts are encoded', async () => {
  const rows = await encoder.encode(['', 'word '.repeat(100_000)]);
  expect(rows.every(Number.isFinite)).toBe(true);
});

test('no texts, no rows', async () => {
  expect(await encoder.encode([])).toHaveLength(0);
});
