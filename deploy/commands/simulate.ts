/** `sidelight simulate`: a wiki's load on machines that are simulated. In: options of the command line. Out: a table, or an object. */
import Table from 'cli-table3';
import { RequestError } from '../../shared/errors.ts';
import { machinesNeeded } from '../simulation/fleet.ts';
import { type Measured, readMeasured } from '../simulation/measured.ts';
import { defaultScenario, type Scenario } from '../simulation/scenario.ts';
import { type Outcome, simulate } from '../simulation/simulate.ts';
import { WIKIS, type WikiLoad, type WikiName } from '../simulation/wikis.ts';

export interface SimulateOptions {
  wiki?: WikiName;
  measured?: string;
  editsPerSecond?: number;
  claimsPerEdit?: number;
  touched?: number;
  sourcesPerClaim?: number;
  cached?: number;
  readable?: number;
  searched?: number;
  fetch?: number;
  pause: number;
  hosts: number;
  shards: number;
  days: number;
  machines?: number;
  cores: number;
  within: number;
  hours: number;
  seed: number;
  json: boolean;
}

/** Throws RequestError where no load is given, costs can't be read, or no number of machines keeps up. */
export async function simulateWiki(options: SimulateOptions): Promise<unknown> {
  const measured = await readMeasured(options.measured);
  const load: WikiLoad | null = options.wiki === undefined ? null : WIKIS[options.wiki];
  const scenario = toScenario(options, measured, load);
  const within = load?.isLive === false ? Number.POSITIVE_INFINITY : options.within;
  const { machines, outcome } = outcomeOf(measured, scenario, options, within);
  const told = { machines, cores: options.cores, editsPerSecond: scenario.editsPerSecond, ...outcome };
  if (options.json) return { ...told, scenario, source: load?.source ?? null, measuredOn: measured.machine };
  return toText(told, scenario, measured, load);
}

function outcomeOf(measured: Measured, scenario: Scenario, { machines }: SimulateOptions, within: number) {
  if (machines !== undefined) return { machines, outcome: simulate(measured, scenario) };
  const needed = machinesNeeded(measured, scenario, within);
  if (needed !== null) return needed;
  throw new RequestError(
    'never_keeps_up',
    'more machines do not help: --machines 1 shows which stage, or which wait, it is',
  );
}

function toScenario(options: SimulateOptions, measured: Measured, load: WikiLoad | null): Scenario {
  const editsPerSecond = options.editsPerSecond ?? load?.editsPerSecond(options.days);
  if (editsPerSecond === undefined) throw new RequestError('no_load', 'give --wiki or --edits-per-second');
  const usual = defaultScenario(measured);
  const { cores } = options;
  return {
    ...usual,
    ...{ editsPerSecond, seed: options.seed, seconds: options.hours * 3600 },
    claimsAnEdit: Math.max(1, options.claimsPerEdit ?? load?.claimsPerEdit ?? usual.claimsAnEdit),
    touchedShare: options.touched ?? usual.touchedShare,
    sourcesAClaim: Math.max(1, options.sourcesPerClaim ?? usual.sourcesAClaim),
    cachedShare: options.cached ?? usual.cachedShare,
    readableShare: options.readable ?? usual.readableShare,
    searchedShare: options.searched ?? usual.searchedShare,
    fetchSeconds: options.fetch ?? usual.fetchSeconds,
    ...{ pauseSeconds: options.pause, hosts: options.hosts, shards: options.shards },
    fleet: { ...usual.fleet, machines: options.machines ?? 1, coresAMachine: cores, judging: Math.max(1, cores - 1) },
  };
}

type Told = { machines: number; cores: number; editsPerSecond: number } & Outcome;

function toText(told: Told, scenario: Scenario, measured: Measured, load: WikiLoad | null): string {
  const { machines, cores, stages, claims, coresBusy, seconds } = told;
  const table = new Table({ head: HEAD, style: { head: [], border: [], compact: true } });
  for (const { stage, jobs, busy, waitP50, waitP95, backlog, growthPerHour } of stages) {
    table.push([
      stage,
      jobs,
      `${(busy * 100).toFixed(0)} %`,
      span(waitP50),
      span(waitP95),
      backlog,
      growthPerHour.toFixed(0),
    ]);
  }
  return [
    `${round(scenario.editsPerSecond)} edits/s for ${round(seconds / 3600)} h, ${share(scenario.touchedShare)} of them touch claims, ${round(scenario.claimsAnEdit)} each, ` +
      `${round(scenario.sourcesAClaim)} citations a claim; ${share(scenario.searchedShare)} are searched for`,
    `costs measured on ${Object.values(measured.machine).join(', ')}${load === null ? '' : `; rate: ${load.source}`}`,
    table.toString(),
    `claims judged: ${claims.done} of ${claims.asked}, ${round(claims.perSecond)}/s; from edit to verdict p50 ${span(claims.p50)}, p95 ${span(claims.p95)}`,
    `machines that judge: ${machines} of ${cores} cores, and one for bot, review service and Redis; ${share(coresBusy)} of all cores busy`,
  ].join('\n');
}

const HEAD = ['stage', 'jobs', 'busy', 'waits, p50', 'p95', 'left', 'more an hour'];

function span(seconds: number): string {
  if (Number.isNaN(seconds)) return '–';
  return seconds < 1 ? `${(seconds * 1000).toFixed(0)} ms` : `${round(seconds)} s`;
}

function share(part: number): string {
  return `${(part * 100).toFixed(0)} %`;
}

function round(number: number): number {
  return Number(number.toPrecision(3));
}
