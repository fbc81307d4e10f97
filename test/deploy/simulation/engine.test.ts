/** The engine against what is known in closed form: queues of one server, shared cores, and that no job is lost. */
import { createDraws, type Spread } from '../../../deploy/simulation/draws.ts';
import { createEngine, type Layout } from '../../../deploy/simulation/engine.ts';
import { fitLine, quantile } from '../../../deploy/simulation/tally.ts';

const NONE: Spread = { mean: 0, variation: 0 };

/** One process with one thread; jobs come at random, `rate` a second. */
function serve(work: Spread, rate: number, jobs: number, seed: number) {
  const draws = createDraws(seed);
  const layout: Layout = {
    stages: { only: { work, wait: NONE, concurrency: 1 } },
    machines: [1],
    processes: [{ stages: ['only'], threads: 1, machine: 0 }],
  };
  const engine = createEngine(layout, draws);
  const come = (left: number) => {
    if (left === 0) return;
    engine.enqueue('only');
    engine.at(engine.now + draws.time({ mean: 1 / rate, variation: 1 }), () => come(left - 1));
  };
  come(jobs);
  engine.run(Number.POSITIVE_INFINITY);
  const tally = engine.tallies().get('only') ?? { queued: 0, done: 0, worked: 0, waits: [] };
  const wait = tally.waits.reduce((sum, each) => sum + each, 0) / tally.waits.length;
  return { ...tally, wait, busy: tally.worked / engine.now, used: engine.used() };
}

describe.each([0.3, 0.6, 0.8])('a queue before one server that is busy %d of the time', (load) => {
  test('waits as long as M/M/1 does', () => {
    const { wait, busy } = serve({ mean: 1, variation: 1 }, load, 40_000, 5);
    expect(busy).toBeCloseTo(load, 1);
    expect(Math.abs(wait / (load / (1 - load)) - 1)).toBeLessThan(0.1);
  });

  test('waits half of that where every job takes the same, as M/D/1 does', () => {
    const { wait } = serve({ mean: 1, variation: 0 }, load, 40_000, 6);
    expect(Math.abs(wait / (load / (2 * (1 - load))) - 1)).toBeLessThan(0.1);
  });
});

test('every job that comes is done once, and takes the work that was done', () => {
  const { queued, done, worked, used } = serve({ mean: 0.4, variation: 0.7 }, 2, 5000, 7);
  expect([queued, done]).toEqual([5000, 5000]);
  expect(used[0]).toBeCloseTo(worked, 6);
});

test('the same seed gives the same, another one does not', () => {
  const run = (seed: number) => serve({ mean: 1, variation: 1 }, 0.5, 500, seed).waits;
  expect(run(3)).toEqual(run(3));
  expect(run(3)).not.toEqual(run(4));
});

test('more busy threads than cores go slower alike', () => {
  const layout = (cores: number): Layout => ({
    stages: { only: { work: { mean: 3, variation: 0 }, wait: NONE, concurrency: 4 } },
    machines: [cores],
    processes: [{ stages: ['only'], threads: 4, machine: 0 }],
  });
  const end = (cores: number) => {
    const engine = createEngine(layout(cores), createDraws(1));
    for (let job = 0; job < 4; job += 1) engine.enqueue('only');
    engine.run(Number.POSITIVE_INFINITY);
    return engine.now;
  };
  expect([end(4), end(2), end(1)]).toEqual([3, 6, 12]);
});

test('what waits for the network takes no core, and a process has only so many in hand', () => {
  const stage = { work: { mean: 1, variation: 0 }, wait: { mean: 10, variation: 0 }, concurrency: 2 };
  const processes = [{ stages: ['only'], threads: 1, machine: 0 }];
  const engine = createEngine({ stages: { only: stage }, machines: [1], processes }, createDraws(1));
  for (let job = 0; job < 4; job += 1) engine.enqueue('only');
  engine.run(Number.POSITIVE_INFINITY);
  // two wait together until 10 and are done at 11 and 12, where the next two begin
  expect(engine.now).toBe(23);
  expect(engine.used()).toEqual([4]);
});

test('a line is fitted with what it leaves', () => {
  expect(
    fitLine([
      [1, 3],
      [2, 5],
      [3, 7],
    ]),
  ).toEqual({ slope: 2, intercept: 1, residual: 0 });
  expect(
    fitLine([
      [0, 0],
      [1, 2],
      [2, 0],
    ]),
  ).toMatchObject({ slope: 0, intercept: 2 / 3 });
  expect([quantile([3, 1, 2], 0.5), quantile([1, 2, 3, 4], 0.95)]).toEqual([2, 4]);
});
