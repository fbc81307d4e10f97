/** Token sequences of any length → batches for the model: of like length, so that little is padding. Runs nothing. */
import { Tensor } from 'onnxruntime-node';
import type { PairTokens } from './pair-tokens.ts';

export interface Batch {
  /** Where each row stood among the sequences. */
  places: number[];
  /** Rows × tokens each: `input_ids`, `attention_mask`, `token_type_ids`. */
  inputs: Record<InputName, Tensor>;
}

export const INPUTS = ['input_ids', 'attention_mask', 'token_type_ids'] as const;
export type InputName = (typeof INPUTS)[number];

/** Shortest first; at most `budget` tokens a batch, padding counted, or one sequence. The same for the same sequences. */
export function* makeBatches(sequences: readonly PairTokens[], budget: number): Generator<Batch> {
  const sorted = sequences
    .map((tokens, place) => ({ tokens, place }))
    .sort((a, b) => a.tokens.ids.length - b.tokens.ids.length || a.place - b.place);
  let rows: typeof sorted = [];
  for (const row of sorted) {
    if (rows.length > 0 && (rows.length + 1) * row.tokens.ids.length > budget) {
      yield pad(rows);
      rows = [];
    }
    rows.push(row);
  }
  if (rows.length > 0) yield pad(rows);
}

function pad(rows: readonly { tokens: PairTokens; place: number }[]): Batch {
  const longest = rows.at(-1)?.tokens.ids.length ?? 0;
  const tensor = (numbersOf: (tokens: PairTokens) => readonly number[]) => {
    const data = new BigInt64Array(rows.length * longest);
    for (const [at, { tokens }] of rows.entries()) data.set(numbersOf(tokens).map(BigInt), at * longest);
    return new Tensor('int64', data, [rows.length, longest]);
  };
  return {
    places: rows.map(({ place }) => place),
    inputs: {
      input_ids: tensor(({ ids }) => ids),
      attention_mask: tensor(({ ids }) => ids.map(() => 1)),
      token_type_ids: tensor(({ types }) => types),
    },
  };
}
