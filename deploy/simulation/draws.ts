/** Random numbers of a simulation, the same for the same seed. In: what is drawn from. Out: functions that draw. */
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** `variation`: standard deviation ÷ mean; 0: always the mean, 1: exponential. */
export interface Spread {
  mean: number;
  variation: number;
}

export interface Draws {
  uniform(): number;
  /** Gamma with that mean and variation. */
  time(spread: Spread): number;
  /** A whole number from 1 on, with that mean: 1 + Poisson. */
  count(mean: number): number;
  /** From 0 to `below` - 1; the first have most (Zipf). */
  skewed(below: number): number;
}

export function createDraws(seed: number): Draws {
  const generator = xoroshiro128plus(seed);
  const uniform = () => uniformFloat64(generator);
  return {
    uniform,
    time: ({ mean, variation }) =>
      mean === 0 || variation === 0 ? mean : drawGamma(uniform, variation ** -2) * mean * variation ** 2,
    count: (mean) => 1 + drawPoisson(uniform, mean - 1),
    // rank r with probability ~ 1 / r: r = N^u
    skewed: (below) => Math.min(below - 1, Math.floor(below ** uniform()) - 1),
  };
}

/** Of scale 1. Marsaglia and Tsang 2000; below shape 1 by the power of a uniform number, as they say. */
function drawGamma(uniform: () => number, shape: number): number {
  if (shape < 1) return drawGamma(uniform, shape + 1) * (1 - uniform()) ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = drawNormal(uniform);
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(1 - uniform()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}

/** Box and Muller 1958. */
function drawNormal(uniform: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** Knuth's: for small means. */
function drawPoisson(uniform: () => number, mean: number): number {
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = uniform(); product > limit; product *= uniform()) count += 1;
  return count;
}
