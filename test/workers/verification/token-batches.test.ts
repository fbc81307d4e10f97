import { makeBatches } from '../../../workers/verification/token-batches.ts';

const sequence = (tokens: number) => ({ ids: Array<number>(tokens).fill(7), types: Array<number>(tokens).fill(1) });
const shapes = (lengths: number[], budget: number) =>
  [...makeBatches(lengths.map(sequence), budget)].map(({ inputs }) => inputs.input_ids.dims);

test('sequences of like length share a batch, within the budget, padding counted', () => {
  expect(shapes([90, 10, 12, 100, 11], 200)).toEqual([
    [3, 12],
    [2, 100],
  ]);
});

test('a sequence longer than the budget has a batch of its own', () => {
  expect(shapes([300, 10, 300], 200)).toEqual([
    [1, 10],
    [1, 300],
    [1, 300],
  ]);
});

test('every sequence stands once in the batches, at its place', () => {
  const lengths = Array.from({ length: 50 }, (_, at) => 1 + ((at * 17) % 40));
  const places = [...makeBatches(lengths.map(sequence), 64)].flatMap((batch) => batch.places);
  expect(places.map((place) => lengths[place])).toEqual([...lengths].sort((a, b) => a - b));
  expect(new Set(places).size).toBe(lengths.length);
});

test('padding is masked', () => {
  const [batch] = makeBatches([sequence(2), sequence(3)], 100);
  expect(batch?.inputs.input_ids.data).toEqual(BigInt64Array.of(7n, 7n, 0n, 7n, 7n, 7n));
  expect(batch?.inputs.attention_mask.data).toEqual(BigInt64Array.of(1n, 1n, 0n, 1n, 1n, 1n));
  expect(batch?.inputs.token_type_ids.data).toEqual(BigInt64Array.of(1n, 1n, 0n, 1n, 1n, 1n));
});

test('no sequences, no batches', () => {
  expect(shapes([], 100)).toEqual([]);
});
