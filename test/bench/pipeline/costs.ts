/** A run → what a simulation is told: seconds of a core for one job of each stage, shares, memory and disk. */
import { type CostedStage, type Measured, STAGES } from '../../../deploy/simulation/measured.ts';
import type { Machine } from '../machine.ts';
import type { RanJob, Run } from './run.ts';
import type { Kind } from './stack.ts';

/** Which queues' jobs a stage of the simulation stands for, and in which processes they are done. */
const STAGE_OF: Record<CostedStage, { kind: Kind; isOurs(queue: string): boolean }> = {
  articles: { kind: 'bot', isOurs: (queue) => queue === 'articles' },
  sources: { kind: 'sources', isOurs: (queue) => queue === 'sources' },
  corpus: { kind: 'retrieval', isOurs: (queue) => queue === 'corpus' },
  retrieval: { kind: 'retrieval', isOurs: (queue) => queue.startsWith('retrieval-') },
  verification: { kind: 'judging', isOurs: (queue) => queue === 'verification' },
  suggestion: { kind: 'judging', isOurs: (queue) => queue === 'suggestion' },
  review: { kind: 'review', isOurs: (queue) => queue === 'review' },
};

export function costsOf(run: Run, { processor, cores, kernel }: Machine): Measured {
  const stages = Object.fromEntries(STAGES.map((stage) => [stage, costOf(stage, run)])) as Measured['stages']; // one each
  const all = [...run.jobs.values()].flat().length;
  const count = (stage: CostedStage) => jobsOf(run, stage).length;
  return {
    machine: { processor, cores, kernel, node: process.versions.node },
    stages,
    redis: { work: run.used.redis.seconds / all, bytes: run.redisBytes / all },
    shares: {
      claimsAnEdit: Math.max(1, run.claims / run.articles),
      sourcesAClaim: Math.max(1, count('sources') / Math.max(1, count('verification'))),
      readable: Math.min(1, count('corpus') / Math.max(1, count('sources'))),
      searched: Math.min(1, count('suggestion') / Math.max(1, count('verification'))),
    },
    disk: Object.fromEntries(Object.entries(run.disk).map(([file, mb]) => [file, (mb * 1e6) / run.claims])),
    memory: Object.fromEntries(Object.entries(run.used).map(([kind, { megabytes }]) => [kind, megabytes])),
  };
}

/** Processes that do several stages' jobs are divided by how long those took. */
function costOf(stage: CostedStage, run: Run) {
  const { kind } = STAGE_OF[stage];
  const own = jobsOf(run, stage).map(took);
  const together = STAGES.filter((other) => STAGE_OF[other].kind === kind).flatMap((other) =>
    jobsOf(run, other).map(took),
  );
  const mean = own.length === 0 ? 0 : (run.used[kind].seconds * sum(own)) / sum(together) / own.length;
  return { work: { mean, variation: own.length < 2 ? 0 : variationOf(own) }, wait: { mean: 0, variation: 0 } };
}

export function jobsOf(run: Run, stage: CostedStage): RanJob[] {
  return [...run.jobs].flatMap(([queue, jobs]) => (STAGE_OF[stage].isOurs(queue) ? jobs : []));
}

/** One that is done within the same millisecond took half of one. */
function took({ begun, done }: RanJob): number {
  return Math.max(done - begun, 0.5);
}

function variationOf(values: readonly number[]): number {
  const mean = sum(values) / values.length;
  return Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / values.length) / mean;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
