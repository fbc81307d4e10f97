import { accuracy, auroc, averagePrecision, precisionAtRecall } from '../../../workers/evaluation/metrics.ts';

const rows = (...pairs: [number, 0 | 1][]) => pairs.map(([score, positive]) => ({ score, positive: positive === 1 }));
/** With ties inside and between the classes. Reference values: roc_auc_score, average_precision_score of scikit-learn. */
const mixed = rows([0.9, 1], [0.8, 0], [0.8, 1], [0.7, 1], [0.5, 0], [0.5, 0], [0.5, 1], [0.2, 0], [0.1, 1], [0.1, 0]);

test('AUROC counts pairs in order, ties half', () => {
  expect(auroc(rows([0.2, 0], [0.6, 1], [0.4, 0]))).toBe(1);
  expect(auroc(rows([0.2, 1], [0.6, 0]))).toBe(0);
  expect(auroc(rows([0.5, 1], [0.5, 0]))).toBe(0.5);
  expect(auroc(mixed)).toBeCloseTo(0.68, 10);
});

test('average precision steps over distinct scores', () => {
  expect(averagePrecision(rows([0.9, 1], [0.8, 0], [0.7, 1]))).toBeCloseTo((1 + 2 / 3) / 2, 10);
  expect(averagePrecision(rows([0.5, 1], [0.5, 0]))).toBe(0.5);
  expect(averagePrecision(mixed)).toBeCloseTo(0.697619047619, 10);
});

test('precision at a recall takes the highest cut that reaches it, with all its ties', () => {
  expect(precisionAtRecall(mixed, 0.15)).toBe(1);
  expect(precisionAtRecall(mixed, 0.4)).toBeCloseTo(2 / 3, 10);
  expect(precisionAtRecall(mixed, 1)).toBe(0.5);
});

test('accuracy takes a score at the threshold for positive', () => {
  expect(accuracy(rows([0.4, 1], [0.4, 0], [0.3, 0]), 0.4)).toBeCloseTo(2 / 3, 10);
});

test('a class without rows has no ranking', () => {
  expect(auroc(rows([0.4, 1]))).toBeNaN();
  expect(precisionAtRecall(rows([0.4, 0]), 0.15)).toBeNaN();
});
