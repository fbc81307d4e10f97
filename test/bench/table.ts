/** What was measured → one table for people, or one object for programs. */
import Table from 'cli-table3';
import type { Measured, Result } from './benchmark.ts';
import type { Machine, Versions } from './machine.ts';

export interface Report {
  machine: Machine;
  versions: Versions;
  /** By benchmark, in the order in which they were run. */
  measured: ReadonlyMap<string, Measured>;
}

export function toText({ machine, versions, measured }: Report): string {
  const rows = [...measured].flatMap(([name, { results }]) => results.map((result) => [name, ...cells(result)]));
  const table = new Table({ head: HEAD, style: { head: [], border: [] }, colWidths: WIDTHS, wordWrap: true });
  table.push(...rows);
  const { processor, cores, memory_gb, kernel, load_before } = machine;
  const where = `${processor}, ${cores} cores, ${memory_gb} GB, ${kernel}; load before: ${load_before}`;
  const installed = Object.entries(versions).map(([name, version]) => `${name} ${version ?? 'not installed'}`);
  return `${where}\n${installed.join(', ')}\n${table.toString()}\nratio: above 1, ours is the better; of a slope or a share, what its line says.\n`;
}

/** `ratios`: by benchmark and line. `results` has the lines of the table, `measured` everything else by its own names. */
export function toJson({ machine, versions, measured }: Report): string {
  const results = [...measured].flatMap(([benchmark, { results: lines }]) =>
    lines.map((each) => ({ benchmark, ...each })),
  );
  const ratios = [...measured].map(([name, { results: lines }]) => [name, ratiosOf(lines)]);
  const figures = Object.fromEntries([...measured].map(([name, { figures: all }]) => [name, all]));
  const object = { machine, versions, ratios: Object.fromEntries(ratios), results, measured: figures };
  return `${JSON.stringify(object, shorten)}\n`;
}

function ratiosOf(results: readonly Result[]): Record<string, number> {
  const named = results.flatMap(({ name, peerName, ratio }) =>
    ratio === null ? [] : [[peerName === null ? name : `${name} / ${peerName}`, ratio] as const],
  );
  return Object.fromEntries(named);
}

function cells({ name, ours, unit, peer, peerName, ratio, note }: Result): string[] {
  const beside = peerName === null ? '' : `${peer === null ? '' : `${round(peer)} `}(${peerName})`;
  return [name, ours === null ? '–' : `${round(ours)} ${unit}`, beside, ratio === null ? '' : round(ratio), note];
}

/** Four figures are all that repeats. */
function round(number: number): string {
  return String(Number(number.toPrecision(4)));
}

export function shorten(_: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;
}

const HEAD = ['benchmark', 'what', 'ours', 'peer', 'ratio', 'note'];
const WIDTHS = [14, 34, 22, 30, 9, 44];
