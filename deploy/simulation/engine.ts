/**
 * Queues, worker processes and cores, event by event. A job waits in its queue, is taken by a process with a free place, waits for what
 * is not here (the network), and then needs one of the process's threads and a share of its machine's cores: where more threads are
 * busy than there are cores, all go slower alike. Knows nothing of Sidelight. No library: the kept ones have no shared cores
 * (deploy/decisions/simulation.md).
 */
import type { Draws, Spread } from './draws.ts';
import { createHeap } from './heap.ts';
import { createMachine, type Machine } from './machine.ts';
import { createTally, type StageTally } from './tally.ts';

export interface Stage {
  /** Seconds of a core, and seconds of waiting beside it in which no core is used. */
  work: Spread;
  wait: Spread;
  /** Jobs that one process has in hand at the same time. */
  concurrency: number;
}

export interface Process {
  /** Stages whose queues it drains. */
  stages: readonly string[];
  /** How many cores it can use. */
  threads: number;
  /** Number of its machine. */
  machine: number;
}

export interface Layout {
  stages: Readonly<Record<string, Stage>>;
  /** Cores of each. */
  machines: readonly number[];
  processes: readonly Process[];
}

export interface Engine {
  readonly now: number;
  /** Calls at a time in seconds from the beginning. */
  at(time: number, action: () => void): void;
  /** `onDone` is called when it is. */
  enqueue(stage: string, onDone?: () => void): void;
  /** Until then, or until nothing is left to do. */
  run(until: number): void;
  tallies(): Map<string, StageTally>;
  /** Seconds of cores that each machine has used. */
  used(): number[];
}

interface Job {
  stage: string;
  queuedAt: number;
  onDone: () => void;
}

interface Worker extends Process {
  inHand: Map<string, number>;
  busy: number;
  /** In hand, and ready for a thread. */
  ready: { job: Job; work: number }[];
}

export function createEngine(layout: Layout, draws: Draws): Engine {
  const events = createHeap<() => void>();
  const clock = { now: 0 };
  const at = (time: number, action: () => void) => events.put(time, action);
  const machines = layout.machines.map((cores) => createMachine(cores, clock, at));
  const workers = layout.processes.map((process): Worker => ({ ...process, inHand: new Map(), busy: 0, ready: [] }));
  const queues = new Map(Object.keys(layout.stages).map((stage) => [stage, [] as Job[]]));
  const heads = new Map<string, number>();
  const tallies = new Map(Object.keys(layout.stages).map((stage) => [stage, createTally()]));

  const takeNext = (stage: string): Job | undefined => {
    const head = heads.get(stage) ?? 0;
    const queue = queues.get(stage) ?? [];
    const job = queue[head];
    if (job === undefined) return undefined;
    if (head > 1000 && head * 2 > queue.length) {
      queue.splice(0, head + 1);
      heads.set(stage, 0);
    } else heads.set(stage, head + 1);
    return job;
  };

  const begin = (job: Job, worker: Worker) => {
    const { work, wait } = stageOf(layout, job.stage);
    worker.inHand.set(job.stage, (worker.inHand.get(job.stage) ?? 0) + 1);
    tallies.get(job.stage)?.begun(clock.now - job.queuedAt);
    at(clock.now + draws.time(wait), () => {
      worker.ready.push({ job, work: draws.time(work) });
      occupy(worker);
    });
  };

  const occupy = (worker: Worker) => {
    if (worker.busy >= worker.threads) return;
    const next = worker.ready.shift();
    if (next === undefined) return;
    worker.busy += 1;
    machineOf(machines, worker).work(next.work, () => finish(next.job, next.work, worker));
  };

  const finish = (job: Job, work: number, worker: Worker) => {
    worker.busy -= 1;
    worker.inHand.set(job.stage, (worker.inHand.get(job.stage) ?? 1) - 1);
    tallies.get(job.stage)?.done(clock.now - job.queuedAt, work);
    occupy(worker);
    const next = takeNext(job.stage);
    if (next !== undefined) begin(next, worker);
    job.onDone();
  };

  return {
    get now() {
      return clock.now;
    },
    at,
    enqueue(stage, onDone = () => undefined) {
      const job = { stage, queuedAt: clock.now, onDone };
      tallies.get(stage)?.queued();
      const worker = freest(workers, stage, stageOf(layout, stage).concurrency);
      if (worker === undefined) queues.get(stage)?.push(job);
      else begin(job, worker);
    },
    run(until) {
      for (let next = events.least(); next !== undefined && next.key <= until; next = events.least()) {
        events.take();
        clock.now = next.key;
        next.value();
      }
    },
    tallies: () => new Map([...tallies].map(([stage, tally]) => [stage, tally.read()])),
    used: () => machines.map((machine) => machine.used()),
  };
}

function stageOf({ stages }: Layout, name: string): Stage {
  const stage = stages[name];
  if (stage === undefined) throw new RangeError(`no stage ${name}`);
  return stage;
}

function machineOf(machines: readonly Machine[], { machine: number }: Worker): Machine {
  const machine = machines[number];
  if (machine === undefined) throw new RangeError(`no machine ${number}`);
  return machine;
}

/** Of those that drain the stage and have a place for a job, the one that has least in hand. */
function freest(workers: readonly Worker[], stage: string, concurrency: number): Worker | undefined {
  let found: Worker | undefined;
  for (const worker of workers) {
    if (!worker.stages.includes(stage) || (worker.inHand.get(stage) ?? 0) >= concurrency) continue;
    if (found === undefined || load(worker) < load(found)) found = worker;
  }
  return found;
}

function load({ busy, ready, threads }: Worker): number {
  return (busy + ready.length) / threads;
}
