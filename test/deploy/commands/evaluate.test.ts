import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { refusalOf, runCommand } from '../../support/command.ts';

const PAGE = 'The Varn aqueduct was finished in 1762 by Ilse Morn. It has eleven arches of red brick.';
const CLAIMS = [
  ['supported', 'The Varn aqueduct was finished in 1762.'],
  ['partially_supported', 'The Varn aqueduct was finished in 1762 and blown up in the siege of 1809.'],
  ['not_supported', 'Varn exports more tulips than any other town of the province.'],
];
const LINES = CLAIMS.map(([label, text]) =>
  JSON.stringify({ id: label, claim: { text }, sources: [{ url: 'https://varn.example/', text: PAGE }], label }),
);

let folder: string;
let pairs: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sidelight-evaluate-'));
  pairs = join(folder, 'pairs.jsonl');
  await writeFile(pairs, LINES.join('\n'));
});
afterEach(() => rm(folder, { recursive: true }));

const evaluate = ['evaluate', 'verification', '--pairs'];

test('one JSON object with the figures, a line a pair, and a report', async () => {
  const [out, report] = [join(folder, 'out.jsonl'), join(folder, 'new', 'report')];
  const { code, stdout } = await runCommand([...evaluate, pairs, pairs, '--out', out, '--report', report, '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ n: 6, baselines: { lexical: {} }, intervals: {} });
  const lines = (await readFile(out, 'utf8')).trimEnd().split('\n');
  const ids = lines.map((line) => JSON.parse(line).id);
  expect(ids).toEqual([...CLAIMS, ...CLAIMS].map(([id]) => id));
  expect(await readdir(report)).toContain('report.md');
});

test('for people: a table with intervals in brackets, and the simple rankings beside the engine', async () => {
  const { code, stdout } = await runCommand([...evaluate, pairs]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/auroc_supported\s+│ [\d.]+\s+│ \[[\d.]+, [\d.]+\]/);
  expect(stdout).toMatch(/cosine\s+│/);
});

test('what can not be read or written is refused in one line', async () => {
  await writeFile(join(folder, 'broken.jsonl'), `${LINES[0]}\n{"id": 3}`);
  await writeFile(join(folder, 'empty.jsonl'), '\n');
  expect(await refusalOf([...evaluate, folder])).toMatch(/--pairs: there is no file/);
  expect(await refusalOf([...evaluate, pairs, '/nowhere/at/all'])).toMatch(/--pairs: there is no file \/nowhere/);
  expect(await refusalOf([...evaluate, join(folder, 'broken.jsonl')])).toMatch(/broken\.jsonl, line 2: id/);
  expect(await refusalOf([...evaluate, join(folder, 'empty.jsonl')])).toMatch(/no labelled pair/);
  expect(await refusalOf([...evaluate, pairs, '--out', '/nowhere/out.jsonl'])).toMatch(/--out: .*ENOENT/);
  expect(await refusalOf([...evaluate, pairs, '--report', pairs])).toMatch(/--report: .*EEXIST/);
});

test('the file of pairs is never written over', async () => {
  expect(await refusalOf([...evaluate, pairs, '--out', pairs])).toMatch(/--out: .*would be overwritten/);
  expect(await readFile(pairs, 'utf8')).toBe(LINES.join('\n'));
});
