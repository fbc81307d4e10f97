/** A step that says which pieces may come next → the likeliest whole sequences: beam search; with a beam of 1, greedy. Knows no model. */

export interface Sequence {
  /** Without the pieces that begin and end it. */
  ids: number[];
  /** Natural logarithm of its probability. */
  logChance: number;
}

/** For each of the sequences so far, all of one length: the best pieces to come next, best first, with their probabilities. */
export type Step = (sequences: number[][]) => Promise<{ id: number; chance: number }[][]>;

export interface BeamSettings {
  start: number;
  end: number;
  /** Pieces at most. */
  most: number;
  beam: number;
}

/** At most `beam`, best first by probability a piece, so that short ones have no advantage. */
export async function searchBeam(step: Step, { start, end, most, beam }: BeamSettings): Promise<Sequence[]> {
  let open: Sequence[] = [{ ids: [], logChance: 0 }];
  const done: Sequence[] = [];
  for (let length = 0; length < most && open.length > 0 && done.length < beam; length++) {
    const next = await step(open.map(({ ids }) => [start, ...ids]));
    const longer = open.flatMap((sequence, at) => (next[at] ?? []).map((piece) => extend(sequence, piece)));
    const best = longer.sort((a, b) => b.logChance - a.logChance).slice(0, beam);
    done.push(...best.filter(({ ids }) => ids.at(-1) === end).map((sequence) => withoutEnd(sequence)));
    open = best.filter(({ ids }) => ids.at(-1) !== end);
  }
  return [...done, ...open].sort((a, b) => perPiece(b) - perPiece(a)).slice(0, beam);
}

function extend({ ids, logChance }: Sequence, { id, chance }: { id: number; chance: number }): Sequence {
  return { ids: [...ids, id], logChance: logChance + Math.log(chance) };
}

function withoutEnd({ ids, logChance }: Sequence): Sequence {
  return { ids: ids.slice(0, -1), logChance };
}

function perPiece({ ids, logChance }: Sequence): number {
  return logChance / (ids.length + 1);
}
