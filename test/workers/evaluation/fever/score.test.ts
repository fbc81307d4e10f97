import { readFile } from 'node:fs/promises';
import { scoreFever } from '../../../../workers/evaluation/fever/score.ts';
import { fileOf } from './files.ts';

const piece = (page: string, sentence: number) => [null, null, page, sentence];
const both = [[piece('Orby', 1), piece('Tobias_Reck', 2)]];

async function score(gold: unknown[], predictions: unknown[]) {
  return scoreFever({ gold: await fileOf(gold), predictions: await fileOf(predictions) });
}

describe('the worked example of the published scorer', () => {
  const gold = [
    { label: 'refutes', evidence: both },
    { label: 'refutes', evidence: both },
  ];
  const part = { predicted_label: 'refutes', predicted_evidence: [['Orby', 1]] };
  const whole = {
    predicted_label: 'refutes',
    predicted_evidence: [
      ['Orby', 1],
      ['Tobias_Reck', 2],
      ['Lime_kiln', 3],
    ],
  };

  test('a part of a set is no evidence, further sentences cost precision', async () => {
    expect(await score(gold, [part, whole])).toEqual({
      n: 2,
      label_accuracy: 1,
      evidence_precision: expect.closeTo(5 / 6, 12),
      evidence_recall: 0.5,
      evidence_f1: expect.closeTo(0.625, 12),
      score: 0.5,
    });
  });

  test('gold and predictions in one file score the same', async () => {
    const merged = await fileOf([
      { ...gold[0], ...part },
      { ...gold[1], ...whole },
    ]);
    expect(await scoreFever({ gold: merged, predictions: merged })).toMatchObject({ score: 0.5, label_accuracy: 1 });
  });
});

test('of more than five sentences the first five count', async () => {
  const gold = [{ id: 1, label: 'SUPPORTS', evidence: [[piece('Orby', 5)]] }];
  const sentences = (from: number) => Array.from({ length: 6 }, (_, at) => ['Orby', at + from]);
  const sixth = { id: 1, predicted_label: 'SUPPORTS', predicted_evidence: sentences(0) };
  expect(await score(gold, [sixth])).toMatchObject({
    score: 0,
    evidence_precision: 0,
    evidence_recall: 0,
    evidence_f1: 0,
  });
  const fifth = { ...sixth, predicted_evidence: sentences(1) };
  expect(await score(gold, [fifth])).toMatchObject({ score: 1, evidence_precision: 0.2, evidence_recall: 1 });
});

test('NOT ENOUGH INFO needs no evidence', async () => {
  const gold = [{ id: 1, label: 'NOT ENOUGH INFO', evidence: [[[7, null, null, null]]] }];
  const right = { id: 1, predicted_label: 'not enough info', predicted_evidence: [] };
  expect(await score(gold, [right])).toMatchObject({ score: 1, label_accuracy: 1 });
  expect(await score(gold, [{ ...right, predicted_label: 'SUPPORTS' }])).toMatchObject({ score: 0, label_accuracy: 0 });
});

test('random instances score as the published scorer scores them', async () => {
  const path = 'test/workers/evaluation/fever/published-scorer.json';
  const batches: { instances: unknown[]; figures: Record<string, number> }[] = JSON.parse(await readFile(path, 'utf8'));
  expect(batches.length).toBeGreaterThan(0);
  for (const { instances, figures } of batches) {
    const file = await fileOf(instances);
    const expected = Object.entries(figures).map(([name, value]) => [name, expect.closeTo(value, 12)]);
    expect(await scoreFever({ gold: file, predictions: file })).toMatchObject(Object.fromEntries(expected));
  }
});

describe('predictions are matched by id', () => {
  const gold = [
    { id: 1, label: 'SUPPORTS', evidence: [[piece('Orby', 0)]] },
    { id: 2, label: 'REFUTES', evidence: [[piece('Orby', 1)]] },
  ];
  const predict = (id: unknown, label: string) => ({ id, predicted_label: label, predicted_evidence: [['Orby', 0]] });

  test('whatever their order', async () => {
    expect(await score(gold, [predict('2', 'REFUTES'), predict(1, 'SUPPORTS')])).toMatchObject({ label_accuracy: 1 });
  });

  test('a claim that is left out, predicted twice or unknown is refused', async () => {
    await expect(score(gold, [predict(1, 'SUPPORTS')])).rejects.toMatchObject({ code: 'no_prediction' });
    const twice = [predict(1, 'SUPPORTS'), predict(1, 'REFUTES')];
    await expect(score(gold, twice)).rejects.toMatchObject({ code: 'duplicate_prediction' });
    const unknown = [predict(1, 'SUPPORTS'), predict(2, 'REFUTES'), predict(3, 'REFUTES')];
    await expect(score(gold, unknown)).rejects.toMatchObject({ code: 'unknown_claim' });
    const mixed = [predict(1, 'SUPPORTS'), predict(undefined, 'REFUTES')];
    await expect(score(gold, mixed)).rejects.toMatchObject({ code: 'mixed_ids' });
  });
});

describe('a malformed line is named with its number and field', () => {
  const gold = [{ id: 1, label: 'SUPPORTS', evidence: [] }];

  test.each([
    [[{ id: 1, label: 'MAYBE', evidence: [] }], /line 1: label/],
    [['', { id: 1, label: 'SUPPORTS', evidence: [[[1, 2, 'Orby']]] }], /line 2: evidence\.0\.0/],
    [['{"id":'], /line 1: is not JSON/],
  ])('gold %j', async (lines, message) => {
    await expect(score(lines, [])).rejects.toThrow(/no prediction|line/);
    const prediction = { id: 1, predicted_label: 'SUPPORTS', predicted_evidence: [] };
    await expect(score(lines, [prediction])).rejects.toThrow(message);
  });

  test.each([[[['Orby', 'one']]], [['Orby']], [[['Orby', 0, 1]]]])('evidence %j', async (evidence) => {
    const prediction = { id: 1, predicted_label: 'SUPPORTS', predicted_evidence: evidence };
    await expect(score(gold, [prediction])).rejects.toThrow(/line 1: predicted_evidence\.0/);
  });

  test('a missing file is refused', async () => {
    const files = { gold: await fileOf(gold), predictions: '/nowhere/predictions.jsonl' };
    await expect(scoreFever(files)).rejects.toMatchObject({ code: 'no_such_file' });
  });
});
