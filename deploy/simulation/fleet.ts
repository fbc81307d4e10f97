/** How many machines it takes: the fewest with which claims are judged in time and no queue grows. */
import type { Measured } from './measured.ts';
import type { Scenario } from './scenario.ts';
import { type Outcome, simulate } from './simulate.ts';

export interface Needed {
  machines: number;
  outcome: Outcome;
}

/** Null where `most` machines do not do, or where twice as many are no better: something of which there is one is what holds up. `withinSeconds`: p95 from the edit to the verdict. */
export function machinesNeeded(
  measured: Measured,
  scenario: Scenario,
  withinSeconds: number,
  most = 256,
): Needed | null {
  const tryOut = (machines: number): Needed => ({
    machines,
    outcome: simulate(measured, { ...scenario, fleet: { ...scenario.fleet, machines } }),
  });
  let [few, enough] = [0, tryOut(1)];
  while (!keepsUp(enough.outcome, withinSeconds)) {
    if (enough.machines >= most) return null;
    const more = tryOut(Math.min(most, enough.machines * 2));
    if (!isBetter(more.outcome, enough.outcome)) return null;
    few = enough.machines;
    enough = more;
  }
  while (enough.machines - few > 1) {
    const between = tryOut(Math.floor((few + enough.machines) / 2));
    if (keepsUp(between.outcome, withinSeconds)) enough = between;
    else few = between.machines;
  }
  return enough;
}

function isBetter(more: Outcome, fewer: Outcome): boolean {
  const left = ({ stages }: Outcome) => stages.reduce((sum, { backlog }) => sum + backlog, 0);
  return left(more) < 0.95 * left(fewer) || more.claims.p95 < 0.95 * fewer.claims.p95;
}

/** What is left at the end is no more than what came in the last minute, or in the wait that is wanted. */
export function keepsUp({ stages, claims, seconds }: Outcome, withinSeconds: number): boolean {
  const last = Math.min(withinSeconds, 60) / seconds;
  const inTime = claims.p95 <= withinSeconds;
  return inTime && stages.every(({ jobs, backlog }) => backlog <= Math.max(10, jobs * last));
}
