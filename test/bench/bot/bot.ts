/** The benchmark of the bot: its parts one after the other, printed as one JSON object. */
import { cpus } from 'node:os';
import { timeExtraction } from './extraction.ts';
import type { BotPart } from './names.ts';
import { makePages, readPages } from './pages.ts';
import { measureLag, timeRevisions, watchMemory } from './rates.ts';

export interface BotBenchOptions {
  json: boolean;
  parts: readonly BotPart[];
  rounds: number;
  /** Of the rate of English Wikipedia, for memory. */
  minutes: number;
  /** Folder of Parsoid HTML; without it pages are made up. */
  html?: string;
}

/** Throws RefuseToStart where the folder has no pages. */
export async function benchBot({ json, parts, rounds, minutes, html }: BotBenchOptions): Promise<void> {
  const given = html === undefined ? null : await readPages(html);
  const [usual, large] = given === null ? [makePages(20, USUAL_BYTES), makePages(6, LARGE_BYTES)] : [given, given];
  const measure: Record<BotPart, () => unknown> = {
    extraction: () => timeExtraction(large, rounds),
    revisions: () => timeRevisions(usual, 400),
    lag: () => measureLag(usual, 20, 5, 95),
    memory: () => watchMemory(usual, minutes),
  };
  const measured: Record<string, unknown> = {};
  for (const part of parts) {
    measured[part] = await measure[part]();
    process.stderr.write(`${part} measured\n`);
  }
  measured.processor = `${cpus().length} × ${cpus()[0]?.model}`;
  process.stdout.write(`${JSON.stringify(measured, shorten, json ? undefined : 1)}\n`);
}

/** Four figures are all that repeats. */
function shorten(_: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;
}

const USUAL_BYTES = 50_000;
const LARGE_BYTES = 800_000;
