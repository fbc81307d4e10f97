/** Which word pieces may follow in a title that is only read as words: none twice, and words are copied whole or not at all. */

export interface Rules {
  mayFollow(ids: readonly number[], next: number): boolean;
}

/** `isInner`: whether a piece goes on with a word (## in WordPiece). The same rules as `Rules` in training/expansion_model.py. */
export function createRules(source: readonly number[], isInner: (id: number) => boolean): Rules {
  const following = new Map<number, Set<number>>();
  for (const [at, id] of source.slice(0, -1).entries()) {
    const known = following.get(id) ?? new Set();
    following.set(id, known.add(source[at + 1] ?? id));
  }
  return {
    mayFollow(ids, next) {
      if (ids.includes(next)) return false;
      const last = following.get(ids.at(-1) ?? Number.NaN) ?? new Set();
      if (isInner(next)) return last.has(next);
      return last.size === 0 || ![...last].every(isInner);
    },
  };
}
