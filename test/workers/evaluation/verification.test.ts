import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evaluateVerification, readPairs } from '../../../workers/evaluation/verification.ts';
import { loadEncoder } from '../../../workers/verification/encoder.ts';
import { loadVerifier } from '../../../workers/verification/verifier.ts';

const verifier = await loadVerifier('workers/models', await loadEncoder('workers/models'));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pairs-'));
});
afterAll(() => rm(folder, { recursive: true }));

const KILN = 'The lime kiln at Orby was built in 1844 by Tobias Reck. It was fired for the last time in 1902.';
const row = (label: string, text: string) => ({
  id: text,
  claim: { text, title: 'Orby', section: 'Industry', context: '' },
  sources: [{ url: 'https://example.org/kiln', title: '', text: KILN }],
  label,
});
const ROWS = [
  row('supported', 'The lime kiln at Orby was built in 1844.'),
  row('partially_supported', 'The lime kiln at Orby was built in 1844 and restored by volunteers in 1987.'),
  row('not_supported', 'Orby won the county cricket cup three times.'),
];

async function fileOf(lines: unknown[]): Promise<string> {
  const path = join(folder, `${lines.length}.jsonl`);
  await writeFile(path, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'));
  return path;
}

test('labelled pairs give the figures of ranking and deciding', async () => {
  const figures = await evaluateVerification({ verifier, pairs: readPairs(await fileOf(ROWS)) });
  expect(figures).toMatchObject({
    n: 3,
    auroc_supported: 1,
    auroc_not_supported: 1,
    ap_not_supported: 1,
    ap_failed: 1,
    precision_at_15_recall: 1,
    accuracy_supported: 1,
    threshold: verifier.threshold,
  });
  expect(figures.pairs_per_second).toBeGreaterThan(0);
});

test('a malformed line is named with its number and field', async () => {
  const unlabelled = { ...ROWS[1], label: 'maybe' };
  const path = await fileOf([ROWS[0], '', unlabelled]);
  await expect(evaluateVerification({ verifier, pairs: readPairs(path) })).rejects.toThrow(/line 3: label/);
  const noJson = await fileOf(['{"id":']);
  await expect(evaluateVerification({ verifier, pairs: readPairs(noJson) })).rejects.toThrow(/line 1: is not JSON/);
});

test('a file without pairs is refused', async () => {
  await expect(evaluateVerification({ verifier, pairs: readPairs(await fileOf([])) })).rejects.toThrow(
    'no labelled pair',
  );
});
