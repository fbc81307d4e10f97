/**
 * Claims that a revision no longer has → what happened to each: fixed, reverted, reworded or removed. In: the claims before and
 * now, by hashes and sketches. Pure; which findings hang on them is deliberately absent.
 */
import { z } from 'zod';
import type { StandingClaim } from '../../shared/pipeline.ts';
import { likeness } from '../../shared/sketch.ts';

export const Absence = z.enum(['fixed', 'reverted', 'reworded', 'removed']);

export type KnownClaim = Pick<StandingClaim, 'claim' | 'citations' | 'sources' | 'words'>;

/** `into`: the claim in its new words, for one that was reworded. */
export interface Gone {
  because: z.infer<typeof Absence>;
  into: KnownClaim | null;
}

export interface Revision {
  /** All claims that are gone with it. */
  gone: readonly KnownClaim[];
  standing: readonly KnownClaim[];
  /** Keys (`keyOf`) of the claims before it. */
  before: ReadonlySet<string>;
  /** It undid other edits. */
  reverts: boolean;
}

/**
 * A revert takes away what earlier edits brought. Else the claim may stand with other citations, or its citations behind a new
 * claim: one of like words, or one that they now stand behind alone.
 */
export function whatHappened(claim: KnownClaim, { gone, standing, before, reverts }: Revision): Gone {
  if (reverts) return { because: 'reverted', into: null };
  const fresh = standing.filter((other) => !before.has(keyOf(other)));
  if (fresh.some((other) => other.claim === claim.claim)) return { because: 'fixed', into: null };
  const into = likest(claim, fresh) ?? onlyHeir(claim, fresh, { gone, standing, before });
  return into === null ? { because: 'removed', into } : { because: 'reworded', into };
}

export function keyOf({ claim, citations }: Pick<KnownClaim, 'claim' | 'citations'>): string {
  return `${claim}-${citations}`;
}

function likest(claim: KnownClaim, fresh: readonly KnownClaim[]): KnownClaim | null {
  const alike = fresh.filter((other) => keepsSource(claim, other) && isAlike(claim, other));
  const nearer = (one: KnownClaim, other: KnownClaim) =>
    likeness(claim.words, other.words) - likeness(claim.words, one.words);
  return alike.sort(nearer)[0] ?? null;
}

/** A new claim with a source that no claim stood behind but this one, and that is no other gone claim in other words. */
function onlyHeir(
  claim: KnownClaim,
  fresh: readonly KnownClaim[],
  revision: Omit<Revision, 'reverts'>,
): KnownClaim | null {
  const { gone, standing, before } = revision;
  const others = gone.filter((other) => keyOf(other) !== keyOf(claim));
  const old = standing.filter((other) => before.has(keyOf(other)));
  const taken = new Set([...others, ...old].flatMap(({ sources }) => sources));
  const own = new Set(claim.sources.filter((source) => !taken.has(source)));
  return fresh.find(({ sources }) => sources.some((source) => own.has(source))) ?? null;
}

/** Claims without any source have that in common. */
function keepsSource(claim: KnownClaim, other: KnownClaim): boolean {
  if (claim.sources.length === 0) return other.sources.length === 0;
  return claim.sources.some((source) => other.sources.includes(source));
}

function isAlike(claim: KnownClaim, other: KnownClaim): boolean {
  return likeness(claim.words, other.words) >= SAME_CLAIM;
}

/** Of 494 pairs of different claims of one article (WiCE and Source Verifier development sets) two have as much in common. */
const SAME_CLAIM = 0.3;
