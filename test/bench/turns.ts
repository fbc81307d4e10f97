/** Engines that are compared take turns, so that what else the machine does meets them alike. In: works. Out: times. */
import { median } from './numbers.ts';

/** Milliseconds. */
type Work = () => Promise<number>;

/**
 * Milliseconds of each engine in each round. Another one begins each round; the first round of all warms up and is left out. One that
 * is missing is null, and has no times.
 */
export async function inTurns<Name extends string>(
  engines: Record<Name, Work | null>,
  rounds: number,
): Promise<Record<Name, number[]>> {
  // Object.keys loses the key type
  const names = (Object.keys(engines) as Name[]).filter((name) => engines[name] !== null);
  const times = Object.fromEntries(Object.keys(engines).map((name) => [name, [] as number[]])) as Record<
    Name,
    number[]
  >;
  for (let round = -1; round < rounds; round += 1) {
    for (const at of names.keys()) {
      const name = names[(at + round + 1) % names.length];
      const work = name === undefined ? null : engines[name];
      if (name === undefined || work === null) continue;
      const ms = await work();
      if (round >= 0) times[name].push(ms);
    }
  }
  return times;
}

/** Median over rounds of the peer's time ÷ ours: above 1, ours is the quicker. NaN without times. */
export function timesAsFast(ours: readonly number[], peer: readonly number[]): number {
  return median(ours.flatMap((ms, round) => (peer[round] === undefined ? [] : [peer[round] / ms])));
}
