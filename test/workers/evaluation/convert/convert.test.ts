import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { convert } from '../../../../workers/evaluation/convert/convert.ts';
import { FORMAT_NAMES, type FormatName } from '../../../../workers/evaluation/convert/names.ts';
import { LabelledPair } from '../../../../workers/evaluation/pairs.ts';
import { fileOf } from '../fever/files.ts';

/** One folder a case, its name beginning with the format's: input, pages where there are any, expected pairs. */
const CASES = 'test/workers/evaluation/convert/cases';
const cases = await readdir(CASES);

const formatOf = (name: string): FormatName => {
  const format = [...FORMAT_NAMES].reverse().find((known) => name.startsWith(known)); // feverous before fever
  if (format === undefined) throw new Error(`no format is called ${name}`);
  return format;
};

async function collect(input: Parameters<typeof convert>[0]): Promise<unknown[]> {
  const pairs: unknown[] = [];
  for await (const pair of convert(input)) pairs.push(JSON.parse(JSON.stringify(pair)));
  return pairs;
}

async function inputOf(name: string) {
  const files = await readdir(join(CASES, name));
  const input = files.filter((file) => file.startsWith('input')).map((file) => join(CASES, name, file));
  const pages = files.filter((file) => file.startsWith('pages')).map((file) => join(CASES, name, file));
  return { from: formatOf(name), files: input, pages };
}

test.each(cases)('%s is converted as written beside it', async (name) => {
  const expected = (await readFile(join(CASES, name, 'expected.jsonl'), 'utf8')).trim().split('\n');
  const pairs = await collect(await inputOf(name));
  expect(pairs).toEqual(expected.map((line) => JSON.parse(line)));
  for (const pair of pairs) expect(LabelledPair.safeParse(pair).success).toBe(true);
});

test('every format has a case', () => {
  expect(new Set(cases.map(formatOf))).toEqual(new Set(FORMAT_NAMES));
});

test.each([
  ['wice', 1],
  ['wafer', 1],
  ['source-verifier', 1],
  ['fever', 1],
  ['feverous', 1],
  ['vitaminc', 0],
])('of the records of %s, %i are left out and counted', async (name, expected) => {
  let leftOut = 0;
  await collect({
    ...(await inputOf(name)),
    onLeftOut: () => {
      leftOut += 1;
    },
  });
  expect(leftOut).toBe(expected);
});

test('several files are converted one after the other', async () => {
  const { from, files } = await inputOf('vitaminc');
  expect(await collect({ from, files: [...files, ...files] })).toHaveLength(6);
});

/** A record of the case with one field broken, and what the refusal names. */
const BROKEN: [FormatName, string, (record: Record<string, unknown>) => unknown, RegExp][] = [
  ['wice', 'wice', (record) => ({ ...record, label: 'maybe' }), /line 2: label/],
  ['wafer', 'wafer', (record) => ({ ...record, meta: { sentences: [] } }), /line 2: meta\.wikipedia_title/],
  ['fever', 'fever', (record) => ({ ...record, evidence: [[[1, 2, 3]]] }), /line 2: evidence\.0\.0/],
  [
    'feverous',
    'feverous',
    (record) => ({ ...record, id: 7, label: 'REFUTES', evidence: [{}] }),
    /line 2: evidence\.0\.content/,
  ],
  ['fm2', 'fm2', (record) => ({ ...record, label: 'NOT ENOUGH INFO' }), /line 2: label/],
  ['vitaminc', 'vitaminc', (record) => ({ ...record, evidence: null }), /line 2: evidence/],
];

test.each(BROKEN)(
  'a malformed line of %s is named with file, line and field',
  async (from, name, breakRecord, message) => {
    const { files, pages } = await inputOf(name);
    const [line = ''] = (await readFile(files[0] ?? '', 'utf8')).split('\n');
    const file = await fileOf([line, breakRecord(JSON.parse(line))]);
    const broken = collect({ from, files: [file], pages });
    await expect(broken).rejects.toMatchObject({ code: 'malformed_record', message: expect.stringMatching(message) });
    await expect(broken).rejects.toThrow(file);
  },
);

test('a malformed row of Source Verifier is named with file, row and field', async () => {
  const row = { id: 'row_2', claim_text: 'A kiln.', ground_truth: 'Supported' };
  const file = await fileOf([JSON.stringify({ metadata: {}, rows: [row, { ...row, ground_truth: 'Yes' }] })]);
  await expect(collect({ from: 'source-verifier', files: [file] })).rejects.toThrow(`${file}, row 2: ground_truth`);
  const noRows = await fileOf([{ metadata: {} }]);
  await expect(collect({ from: 'source-verifier', files: [noRows] })).rejects.toThrow(`${noRows}: rows`);
});

test('a malformed page is named with file, line and field', async () => {
  const { from, files } = await inputOf('feverous');
  const pages = await fileOf([
    { title: 'Orby kiln', order: ['table_0'], table_0: { table: [[{ id: 'cell_0_0_0' }]] } },
  ]);
  await expect(collect({ from, files, pages: [pages] })).rejects.toThrow(`${pages}, line 1: table_0.table.0.0.value`);
});

test('formats whose texts stand apart ask for them, and a missing file is refused', async () => {
  const { files } = await inputOf('fever');
  await expect(collect({ from: 'fever', files })).rejects.toMatchObject({ code: 'no_pages' });
  await expect(collect({ from: 'fm2', files: ['/nowhere/dev.jsonl'] })).rejects.toMatchObject({ code: 'no_such_file' });
});
