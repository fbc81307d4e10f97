import { readFile } from 'node:fs/promises';
import type { Judge } from '../../../../workers/evaluation/fever/predict.ts';
import type { PredictionLine } from '../../../../workers/evaluation/fever/predictions.ts';
import { FeverousPage } from '../../../../workers/evaluation/feverous/pages.ts';
import { predictFeverous } from '../../../../workers/evaluation/feverous/predictions.ts';
import { scoreFeverous } from '../../../../workers/evaluation/feverous/score.ts';
import { fileOf } from '../fever/files.ts';

const cell = (id: string, value: string, spans: Record<string, string | number> = {}) => ({
  id,
  value,
  is_header: id.startsWith('header'),
  column_span: '1',
  row_span: '1',
  ...spans,
});
const PAGE = {
  title: 'Orby kiln',
  order: ['sentence_0', 'table_0', 'section_0', 'table_1', 'list_0'],
  sentence_0: 'The Orby kiln is a [[Lime_kiln|lime kiln]] of 1844.',
  table_0: {
    type: 'infobox',
    table: [
      [cell('header_cell_0_0_0', '[H] Orby kiln', { column_span: 2 })],
      [cell('header_cell_0_1_0', '[H] Builder'), cell('cell_0_1_1', '[[Tobias_Reck|Tobias Reck]]')],
      [cell('header_cell_0_2_0', 'Material'), cell('cell_0_2_1', 'Chalk')],
    ],
  },
  section_0: { value: 'Yield', level: 2 },
  table_1: {
    type: 'table',
    caption: 'Burned',
    table: [
      [cell('header_cell_1_0_0', 'Year', { row_span: '2' }), cell('header_cell_1_0_1', 'Tonnes', { column_span: '2' })],
      [cell('header_cell_1_1_0', 'Lime'), cell('header_cell_1_1_1', 'Coal')],
      [cell('header_cell_1_2_0', '1901'), cell('cell_1_2_1', '90', { row_span: '2' }), cell('cell_1_2_2', '12')],
      [cell('header_cell_1_3_0', '1902'), cell('cell_1_3_1', '')],
    ],
  },
  list_0: { type: 'unordered_list', list: [{ id: 'item_0_0', value: 'Listed in 1971', level: 0 }] },
};

describe('a page', () => {
  const page = FeverousPage.parse(PAGE);

  test('is one block a line, rows with their headers', () => {
    expect(page.text.split('\n')).toEqual([
      'The Orby kiln is a lime kiln of 1844.',
      'Builder: Tobias Reck',
      'Material: Chalk',
      'Yield',
      'Burned',
      'Year: 1901; Lime: 90; Coal: 12',
      'Year: 1902; Lime: 90',
      'Listed in 1971',
    ]);
  });

  test('knows each element by its place', () => {
    const pieces = page.units.flatMap((unit) => unit.pieces);
    const texts = pieces.map(({ id: [, type, position], start, end }) => [
      `${type}_${position}`,
      page.text.slice(start, end),
    ]);
    expect(texts).toEqual([
      ['sentence_0', 'The Orby kiln is a lime kiln of 1844.'],
      ['header_cell_0_1_0', 'Builder'],
      ['cell_0_1_1', 'Tobias Reck'],
      ['header_cell_0_2_0', 'Material'],
      ['cell_0_2_1', 'Chalk'],
      ['table_caption_1', 'Burned'],
      ['header_cell_1_2_0', 'Year: 1901'],
      ['cell_1_2_1', 'Lime: 90'],
      ['cell_1_2_2', 'Coal: 12'],
      ['header_cell_1_3_0', 'Year: 1902'],
      ['cell_1_2_1', 'Lime: 90'],
      ['item_0_0', 'Listed in 1971'],
    ]);
  });
});

const judge: Judge = async () => ({ verdict: 'supported', evidence: null });

async function predictAll(claims: unknown[], pages: unknown[] = [PAGE]): Promise<PredictionLine[]> {
  const lines: PredictionLine[] = [];
  const input = { claims: await fileOf(claims), pages: [await fileOf(pages)], judge };
  for await (const line of predictFeverous(input)) lines.push(line);
  return lines;
}

test('sentences and cells are chosen and score as a whole set', async () => {
  const claim = { id: 7, claim: 'The lime kiln at Orby, built by Tobias Reck, burned 12 tonnes of coal in 1901.' };
  const [line] = await predictAll([claim]);
  const content = [
    'Orby kiln_sentence_0',
    'Orby kiln_cell_0_1_1',
    'Orby kiln_cell_1_2_2',
    'Orby kiln_header_cell_1_2_0',
  ];
  const gold = await fileOf([{ ...claim, label: 'SUPPORTS', evidence: [{ content }] }]);
  expect(line?.predicted_evidence).not.toContainEqual(['Orby kiln', 'cell', '0_2_1']);
  expect(await scoreFeverous({ gold, predictions: await fileOf([line]) })).toMatchObject({ score: 1 });
});

test('a cell that spans two rows is named once', async () => {
  const [line] = await predictAll([{ id: 7, claim: 'The kiln burned 90 tonnes of lime in 1901 and 90 in 1902.' }]);
  const spanning = line?.predicted_evidence.filter(([, , position]) => position === '1_2_1');
  expect(spanning).toHaveLength(1);
});

test('the published claims and pages are read, their empty first line passed over', async () => {
  const folder = 'test/workers/evaluation/convert/cases/feverous';
  const claims = (await readFile(`${folder}/input.jsonl`, 'utf8')).trim().split('\n');
  const pages = (await readFile(`${folder}/pages.jsonl`, 'utf8')).trim().split('\n');
  expect((await predictAll(claims, pages)).map(({ id }) => id)).toEqual([24001, 24002, 24003]);
});

test('a malformed table is named with element and field', async () => {
  const broken = { ...PAGE, table_1: { table: [[{ id: 'cell_1_0_0', value: 'Year' }]] } };
  await expect(predictAll([{ id: 7, claim: 'A kiln.' }], [broken])).rejects.toThrow(
    /line 1: table_1\.table\.0\.0\.is_header/,
  );
});
