import { countReasons, type Judged, judgeSet, readSet, toTable } from './unavailable-set.ts';

let judged: Judged[];
beforeAll(async () => {
  judged = await judgeSet(await readSet());
}, 60_000);

test('the set has at least sixty responses without a source, and forty that look like them and have one', () => {
  expect(judged.filter(({ label }) => label !== 'readable').length).toBeGreaterThanOrEqual(60);
  expect(judged.filter(({ label }) => label === 'readable').length).toBeGreaterThanOrEqual(40);
  expect(judged.filter(({ keptAside }) => keptAside).length).toBeGreaterThan(judged.length / 4);
});

test('of the pages that a reason is given for, at least 95 in 100 have it, over the whole set and over what was kept aside', () => {
  for (const part of [judged, judged.filter(({ keptAside }) => keptAside)]) {
    const imprecise = countReasons(part).filter(({ given, right }) => right < 0.95 * given);
    if (imprecise.length > 0) throw new Error(`${toTable(countReasons(part))}\n${wrong(part).join('\n')}`);
  }
});

test('of the pages that have a reason, at least nine in ten are found', () => {
  const missed = countReasons(judged).filter(({ due, right }) => right < 0.9 * due);
  expect(missed).toEqual([]);
});

function wrong(part: readonly Judged[]): string[] {
  return part.filter(({ label, given }) => label !== given).map(({ name, given }) => `${name}: ${given}`);
}
