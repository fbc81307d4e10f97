/**
 * Claims that a revision no longer has → what happened to each: fixed, reverted, reworded or removed. In: the claims before and
 * now, by hashes and sketches. Pure; which findings hang on them is deliberately absent.
 */
import { z } from 'zod';
import type { StandingClaim } from '../../shared/pipeline.ts';
import { likeness, wordsOf } from '../../shared/sketch.ts';

export const Absence = z.enum(['fixed', 'reverted', 'reworded', 'removed']);

export type KnownClaim = Pick<StandingClaim, 'claim' | 'citations' | 'sources' | 'words'>;

/** `into`: what stands in its place, with other citations or in other words; null where nothing does. */
export interface Gone {
  because: z.infer<typeof Absence>;
  into: KnownClaim | null;
}

export interface Change {
  /** All claims that are gone. */
  gone: readonly KnownClaim[];
  standing: readonly KnownClaim[];
  /** Keys (`keyOf`) of the claims before. */
  before: ReadonlySet<string>;
  /** It undid other edits, did that among other things, or did not. */
  reverts: 'only' | 'also' | 'not';
}

/**
 * A revert takes away what earlier edits brought. Else the claim may stand with other citations, or its citations behind a new
 * claim: one of like words, or one with a source that no other claim stood behind.
 */
export function explain(change: Change): (claim: KnownClaim) => Gone {
  if (change.reverts === 'only') return () => ({ because: 'reverted', into: null });
  const fresh = change.standing.filter((claim) => !change.before.has(keyOf(claim)));
  const sameWords = new Map(fresh.map((claim) => [claim.claim, claim]));
  const likest = createLikest(fresh);
  const heirOf = createHeir(change, fresh);
  const without = change.reverts === 'also' ? 'reverted' : 'removed';
  return (claim) => {
    const fixed = sameWords.get(claim.claim);
    if (fixed !== undefined) return { because: 'fixed', into: fixed };
    const into = likest(claim) ?? heirOf(claim);
    return { because: into === null ? without : 'reworded', into };
  };
}

export function keyOf({ claim, citations }: Pick<KnownClaim, 'claim' | 'citations'>): string {
  return `${claim}-${citations}`;
}

type Find = (claim: KnownClaim) => KnownClaim | null;

/** By an index of words: a long table may be gone and stand again with one more column. Of several as like, one that no other became. */
function createLikest(fresh: readonly KnownClaim[]): Find {
  const having = new Map<string, KnownClaim[]>();
  for (const claim of fresh) for (const word of wordsOf(claim.words)) add(having, word, claim);
  const tooMany = Math.max(FEW, fresh.length / 4);
  const taken = new Set<KnownClaim>();
  return (claim) => {
    const shared = new Map<KnownClaim, number>();
    for (const word of wordsOf(claim.words)) {
      const some = having.get(word) ?? [];
      if (some.length <= tooMany) for (const other of some) shared.set(other, (shared.get(other) ?? 0) + 1);
    }
    const kept = [...shared].filter(([other]) => keepsSource(claim, other));
    const nearest = kept.sort((one, other) => other[1] - one[1]).slice(0, WEIGHED);
    const weighed = nearest.map(([other]) => ({
      other,
      like: likeness(claim.words, other.words),
      taken: +taken.has(other),
    }));
    const [best] = weighed.sort((one, other) => other.like - one.like || one.taken - other.taken);
    if (best === undefined || best.like < SAME_CLAIM) return null;
    taken.add(best.other);
    return best.other;
  };
}

function createHeir({ gone, standing, before }: Change, fresh: readonly KnownClaim[]): Find {
  const others = new Map(
    [...gone, ...standing.filter((claim) => before.has(keyOf(claim)))].map((one) => [keyOf(one), one]),
  );
  const behind = new Map<string, KnownClaim[]>();
  for (const other of others.values()) for (const source of other.sources) add(behind, source, other);
  const heirs = new Map<string, KnownClaim[]>();
  for (const claim of fresh) for (const source of claim.sources) add(heirs, source, claim);
  return (claim) => {
    const own = claim.sources.filter((source) =>
      (behind.get(source) ?? []).every((other) => keyOf(other) === keyOf(claim)),
    );
    return own.flatMap((source) => heirs.get(source) ?? [])[0] ?? null;
  };
}

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}

/** Claims without any source have that in common. */
function keepsSource(claim: KnownClaim, other: KnownClaim): boolean {
  if (claim.sources.length === 0) return other.sources.length === 0;
  return claim.sources.some((source) => other.sources.includes(source));
}

/** Of 494 pairs of different claims of one article (WiCE and Source Verifier development sets) two have as much in common. */
const SAME_CLAIM = 0.3;
/** Of claims that share words, so many that share most are weighed. */
const WEIGHED = 20;
/** A word that more claims have than this, and a quarter of all, tells none from another. */
const FEW = 200;
