/** How fast a bot without a wiki is, how far its reader falls behind, and what memory an hour of a large wiki takes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { median } from '../numbers.ts';
import { cpuMs } from './extraction.ts';
import type { BenchPage } from './pages.ts';
import { startPatrol } from './patrol.ts';

/** Revisions from event to enqueued claims; each is read together with the one before it. */
export async function timeRevisions(pages: readonly BenchPage[], revisions: number) {
  const patrol = await startPatrol(pages, revisions + WARM, 0);
  patrol.send(WARM, 0);
  await patrol.until('checked', WARM);
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  patrol.send(revisions, 0);
  await patrol.until('checked', WARM + revisions);
  const [seconds, cpuSeconds] = [(performance.now() - start) / 1e3, cpuMs(cpu) / 1e3];
  const { claims } = patrol.counts();
  await patrol.stop();
  const kb = pages.reduce((sum, { html }) => sum + Buffer.byteLength(html), 0) / pages.length / 1e3;
  const rates = { revisions_per_s: revisions / seconds, revisions_per_cpu_s: revisions / cpuSeconds };
  return { revisions, kb_a_page: kb, claims_enqueued: claims, ...rates };
}

/** At a steady rate, while the same process checks the articles: `edits` of the wiki and others, a second. */
export async function measureLag(pages: readonly BenchPage[], seconds: number, edits: number, others: number) {
  const patrol = await startPatrol(pages, 10_000, 0);
  patrol.send(5, 0);
  await patrol.until('checked', 5);
  patrol.lags.length = 0;
  for (let tick = 0, start = performance.now(); tick < seconds * TICKS; tick++) {
    const from = Math.floor((tick * edits) / TICKS);
    const count = Math.floor(((tick + 1) * edits) / TICKS) - from;
    patrol.send(count, Math.round((edits + others) / TICKS) - count);
    await sleep(Math.max(start + ((tick + 1) * 1000) / TICKS - performance.now(), 0));
  }
  await patrol.until('heard', 5 + seconds * (edits + others));
  const { checked } = patrol.counts();
  const lags = [...patrol.lags];
  await patrol.stop();
  const lag = { lag_ms_median: median(lags), lag_ms_longest: Math.max(...lags) };
  return { seconds, events_per_s: edits + others, edits_per_s: edits, checked: checked - 5, ...lag };
}

/** Many minutes of English Wikipedia's rate as fast as it goes: memory after each twelfth, collected. */
export async function watchMemory(pages: readonly BenchPage[], minutes: number) {
  const [edits, others] = [minutes * 60 * EDITS_PER_S, minutes * 60 * (EVENTS_PER_S - EDITS_PER_S)];
  const patrol = await startPatrol(pages, edits, 0);
  const heap_mb: number[] = [];
  const rss_mb: number[] = [];
  const start = performance.now();
  for (let part = 1; part <= PARTS; part++) {
    patrol.send(Math.round(edits / PARTS), Math.round(others / PARTS));
    await patrol.until('heard', part * (Math.round(edits / PARTS) + Math.round(others / PARTS)));
    await patrol.until('checked', part * Math.round(edits / PARTS));
    patrol.forget();
    collect();
    const { heapUsed, rss } = process.memoryUsage();
    heap_mb.push(Math.round(heapUsed / 1e6));
    rss_mb.push(Math.round(rss / 1e6));
  }
  const took_s = (performance.now() - start) / 1e3;
  const { heard, checked } = patrol.counts();
  await patrol.stop();
  return { minutes, events: heard, checked, took_s, heap_mb, rss_mb };
}

function collect(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

const WARM = 40;
/** A second. */
const TICKS = 20;
const PARTS = 12;
/** Of all wikis on the stream, and of articles of English Wikipedia. */
const EVENTS_PER_S = 30;
const EDITS_PER_S = 2.5;
