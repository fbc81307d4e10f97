/** The line of queues as it is simulated: what every claim leads to, what holds it up, and how many machines keep up. */
import { keepsUp, machinesNeeded } from '../../../deploy/simulation/fleet.ts';
import { type Measured, readMeasured } from '../../../deploy/simulation/measured.ts';
import { defaultScenario, type Scenario } from '../../../deploy/simulation/scenario.ts';
import { simulate } from '../../../deploy/simulation/simulate.ts';
import { refusalOf, runCommand } from '../../support/command.ts';

const cost = (mean: number) => ({ work: { mean, variation: 0.5 }, wait: { mean: 0, variation: 0 } });
const measured: Measured = {
  machine: { processor: 'made up' },
  stages: {
    ...{ articles: cost(0.05), sources: cost(0.1), corpus: cost(0.2), verification: cost(0.5) },
    ...{ retrieval: cost(0.05), suggestion: cost(2), review: cost(0.01) },
  },
  redis: { work: 0.001, bytes: 4000 },
  shares: { claimsAnEdit: 2, sourcesAClaim: 1.5, readable: 0.8, searched: 0.25 },
  disk: {},
  memory: {},
};
const usual: Scenario = { ...defaultScenario(measured), seconds: 1200, editsPerSecond: 0.5 };
const jobsOf = (scenario: Scenario) => {
  const { stages, claims } = simulate(measured, scenario);
  return { claims, jobs: new Map(stages.map(({ stage, jobs }) => [stage, jobs])), stages };
};

test('every claim of a burst is judged once, and every job ends', () => {
  const { claims, jobs, stages } = jobsOf({ ...usual, editsPerSecond: 0, burst: 100, seconds: 1e6 });
  expect(claims.done).toBe(claims.asked);
  expect(stages.map(({ backlog }) => backlog)).toEqual(stages.map(() => 0));
  expect(jobs.get('verification')).toBe(claims.asked);
  // a row of each article, of each verdict, and of each search
  expect(jobs.get('review')).toBe(100 + claims.asked + (jobs.get('suggestion') ?? 0));
  expect(jobs.get('retrieval')).toBe(2 * (jobs.get('suggestion') ?? 0));
});

test('shares are kept: citations a claim, pages that can be read, claims that are searched for', () => {
  const { claims, jobs } = jobsOf({ ...usual, editsPerSecond: 0, burst: 600, seconds: 1e6 });
  const per = (stage: string, of: number) => (jobs.get(stage) ?? 0) / of;
  expect(claims.asked / 600).toBeCloseTo(2, 0);
  expect(per('sources', claims.asked)).toBeCloseTo(1.5, 1);
  expect(per('corpus', jobs.get('sources') ?? 0)).toBeCloseTo(0.8, 1);
  expect(per('suggestion', claims.asked)).toBeCloseTo(0.25, 1);
});

test('what was read before is not read again, and an edit that touches no claim leads to none', () => {
  expect(jobsOf({ ...usual, cachedShare: 1 }).jobs.get('sources')).toBe(0);
  expect(jobsOf({ ...usual, touchedShare: 0 }).claims.asked).toBe(0);
});

test('one host for all sources holds the claims up, however many machines there are', () => {
  const fleet = { ...usual.fleet, machines: 8 };
  const [many, one] = [simulate(measured, { ...usual, fleet }), simulate(measured, { ...usual, fleet, hosts: 1 })];
  expect(many.claims.p95).toBeLessThan(60);
  expect(one.claims.p95).toBeGreaterThan(200);
});

test('as many machines are needed as keep up, and one less does not', () => {
  const busy = { ...usual, editsPerSecond: 8, readableShare: 0 }; // turns at hosts alone take three minutes for the slowest
  const needed = machinesNeeded(measured, busy, 240);
  const fewer = { ...busy, fleet: { ...busy.fleet, machines: (needed?.machines ?? 0) - 1 } };
  expect(needed?.machines).toBeGreaterThan(1);
  expect(keepsUp(simulate(measured, fewer), 240)).toBe(false);
});

test('where more machines do not help, none are said to be enough', () => {
  expect(machinesNeeded(measured, { ...usual, hosts: 1, editsPerSecond: 4 }, 120)).toBeNull();
});

test('a stage that cannot keep up says how its queue grows', () => {
  const { stages } = simulate(measured, { ...usual, editsPerSecond: 20 });
  const verification = stages.find(({ stage }) => stage === 'verification');
  expect(verification?.backlog).toBeGreaterThan(1000);
  expect(verification?.growthPerHour).toBeCloseTo((verification?.backlog ?? 0) * 3, 5);
});

test('the same seed simulates the same', () => {
  expect(simulate(measured, { ...usual, seed: 9 })).toEqual(simulate(measured, { ...usual, seed: 9 }));
});

test('the shipped costs can be read, and a file without any is refused', async () => {
  expect((await readMeasured()).stages.verification.work.mean).toBeGreaterThan(0);
  await expect(readMeasured('package.json')).rejects.toThrow('holds no measurements');
});

test('the command tells each stage and the machines; without a load it says what to give', async () => {
  const { stdout, stderr } = await runCommand(['simulate', '--edits-per-second', '0.2', '--hours', '0.2', '--json']);
  expect([stderr, JSON.parse(stdout).machines]).toEqual(['', 1]);
  expect(await refusalOf(['simulate'])).toContain('--edits-per-second');
});
