/** Passages, best first → those that say something that none before them says: the web has most things twice. */
import { shingle } from '../../shared/shingles.ts';

/** Of two passages that share more than this of the shorter one's 5-word shingles, the later is left out. */
const SAME = 0.9;

/** At most `most`, in their order. Passages under five words are the same where their words are. */
export function keepNovel<T extends { text: string }>(passages: readonly T[], most = Number.POSITIVE_INFINITY): T[] {
  const kept: { passage: T; shingles: Set<string> }[] = [];
  for (const passage of passages) {
    if (kept.length >= most) break;
    const shingles = shingleAll(passage.text);
    if (!kept.some((other) => overlap(shingles, other.shingles) > SAME)) kept.push({ passage, shingles });
  }
  return kept.map(({ passage }) => passage);
}

function shingleAll(text: string): Set<string> {
  const shingles = shingle(text);
  return shingles.size === 0
    ? new Set([
        text
          .toLowerCase()
          .replace(/[^\p{L}\p{N}]+/gu, ' ')
          .trim(),
      ])
    : shingles;
}

/** Share of the smaller set that the other has too, 0 to 1. */
function overlap(a: Set<string>, b: Set<string>): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  let shared = 0;
  for (const words of small) if (large.has(words)) shared += 1;
  return shared / small.size;
}
