import { readFile } from 'node:fs/promises';
import type { Judge } from '../../../../workers/evaluation/fever/predict.ts';
import { type PredictionLine, predictFever } from '../../../../workers/evaluation/fever/predictions.ts';
import { scoreFever } from '../../../../workers/evaluation/fever/score.ts';
import { fileOf } from './files.ts';

const page = (id: string, sentences: string[]) => ({
  id,
  text: sentences.join(' '),
  lines: sentences.map((sentence, number) => `${number}\t${sentence}\tlink\tLink`).join('\n'),
});

const PAGES = [
  page('Orby_-LRB-kiln-RRB-', [
    'The Orby kiln -LRB- 1844 -RRB- is a lime kiln on the Fenholm coast .',
    '',
    'It was built by Tobias Reck .',
    'Its draw arch is listed .',
  ]),
  page('Tobias_Reck', ['Tobias Reck was a mason .', 'He lived in Fenholm .', 'His dog was called Ned .']),
  page('Marrow_Cup', ['The Marrow Cup is a race of rowing boats .']),
];
const CLAIM = { id: 1, claim: 'The kiln at Orby was built by the mason Tobias Reck.' };

/** An engine that says what it is told and remembers what it was asked. */
function engine(verdict: Awaited<ReturnType<Judge>>['verdict'], quote?: string) {
  const asked: string[][] = [];
  const judge: Judge = async (_, pages) => {
    asked.push(pages.map(({ url }) => url));
    const [quoted] = pages.filter(({ text }) => quote !== undefined && text.includes(quote));
    if (quoted === undefined || quote === undefined) return { verdict, evidence: null };
    const start = quoted.text.indexOf(quote);
    return { verdict, evidence: { url: quoted.url, start, end: start + quote.length } };
  };
  return { judge, asked };
}

async function predictAll(claims: unknown[], judge: Judge, pages: unknown[] = PAGES): Promise<PredictionLine[]> {
  const lines: PredictionLine[] = [];
  const input = { claims: await fileOf(claims), pages: [await fileOf(pages)], judge };
  for await (const line of predictFever(input)) lines.push(line);
  return lines;
}

test.each([
  ['supported', 'SUPPORTS'],
  ['contradicted', 'REFUTES'],
  ['partially_supported', 'NOT ENOUGH INFO'],
  ['not_supported', 'NOT ENOUGH INFO'],
  ['uncheckable', 'NOT ENOUGH INFO'],
] as const)('%s is %s', async (verdict, label) => {
  const [line] = await predictAll([CLAIM], engine(verdict).judge);
  expect(line).toMatchObject({ id: 1, predicted_label: label });
});

test('evidence over two pages is found and scored as such', async () => {
  const [line] = await predictAll([CLAIM], engine('supported').judge);
  const evidence = [
    [
      [1, 1, 'Orby_-LRB-kiln-RRB-', 2],
      [1, 2, 'Tobias_Reck', 0],
    ],
  ];
  const gold = await fileOf([{ ...CLAIM, label: 'SUPPORTS', evidence }]);
  expect(await scoreFever({ gold, predictions: await fileOf([line]) })).toMatchObject({ score: 1, evidence_recall: 1 });
  expect(line?.predicted_evidence).not.toContainEqual(['Tobias_Reck', 2]); // shares nothing with the claim
});

test('the sentence that the engine quotes comes first', async () => {
  const [line] = await predictAll([CLAIM], engine('supported', 'His dog was called Ned').judge);
  expect(line?.predicted_evidence[0]).toEqual(['Tobias_Reck', 2]);
});

test('only candidate pages are read, and at most five documents', async () => {
  const { judge, asked } = engine('supported');
  const more = Array.from({ length: 6 }, (_, at) => page(`Ned_${at}`, ['Ned was a dog .']));
  const claims = [
    { ...CLAIM, predicted_pages: ['Tobias_Reck', ['Marrow_Cup', 0.3], 'Lost_page'] },
    { id: 2, claim: 'Ned was a dog.', predicted_pages: more.map(({ id }) => id) },
    { id: 3, claim: 'Ned was a cat.', predicted_pages: ['Lost_page'] },
  ];
  const lines = await predictAll(claims, judge, [...PAGES, ...more]);
  expect(asked).toEqual([['Tobias_Reck', 'Marrow_Cup'], more.slice(0, 5).map(({ id }) => id)]);
  expect(lines[2]).toEqual({ id: 3, predicted_label: 'NOT ENOUGH INFO', predicted_evidence: [] });
});

test('no more than five sentences are given', async () => {
  const long = page(
    'Orby',
    Array.from({ length: 9 }, (_, at) => `The kiln at Orby was built in part ${at} .`),
  );
  const [line] = await predictAll([CLAIM], engine('supported').judge, [long]);
  expect(line?.predicted_evidence).toHaveLength(5);
});

test('a malformed claim or page is named with file, line and field', async () => {
  const { judge } = engine('supported');
  await expect(predictAll([{ id: 1 }], judge)).rejects.toThrow(/line 1: claim/);
  await expect(predictAll([CLAIM], judge, [PAGES[0], { id: 'Orby' }])).rejects.toThrow(/line 2: lines/);
});

test('the shape of the published files is read', async () => {
  const folder = 'test/workers/evaluation/convert/cases/fever';
  const claims = (await readFile(`${folder}/input.jsonl`, 'utf8')).trim().split('\n');
  const pages = (await readFile(`${folder}/pages.jsonl`, 'utf8')).trim().split('\n');
  const lines = await predictAll(claims, engine('contradicted').judge, pages);
  expect(lines.map(({ id }) => id)).toEqual([75001, 75002, 75003]);
  expect(lines[1]?.predicted_evidence).toContainEqual(['Tobias_Reck', 0]);
});
