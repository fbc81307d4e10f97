/**
 * `npm run soak`: articles through a fleet, seed after seed, each undisturbed and then with its faults. In: options. Out: a line, or with
 * `--json` an object, a seed: `claims, lost, doubled, stuck, decisions_lost`. Exit code 1 if any of them but the first is not 0.
 */
import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { makeArticle } from './articles.ts';
import { buildCorpus } from './corpus.ts';
import { clockUnavailable } from './faults.ts';
import { startFleet } from './fleet.ts';
import { type Comparison, compare } from './outcomes.ts';
import { type Ran, type RunOptions, runArticles } from './run.ts';
import { describeFault, FAULTS, type FaultKind, makeSchedule } from './schedule.ts';
import { fleetUnavailable } from './unavailable.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    /** The first of them. */
    from: { type: 'string', default: '1' },
    articles: { type: 'string', default: '2000' },
    /** Seconds over which the edits are told. */
    announce: { type: 'string', default: '240' },
    /** Seconds that are waited for what is left. */
    drain: { type: 'string', default: '900' },
    /** Share of the faults' full durations. */
    pace: { type: 'string', default: '1' },
    more: { type: 'string', default: '12' },
    faults: { type: 'string', default: FAULTS.join() },
    json: { type: 'boolean', default: false },
  },
});

async function main(): Promise<void> {
  const missing = fleetUnavailable() ?? clockUnavailable();
  if (missing !== null) throw new Error(missing);
  let isWell = true;
  const first = Number(values.from);
  for (let seed = first; seed < first + Number(values.seeds); seed += 1) {
    const result = await soak(seed);
    isWell &&= [result.lost, result.doubled, result.stuck, result.decisions_lost].every((count) => count === 0);
    process.stdout.write(`${values.json ? JSON.stringify(result) : describe(result)}\n`);
  }
  process.exitCode = isWell ? 0 : 1;
}

async function soak(seed: number) {
  const articles = Number(values.articles);
  const logs = `/tmp/sidelight-fleet-logs/${process.pid}/${seed}`;
  mkdirSync(logs, { recursive: true });
  const tell = (line: string) => void process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
  const [announceMs, drainMs] = [Number(values.announce) * 1000, Number(values.drain) * 1000];
  const options: RunOptions = { seed, articles, logs, announceMs, drainMs, tell };
  const plan = planOf(seed);
  tell(`seed ${seed}, logs in ${logs}; faults:\n${plan.map(describeFault).join('\n')}`);
  const fleet = await startFleet(options);
  const stop = () => void fleet.close().finally(() => process.exit(130));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  try {
    await buildCorpus(fleet, options);
    tell('the fleet is ready');
    const undisturbed = await runArticles(fleet, { ...options, announceMs: announceMs / 4 }, []);
    tell(`undisturbed: ${undisturbed.seconds} s, stuck ${JSON.stringify(undisturbed.stuck)}`);
    const disturbed = await runArticles(fleet, options, plan);
    tell(`disturbed: ${disturbed.seconds} s; ended unasked: ${JSON.stringify(disturbed.unasked)}`);
    return toResult(
      seed,
      undisturbed,
      disturbed,
      compare(
        claimsOf(seed, articles),
        { undisturbed: undisturbed.kept, disturbed: disturbed.kept },
        disturbed.acknowledged,
      ),
      tell,
    );
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop);
    await fleet.close();
  }
}

function planOf(seed: number) {
  // names that are none make an empty plan, and the run says so
  const kinds = values.faults.split(',').filter((name): name is FaultKind => FAULTS.some((known) => known === name));
  return makeSchedule({ seed, kinds, pace: Number(values.pace), more: Number(values.more) });
}

/** As outcomes name them. */
function claimsOf(seed: number, articles: number): string[] {
  return Array.from({ length: articles }, (_, index) => makeArticle(seed, index)).flatMap(({ title, revisions }) =>
    (revisions.at(-1)?.claims ?? []).map(({ text }) => `${title}: ${text}`),
  );
}

function toResult(
  seed: number,
  undisturbed: Ran,
  disturbed: Ran,
  { examples, ...counts }: Comparison,
  tell: (line: string) => void,
) {
  for (const example of [...examples, ...disturbed.wrongs]) tell(example);
  const stuckJobs = { ...undisturbed.stuck, ...disturbed.stuck };
  const stuck = Object.values(stuckJobs).reduce((sum, count) => sum + count, 0);
  const { acknowledged, seconds, unasked, wrongs, searchedPartly } = disturbed;
  const told = {
    ...{ decisions: acknowledged.length, searched_partly: searchedPartly },
    ...{ stuck_jobs: stuckJobs, not_stopped: wrongs, ended_unasked: unasked },
  };
  return { seed, ...counts, stuck, ...told, seconds: { undisturbed: undisturbed.seconds, disturbed: seconds } };
}

function describe({
  seed,
  claims,
  lost,
  doubled,
  stuck,
  decisions,
  decisions_lost,
  seconds,
}: ReturnType<typeof toResult>) {
  const run = `${seconds.undisturbed} s undisturbed, ${seconds.disturbed} s with faults`;
  return `seed ${seed}: ${claims} claims, ${lost} lost, ${doubled} doubled, ${stuck} stuck, ${decisions_lost} of ${decisions} decisions lost (${run})`;
}

await main();
