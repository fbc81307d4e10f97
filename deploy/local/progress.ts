/**
 * Progress, one row a stage. In: counts of the queues. Out: bars on a terminal; elsewhere, a line now and then. Counts from
 * where it began: jobs of earlier runs that the queues still remember are not progress.
 */
import { MultiBar } from 'cli-progress';
import type { QueueCounts } from '../../shared/queue.ts';

export interface Progress {
  update(counts: Counts): void;
  /** A line above the bars. */
  say(line: string): void;
  stop(): void;
}

type Counts = Map<string, QueueCounts>;

export function createProgress(out: NodeJS.WriteStream, before: Counts): Progress {
  return out.isTTY ? createBars(out, before) : createLines(out, before);
}

function createBars(out: NodeJS.WriteStream, before: Counts): Progress {
  const bars = new MultiBar({ stream: out, format: FORMAT, hideCursor: true }, STYLE);
  const rows = ROWS.map((row) => ({ row, bar: bars.create(0, 0, { label: row.label.padEnd(18), more: '' }) }));
  return {
    update(counts) {
      for (const { row, bar } of rows) {
        const { done, total, more } = measure(row, counts, before);
        bar.setTotal(total);
        bar.update(done, { more });
      }
    },
    say: (line) => bars.log(`${line}\n`),
    stop() {
      if (bars.isActive) bars.stop();
    },
  };
}

/** For a log file: only what has changed, and not too often. */
function createLines(out: NodeJS.WriteStream, before: Counts): Progress {
  let last = { line: '', at: 0 };
  return {
    update(counts) {
      const line = ROWS.map((row) => describe(row, measure(row, counts, before))).join('; ');
      if (line === last.line || Date.now() - last.at < LINE_EVERY_MS) return;
      last = { line, at: Date.now() };
      out.write(`  ${line}\n`);
    },
    say: (line) => out.write(`${line}\n`),
    stop: () => undefined,
  };
}

interface Row {
  label: string;
  queues: RegExp;
}

interface Measure {
  done: number;
  total: number;
  more: string;
}

const ARTICLES: Row = { label: 'articles read', queues: /^articles$/ };
const VERIFIED: Row = { label: 'claims verified', queues: /^verification$/ };
const ROWS: Row[] = [
  ARTICLES,
  { label: 'sources fetched', queues: /^sources$/ },
  VERIFIED,
  { label: 'passages retrieved', queues: /^retrieval-/ },
  { label: 'suggestions sought', queues: /^suggestion$/ },
];

function measure(row: Row, counts: Counts, before: Counts): Measure {
  const measured = { done: 0, total: 0, more: '' };
  for (const [name, { done, failed, open }] of counts) {
    if (!row.queues.test(name)) continue;
    const earlier = before.get(name);
    const now = done + failed - (earlier?.done ?? 0) - (earlier?.failed ?? 0);
    measured.done += now;
    measured.total += now + open;
  }
  if (row === ARTICLES) measured.more = `, ${measure(VERIFIED, counts, before).total} claims found`;
  return measured;
}

function describe({ label }: Row, { done, total, more }: Measure): string {
  return `${label} ${done} of ${total}${more}`;
}

const FORMAT = '  {label} {bar} {value} of {total}{more}';
const STYLE = { format: FORMAT, barCompleteChar: '█', barIncompleteChar: '░' };
const LINE_EVERY_MS = 2000;
