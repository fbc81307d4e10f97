import { type Step, searchBeam } from '../../../../workers/retrieval/expansion/beam.ts';

const START = 0;
const END = 9;

/** What may follow a sequence, by its pieces joined. */
function stepOf(table: Record<string, [id: number, chance: number][]>): Step {
  return async (sequences) =>
    sequences.map((ids) => (table[ids.slice(1).join('')] ?? []).map(([id, chance]) => ({ id, chance })));
}

/** The likeliest first piece, 1, leads to a sequence of .6·.4 = .24; the other, 2, to one of .4·.9 = .36. */
const garden = stepOf({
  '': [
    [1, 0.6],
    [2, 0.4],
  ],
  '1': [
    [END, 0.4],
    [3, 0.3],
  ],
  '2': [
    [END, 0.9],
    [3, 0.1],
  ],
});

test('a beam of one takes the likeliest piece each time', async () => {
  const [found, ...others] = await searchBeam(garden, { start: START, end: END, most: 5, beam: 1 });
  expect(found?.ids).toEqual([1]);
  expect(Math.exp(found?.logChance ?? 0)).toBeCloseTo(0.24);
  expect(others).toEqual([]);
});

test('a wider beam finds a whole sequence that begins less likely', async () => {
  const found = await searchBeam(garden, { start: START, end: END, most: 5, beam: 2 });
  expect(found.map(({ ids }) => ids)).toEqual([[2], [1]]);
});

test('a sequence that never ends is cut at the most pieces', async () => {
  const endless: Step = async (sequences) => sequences.map(() => [{ id: 4, chance: 0.9 }]);
  const [found] = await searchBeam(endless, { start: START, end: END, most: 3, beam: 1 });
  expect(found?.ids).toEqual([4, 4, 4]);
});
