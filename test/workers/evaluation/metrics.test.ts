import {
  accuracy,
  auroc,
  averagePrecision,
  calibrationBins,
  expectedCalibrationError,
  precisionAtRecall,
} from '../../../workers/evaluation/metrics.ts';

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

/** 400 rows, 260 positive, 101 distinct scores: a linear congruence that another language repeats exactly. */
function congruence(): { score: number; positive: boolean }[] {
  let state = 20231;
  const next = () => {
    state = (state * 16807) % 2147483647;
    return state % 101;
  };
  return Array.from({ length: 400 }, () => {
    const score = next();
    const threshold = next();
    return { score: score / 100, positive: threshold ** 2 < score * 100 };
  });
}

test('on rows with many ties the figures are those of scikit-learn', () => {
  const tied = congruence();
  expect(auroc(tied)).toBeCloseTo(0.75, 10);
  expect(averagePrecision(tied)).toBeCloseTo(0.8315640454799847, 10);
  expect(precisionAtRecall(tied, 0.15)).toBeCloseTo(0.9318181818181818, 10);
  expect(expectedCalibrationError(tied)).toBeCloseTo(0.1673, 10);
});

test('a score on the boundary of two bins counts in the lower one', () => {
  const bins = calibrationBins(rows([0, 0], [0.1, 1], [0.11, 0], [0.3, 1], [0.7, 0], [1, 1]));
  expect(bins.map(({ n }) => n)).toEqual([2, 1, 1, 0, 0, 0, 1, 0, 0, 1]);
  expect(bins[0]).toMatchObject({ low: 0, high: 0.1, positives: 1, meanScore: 0.05 });
});

test('scores that say the truth have no calibration error, sure and wrong ones an error of 1', () => {
  expect(expectedCalibrationError(rows([0.5, 1], [0.5, 0]))).toBe(0);
  expect(expectedCalibrationError(rows([1, 0], [0, 1]))).toBe(1);
  expect(expectedCalibrationError([])).toBeNaN();
});
