/**
 * Synthetic vectors with the structure that makes an index of texts easy or hard: topics, pages of a topic, passages of a page, in
 * fewer directions than they have numbers. The same ones for the same seed. Figures from them are said to be.
 */
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

export interface VectorMaker {
  /** The next passages: Float32Array, count × dimensions, row by row, L2-normalised. */
  passages(count: number): Float32Array;
  /** What claims would be: each near a page of one of the topics. The same shape. */
  queries(count: number): Float32Array;
}

export function makeVectors(dimensions: number, seed = 7): VectorMaker {
  const random = createNormal(seed);
  const draw = () => Float32Array.from({ length: LATENT }, (_, at) => random() / Math.sqrt(1 + at / 8));
  const spread = Array.from({ length: dimensions }, () => Float32Array.from({ length: LATENT }, random));
  const topics = Array.from({ length: TOPICS }, draw);
  let page = draw();
  const make = (count: number, pageOf: (at: number) => Float32Array) => {
    const rows = new Float32Array(count * dimensions);
    for (let at = 0; at < count; at += 1) {
      const own = draw();
      const about = pageOf(at);
      const latent = about.map((value, axis) => value + OWN * (own[axis] ?? 0));
      rows.set(project(latent, spread), at * dimensions);
    }
    return rows;
  };
  const drawPage = () => {
    const topic = topics[Math.floor(Math.abs(random()) * TOPICS) % TOPICS] ?? draw();
    const own = draw();
    return topic.map((value, axis) => value + (own[axis] ?? 0));
  };
  return {
    passages: (count) =>
      make(count, (at) => {
        if (at % PASSAGES_A_PAGE === 0) page = drawPage();
        return page;
      }),
    queries: (count) => make(count, drawPage),
  };
}

function project(latent: Float32Array, spread: readonly Float32Array[]): Float32Array {
  const row = Float32Array.from(spread, (direction) => dot(direction, latent));
  const norm = Math.sqrt(dot(row, row));
  return row.map((value) => value / norm);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}

/** Box and Muller 1958. */
function createNormal(seed: number): () => number {
  const generator = xoroshiro128plus(seed);
  const uniform = () => uniformFloat64(generator);
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

const LATENT = 64;
const TOPICS = 1000;
const PASSAGES_A_PAGE = 7;
const OWN = 0.7;
