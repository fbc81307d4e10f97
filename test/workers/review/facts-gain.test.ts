import fc from 'fast-check';
import { Verdict } from '../../../shared/citation.ts';
import { gainOf, type Weighed } from '../../../workers/review/gain.ts';
import { aFinding } from '../../support/examples.ts';
import { searched } from './store.ts';

const { suggestion: better } = searched(aFinding);
const of = (changes: Partial<Weighed>): Weighed => ({
  verdict: 'not_supported',
  score: 0.5,
  suggestion: null,
  ...changes,
});
const share = fc.double({ min: 0, max: 1, noNaN: true });
const views = fc.nat(10_000_000);

test('what is likelier to fail, has a better suggestion, or is read more, is never worth less', () => {
  fc.assert(
    fc.property(share, share, share, views, views, (low, high, suggested, few, many) => {
      const [lower, higher] = [Math.min(low, high), Math.max(low, high)];
      const suggestion = better && { ...better, score: suggested };
      expect(gainOf(of({ score: lower }), few)).toBeGreaterThanOrEqual(gainOf(of({ score: higher }), few));
      expect(gainOf(of({ score: low, suggestion }), few)).toBeGreaterThanOrEqual(gainOf(of({ score: low }), few));
      expect(gainOf(of({ score: low }), Math.max(few, many))).toBeGreaterThanOrEqual(
        gainOf(of({ score: low }), Math.min(few, many)),
      );
    }),
  );
});

test('gain = P(fails) × (1 + suggestion’s score) / 2 × log₁₀(10 + views)', () => {
  const suggestion = better && { ...better, score: 0.8 };
  expect(gainOf(of({ score: 0.1, suggestion }), 90)).toBeCloseTo(0.9 * 0.9 * 2, 12);
  expect(gainOf(of({ score: 0.1 }), null)).toBeCloseTo(0.45, 12);
});

test('without a score the verdict says how likely it fails: a claim without source surely, an unread one is open, what can’t be mended not', () => {
  const unscored = (verdict: Verdict) => gainOf(of({ verdict, score: null }), null);
  expect(Object.fromEntries(Verdict.options.map((verdict) => [verdict, unscored(verdict)]))).toMatchObject({
    unsourced: 0.5,
    unavailable: 0.25,
    uncheckable: 0,
    unsupported_language: 0,
  });
});
