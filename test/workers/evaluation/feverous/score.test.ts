import { readFile } from 'node:fs/promises';
import { scoreFeverous } from '../../../../workers/evaluation/feverous/score.ts';
import { fileOf } from '../fever/files.ts';

async function score(gold: unknown[], predictions: unknown[]) {
  return scoreFeverous({ gold: await fileOf(gold), predictions: await fileOf(predictions) });
}

/** As published, with a first line whose every value is empty. */
const HEADER = { id: '', label: '', claim: '', evidence: [] };
const GOLD = {
  id: 31,
  label: 'SUPPORTS',
  claim: 'The kiln at Orby burned 40 tonnes a week.',
  evidence: [{ content: ['Orby_sentence_0', 'Orby_cell_0_1_2'], context: { Orby_sentence_0: ['Orby_title'] } }],
};
const predict = (evidence: unknown[], label = 'SUPPORTS') => ({
  id: 31,
  predicted_label: label,
  predicted_evidence: evidence,
});

test('a whole set of sentences and cells is evidence, a part of it is none', async () => {
  const whole = predict(['Orby_sentence_0', 'Orby_cell_0_1_2', 'Orby_header_cell_0_0_2']);
  expect(await score([HEADER, GOLD], [whole])).toEqual({
    n: 1,
    label_accuracy: 1,
    evidence_precision: expect.closeTo(2 / 3, 12),
    evidence_recall: 1,
    evidence_f1: expect.closeTo(0.8, 12),
    score: 1,
  });
  expect(await score([GOLD], [predict(['Orby_sentence_0'])])).toMatchObject({ score: 0, evidence_recall: 0 });
});

test('ids and triples name the same elements', async () => {
  const triples = predict([
    ['Orby', 'sentence', '0'],
    ['Orby', 'cell', '0_1_2'],
  ]);
  expect(await score([GOLD], [triples])).toMatchObject({ score: 1, evidence_f1: 1 });
});

test('five sentences and 25 cells count, whatever stands between them', async () => {
  const sentences = [9, 8, 7, 6, 5].map((number) => `Orby_sentence_${number}`);
  const cells = Array.from({ length: 25 }, (_, row) => `Orby_cell_1_${row}_0`);
  expect(await score([GOLD], [predict([...cells, 'Orby_sentence_0', 'Orby_cell_0_1_2'])])).toMatchObject({ score: 0 });
  expect(await score([GOLD], [predict([...sentences, 'Orby_sentence_0', 'Orby_cell_0_1_2'])])).toMatchObject({
    score: 0,
  });
  const last = predict([...cells.slice(1), ...sentences.slice(1), 'Orby_cell_0_1_2', 'Orby_sentence_0']);
  expect(await score([GOLD], [last])).toMatchObject({ score: 1 });
});

test('NOT ENOUGH INFO needs its evidence too', async () => {
  const unknown = { ...GOLD, label: 'NOT ENOUGH INFO' };
  expect(await score([unknown], [predict([], 'NOT ENOUGH INFO')])).toMatchObject({ label_accuracy: 1, score: 0 });
});

test('random instances score as the published scorer scores them', async () => {
  const path = 'test/workers/evaluation/feverous/published-scorer.json';
  const batches: { instances: { evidence: string[][][] }[]; figures: Record<string, number> }[] = JSON.parse(
    await readFile(path, 'utf8'),
  );
  expect(batches.length).toBeGreaterThan(0);
  for (const { instances, figures } of batches) {
    const published = instances.map((instance) => ({
      ...instance,
      evidence: instance.evidence.map((set) => ({ content: set.map((triple) => triple.join('_')), context: {} })),
    }));
    const file = await fileOf(published);
    const expected = Object.entries(figures).map(([name, value]) => [name, expect.closeTo(value, 12)]);
    expect(await scoreFeverous({ gold: file, predictions: file })).toMatchObject(Object.fromEntries(expected));
  }
});

test('what is no element id is refused with line and field', async () => {
  const broken = { ...GOLD, evidence: [{ content: ['Orby'] }] };
  await expect(score([HEADER, broken], [predict([])])).rejects.toThrow(/line 2: evidence\.0\.content\.0/);
  await expect(score([GOLD], [predict(['Orby_paragraph_1'])])).rejects.toThrow(/line 1: predicted_evidence\.0/);
});
