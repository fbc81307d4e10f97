/**
 * A text → what near duplicates are found and judged by (Broder, "On the resemblance and containment of documents", 1997):
 * sketches of its shingles and of its numbers, and the bands of its MinHash signature. In: text. Out: numbers. Stores nothing.
 */
import { hashText, normalizeText } from '../../../shared/hash.ts';

export interface TextDigest {
  /** Hash of the text's words: without case, punctuation and white space. */
  content: string;
  /** The smallest hashes of its 5-word shingles, ascending; none for a text of under 20 words, which is known by `content` only. */
  shingles: Uint32Array;
  /** The smallest hashes of its numbers, ascending. */
  numbers: Uint32Array;
}

export function digestText(text: string): TextDigest {
  const words = normalizeText(text).match(WORD) ?? [];
  const hashes = words.map(hash32);
  return {
    content: hashText(words.join(' ')),
    shingles: words.length < MIN_WORDS ? NONE : sketch(hashShingles(hashes), SHINGLES),
    numbers: sketch(
      hashes.filter((_, at) => NUMBER.test(words[at] ?? '')),
      NUMBERS,
    ),
  };
}

/** Share of all members of two sets that both have, from their sketches. 1 for two empty ones. Exact for sets no larger than a sketch. */
export function resemblance(a: Uint32Array, b: Uint32Array): number {
  const { both, onlyA, onlyB } = compare(a, b, SHINGLES);
  return share(both, both + onlyA + onlyB);
}

/** Share of the smaller set's members that the larger one has, from their sketches. 1 where one is empty. */
export function containment(a: Uint32Array, b: Uint32Array): number {
  const { both, onlyA, onlyB } = compare(a, b, NUMBERS);
  return share(both, both + Math.min(onlyA, onlyB));
}

/**
 * Keys under which pages that resemble each other meet: 10 bands of 8 MinHash values. Two pages share a key with probability
 * 1 − (1 − s⁸)¹⁰: .996 for a resemblance s of .9, .44 for .7, .04 for .5. [] for an empty sketch.
 */
export function bands(shingles: Uint32Array): number[] {
  if (shingles.length === 0) return [];
  return Array.from({ length: BANDS }, (_, band) => {
    let [high, low] = [mix(band + 1), mix(band + BANDS + 1)];
    for (const seed of SEEDS.subarray(band * ROWS, (band + 1) * ROWS)) {
      const least = minimum(shingles, seed);
      [high, low] = [mix(high ^ least), mix(Math.imul(low, 31) + least)];
    }
    return (high & 0x1fffff) * 2 ** 32 + low; // 53 bits: an exact number, and an integer of SQLite
  });
}

/** The least of the sketch's members in another order. */
function minimum(shingles: Uint32Array, seed: number): number {
  let least = 0xffffffff;
  for (const hash of shingles) {
    const value = mix(hash ^ seed);
    if (value < least) least = value;
  }
  return least;
}

/** Sketches that are full know the sets only up to their largest hash: beyond the smaller of both nothing is compared. */
function compare(a: Uint32Array, b: Uint32Array, size: number): { both: number; onlyA: number; onlyB: number } {
  const end = Math.min(knownUpTo(a, size), knownUpTo(b, size));
  let [at, other, both, onlyA, onlyB] = [0, 0, 0, 0, 0];
  for (;;) {
    const [left, right] = [a[at] ?? Infinity, b[other] ?? Infinity];
    if (Math.min(left, right) > end) return { both, onlyA, onlyB };
    if (left === right) both += 1;
    else if (left < right) onlyA += 1;
    else onlyB += 1;
    if (left <= right) at += 1;
    if (right <= left) other += 1;
  }
}

/** The largest number there is, so that `Infinity` (no more members) lies beyond it. */
function knownUpTo(sketched: Uint32Array, size: number): number {
  return sketched.length < size ? Number.MAX_VALUE : (sketched.at(-1) ?? Number.MAX_VALUE);
}

function share(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole;
}

function sketch(hashes: readonly number[], size: number): Uint32Array {
  return Uint32Array.from(new Set(hashes)).sort().slice(0, size);
}

/** The shingles of `shared/shingles.ts`, from the hashes of their words: no strings are built, which takes most of the time there. */
function hashShingles(words: readonly number[]): number[] {
  return words.slice(SHINGLE - 1).map((_, at) => {
    let hash = 0;
    for (let word = at; word < at + SHINGLE; word += 1) hash = mix(Math.imul(hash, 31) + (words[word] ?? 0));
    return hash;
  });
}

/** FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/), mixed: fast, and nobody chooses texts to collide in it for gain. */
function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return mix(hash);
}

/** The last steps of MurmurHash3: a permutation of 32-bit numbers. */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

const NONE = new Uint32Array();
const WORD = /[\p{L}\p{N}]+/gu;
const NUMBER = /\p{N}/u;
const SHINGLE = 5;
/** Fewer make too few shingles to tell a changed page from another one. */
const MIN_WORDS = 20;
/** Members of a sketch: pages of up to 516 words are compared exactly, longer ones with a standard error of .013 at a resemblance of .9. */
const SHINGLES = 512;
const NUMBERS = 64;
const BANDS = 10;
const ROWS = 8;
const SEEDS = Uint32Array.from({ length: BANDS * ROWS }, (_, row) => mix(row + 0x9e3779b9));
