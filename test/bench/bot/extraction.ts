/** Megabytes of Parsoid HTML a second through claim extraction, beside a bare parse of the same pages. */
import { parseDocument } from 'htmlparser2';
import { parseHTML } from 'linkedom';
import { extractClaims } from '../../../bot/claims/extract.ts';
import { median } from '../numbers.ts';
import type { BenchPage } from './pages.ts';

/** Rounds are interleaved. `cpu`: by processor time of this process, which other work on the machine changes less. */
export function timeExtraction(pages: readonly BenchPage[], rounds: number) {
  const bytes = pages.reduce((sum, { html }) => sum + Buffer.byteLength(html), 0);
  const times = new Map(Object.keys(WORK).map((name) => [name, { wall: [] as number[], cpu: [] as number[] }]));
  for (const { html, title } of pages) for (const work of Object.values(WORK)) work(html, title); // warm
  for (let round = 0; round < rounds; round++) {
    for (const [name, work] of Object.entries(WORK)) {
      const [start, cpu] = [performance.now(), process.cpuUsage()];
      for (const { html, title } of pages) work(html, title);
      times.get(name)?.wall.push(performance.now() - start);
      times.get(name)?.cpu.push(cpuMs(cpu));
    }
  }
  const rate = (ms: readonly number[]) => bytes / 1e3 / median(ms);
  const speedOf = (name: keyof typeof WORK) => {
    const { wall = [], cpu = [] } = times.get(name) ?? {};
    return { mb_per_s: rate(wall), mb_per_cpu_s: rate(cpu) };
  };
  const speeds = {
    extraction: speedOf('extraction'),
    parse_htmlparser2: speedOf('parse_htmlparser2'),
    parse_linkedom: speedOf('parse_linkedom'),
  };
  const claims = pages.reduce((sum, { html, title }) => sum + extractClaims(html, title).pairs.length, 0);
  return { pages: pages.length, mb: bytes / 1e6, claims, speeds };
}

export function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e3;
}

const WORK = {
  extraction: extractClaims,
  parse_htmlparser2: (html: string) => parseDocument(html),
  parse_linkedom: (html: string) => parseHTML(html),
} satisfies Record<string, (html: string, title: string) => unknown>;
