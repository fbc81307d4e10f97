/**
 * `sidelight simulate` beside what it simulates: the embedded stack with one and with two processes that judge, and the simulation with
 * the costs that the first of these runs measured.
 */
import { availableParallelism } from 'node:os';
import { defaultScenario } from '../../../deploy/simulation/scenario.ts';
import { simulate } from '../../../deploy/simulation/simulate.ts';
import { quantile } from '../../../deploy/simulation/tally.ts';
import { type Benchmark, type BenchOptions, beside, type Measured, type Result, runParts } from '../benchmark.ts';
import { describeMachine } from '../machine.ts';
import { median } from '../numbers.ts';
import { costsOf, jobsOf } from '../pipeline/costs.ts';
import { runOnce, runWith } from '../pipeline/pipeline.ts';
import type { Run } from '../pipeline/run.ts';

export const simulation: Benchmark = {
  name: 'simulation',
  about: 'what `sidelight simulate` says beside a real run, with one and with two processes that judge',
  parts: ['check'],
  run: (options) => runParts('simulation', { check: () => check(options) }, options.parts),
};

async function check(options: BenchOptions): Promise<Measured> {
  const one = await runOnce(options);
  const two = await runWith(options, 2);
  const compared = [compare(one, one, 1), compare(one, two, 2)];
  const figures = Object.fromEntries(
    compared.map(({ real, simulated, workers }) => [`workers_${workers}`, { real, simulated }]),
  );
  return { figures, results: compared.flatMap(linesOf) };
}

interface Compared {
  workers: number;
  real: Figures;
  simulated: Figures;
}

/** `verified`: seconds from when verification was asked for until it was done. */
interface Figures {
  claimsPerSecond: number;
  verifiedP50: number;
  verifiedP95: number;
}

/** `measured`: the run that the costs are from. Medians over seeds. */
function compare(measured: Run, run: Run, workers: number): Compared {
  const costs = costsOf(measured, describeMachine());
  const outcomes = SEEDS.map((seed) => simulate(costs, { ...scenarioOf(measured, run, workers), seed }).claims);
  const took = jobsOf(run, 'verification').map(({ queued, done }) => (done - queued) / 1000);
  const middle = (of: (outcome: (typeof outcomes)[number]) => number) => median(outcomes.map(of));
  return {
    workers,
    real: {
      claimsPerSecond: run.claims / run.seconds,
      verifiedP50: quantile(took, 0.5),
      verifiedP95: quantile(took, 0.95),
    },
    simulated: {
      claimsPerSecond: middle(({ perSecond }) => perSecond),
      ...{
        verifiedP50: middle(({ verifiedP50 }) => verifiedP50),
        verifiedP95: middle(({ verifiedP95 }) => verifiedP95),
      },
    },
  };
}

const SEEDS = [1, 2, 3, 4, 5];

/** All articles at once, on this machine, whose cores the made-up web shares. */
function scenarioOf(measured: Run, run: Run, workers: number) {
  const costs = costsOf(measured, describeMachine());
  return {
    ...defaultScenario(costs),
    ...{ seconds: 24 * 3600, editsPerSecond: 0, burst: run.articles, fetchSeconds: null, pauseSeconds: 0 },
    servedSeconds: measured.used.world.seconds / Math.max(1, jobsOf(measured, 'sources').length),
    fleet: {
      machines: 1,
      coresAMachine: availableParallelism(),
      judging: workers,
      sources: 1,
      retrieval: 1,
      together: true,
    },
  };
}

function linesOf({ workers, real, simulated }: Compared): Result[] {
  const compareLine = (name: string, unit: string, ours: number, peer: number) => {
    const note = `off by ${(Math.abs(ours / peer - 1) * 100).toFixed(1)} %; wanted: at most 15`;
    return { ...beside({ name, unit, ours, peer, peerName: 'the real run', better: 'more', note }) };
  };
  const of = `simulated, ${workers} judging`;
  return [
    compareLine(`${of}: claims`, '/s', simulated.claimsPerSecond, real.claimsPerSecond),
    compareLine(`${of}: to the verdict, p50`, 's', simulated.verifiedP50, real.verifiedP50),
    compareLine(`${of}: to the verdict, p95`, 's', simulated.verifiedP95, real.verifiedP95),
  ];
}
