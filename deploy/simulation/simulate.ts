/**
 * The line of queues under a load: an edit → its claims → their sources → verification → a search and a suggestion for some → review.
 * In: measured costs, a scenario. Out: how busy each stage was, how long its jobs waited, and whether it kept up.
 */
import { createDraws, type Draws } from './draws.ts';
import { createEngine, type Engine, type Layout, type Process } from './engine.ts';
import type { Measured } from './measured.ts';
import type { Fleet, Scenario } from './scenario.ts';
import { quantile, type StageTally } from './tally.ts';

export interface StageOutcome {
  stage: string;
  jobs: number;
  /** Seconds of cores ÷ seconds of the threads that could do it. A process that drains two stages counts for both. */
  busy: number;
  /** Seconds in the queue. */
  waitP50: number;
  waitP95: number;
  /** Jobs that are left waiting or in hand at the end, and how many more that is each hour. */
  backlog: number;
  growthPerHour: number;
}

export interface Outcome {
  stages: StageOutcome[];
  claims: {
    asked: number;
    done: number;
    /** Until the last one was done, or until the end. */
    perSecond: number;
    /** Seconds from the edit to the verdict's row for review. */
    p50: number;
    p95: number;
    /** Seconds from when verification was asked for until it was done: its sources and its turn are in it. */
    verifiedP50: number;
    verifiedP95: number;
  };
  /** Share of all cores. */
  coresBusy: number;
  seconds: number;
}

export function simulate(measured: Measured, scenario: Scenario): Outcome {
  const draws = createDraws(scenario.seed);
  const layout = layOut(measured, scenario);
  const engine = createEngine(layout, draws);
  const line = createLine(engine, draws, scenario);
  for (let edit = 0; edit < scenario.burst; edit += 1) line.edit();
  const rate = scenario.editsPerSecond;
  const come = () => {
    line.edit();
    comeLater();
  };
  const comeLater = () => {
    const next = engine.now + draws.time({ mean: 1 / rate, variation: 1 });
    if (next < scenario.seconds) engine.at(next, come);
  };
  if (rate > 0) comeLater();
  engine.run(scenario.seconds);
  const seconds = rate > 0 ? scenario.seconds : line.lastDone();
  return {
    stages: [...engine.tallies()].map(([stage, tally]) => outcomeOf(stage, tally, layout, seconds)),
    claims: { ...line.claims(), perSecond: line.claims().done / seconds },
    coresBusy: sum(engine.used()) / (sum(layout.machines) * seconds),
    seconds,
  };
}

/** What an edit leads to, job by job. */
function createLine(engine: Engine, draws: Draws, scenario: Scenario) {
  const hostFree = new Map<number, number>();
  const counts = { asked: 0, done: 0, last: 0 };
  const [latencies, verified]: [number[], number[]] = [[], []];
  const isCounted = (at: number) => scenario.editsPerSecond === 0 || at >= scenario.seconds / 10;
  const job = (stage: string, onDone?: () => void) => {
    engine.enqueue(stage, () => {
      engine.enqueue('redis');
      onDone?.();
    });
  };
  /** As many as are asked, and then what waits for them. */
  const all = (count: number, begin: (onDone: () => void) => void, onAll: () => void) => {
    let left = count;
    const one = () => {
      left -= 1;
      if (left === 0) onAll();
    };
    if (count === 0) onAll();
    for (let at = 0; at < count; at += 1) begin(one);
  };
  const source = (onDone: () => void) => {
    if (draws.uniform() < scenario.cachedShare) return job('redis', onDone);
    const host = draws.skewed(scenario.hosts);
    const turn = Math.max(engine.now, hostFree.get(host) ?? 0);
    hostFree.set(host, turn + scenario.pauseSeconds);
    const read = () => {
      if (scenario.servedSeconds > 0) engine.enqueue('web');
      job('sources', () => {
        if (draws.uniform() < scenario.readableShare) job('corpus');
        onDone();
      });
    };
    if (turn === engine.now) read();
    else engine.at(turn, read);
  };
  const claim = (editedAt: number) => {
    const askedAt = engine.now;
    counts.asked += 1;
    const suggestion = () => job('suggestion', () => job('review'));
    const verification = () =>
      job('verification', () => {
        if (isCounted(editedAt)) verified.push(engine.now - askedAt);
        job('review', () => {
          counts.done += 1;
          counts.last = engine.now;
          if (isCounted(editedAt)) latencies.push(engine.now - editedAt);
        });
        if (draws.uniform() < scenario.searchedShare)
          all(1 + scenario.shards, (onDone) => job('retrieval', onDone), suggestion);
      });
    all(draws.count(scenario.sourcesAClaim), source, verification);
  };
  return {
    edit() {
      const editedAt = engine.now;
      job('articles', () => {
        job('review');
        if (draws.uniform() >= scenario.touchedShare) return;
        const claims = draws.count(scenario.claimsAnEdit);
        for (let at = 0; at < claims; at += 1) claim(editedAt);
      });
    },
    lastDone: () => counts.last,
    claims: () => ({
      ...{ asked: counts.asked, done: counts.done, perSecond: Number.NaN },
      ...{ p50: quantile(latencies, 0.5), p95: quantile(latencies, 0.95) },
      ...{ verifiedP50: quantile(verified, 0.5), verifiedP95: quantile(verified, 0.95) },
    }),
  };
}

/** As in shared/runner.ts. */
const CONCURRENCY = { articles: 4, sources: 16, corpus: 1, verification: 1, retrieval: 2, suggestion: 1, review: 4 };

function layOut({ stages, redis }: Measured, { fleet, fetchSeconds, servedSeconds }: Scenario): Layout {
  const { sources } = stages;
  const fetched = fetchSeconds === null ? sources : { ...sources, wait: { mean: fetchSeconds, variation: 1 } };
  const costs = { ...stages, sources: fetched };
  const named = Object.entries(CONCURRENCY) as [keyof typeof CONCURRENCY, number][]; // Object.entries loses the key type
  return {
    stages: {
      ...Object.fromEntries(named.map(([stage, concurrency]) => [stage, { ...costs[stage], concurrency }])),
      ...(servedSeconds > 0 && { web: { work: { mean: servedSeconds, variation: 1 }, wait: NONE, concurrency: 16 } }),
      redis: { work: { mean: redis.work, variation: 1 }, wait: NONE, concurrency: 1 },
    },
    ...place(fleet),
  };
}

const NONE = { mean: 0, variation: 0 };

function place({
  machines,
  coresAMachine,
  judging,
  sources,
  retrieval,
  together,
}: Fleet): Pick<Layout, 'machines' | 'processes'> {
  const first = together ? 0 : 1;
  const once: Process[] = [
    { stages: ['articles'], threads: 2, machine: 0 },
    { stages: ['review'], threads: 1, machine: 0 },
    { stages: ['redis'], threads: 1, machine: 0 },
    { stages: ['web'], threads: 1, machine: 0 },
  ];
  const onEach = Array.from({ length: machines }, (_, at) => at + first).flatMap((machine): Process[] => [
    ...repeat(judging, { stages: ['verification', 'suggestion'], threads: 1, machine }),
    ...repeat(sources, { stages: ['sources'], threads: 2, machine }),
    ...repeat(retrieval, { stages: together ? ['corpus', 'retrieval'] : ['retrieval'], threads: 1, machine }),
  ]);
  // the corpus that grows lies on one host, and one process writes it
  if (!together) once.push({ stages: ['corpus'], threads: 1, machine: first });
  return { machines: new Array<number>(machines + first).fill(coresAMachine), processes: [...once, ...onEach] };
}

function repeat(count: number, process: Process): Process[] {
  return Array.from({ length: count }, () => process);
}

function outcomeOf(stage: string, tally: StageTally, { processes }: Layout, seconds: number): StageOutcome {
  const threads = sum(processes.filter(({ stages }) => stages.includes(stage)).map((process) => process.threads));
  const backlog = tally.queued - tally.done;
  return {
    ...{ stage, jobs: tally.queued, busy: tally.worked / (threads * seconds) },
    ...{ waitP50: quantile(tally.waits, 0.5), waitP95: quantile(tally.waits, 0.95) },
    ...{ backlog, growthPerHour: (backlog / seconds) * 3600 },
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
