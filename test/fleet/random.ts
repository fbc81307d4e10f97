/** Chances that come again with their seed. In: a seed. Out: numbers. Good enough to choose by, and for nothing secret. */

export interface Random {
  /** From 0 up to 1. */
  next(): number;
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number;
  /** Throws RangeError for an empty list. */
  choose<T>(list: readonly T[]): T;
}

/** The same `parts` give the same numbers: mulberry32, begun by FNV-1a of them. */
export function createRandom(...parts: readonly (string | number)[]): Random {
  let state = 2166136261;
  for (const code of new TextEncoder().encode(parts.join('/'))) state = Math.imul(state ^ code, 16777619);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    between,
    choose(list) {
      const chosen = list[between(0, list.length - 1)];
      if (chosen === undefined) throw new RangeError('nothing to choose from');
      return chosen;
    },
  };
}
