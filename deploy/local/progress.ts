/** Progress bars, one a stage. In: counts of the queues. Out: lines on the terminal. Counts from where it began. */
import { MultiBar, type SingleBar } from 'cli-progress';
import type { QueueCounts } from '../../shared/queue.ts';

export interface Progress {
  update(counts: Map<string, QueueCounts>): void;
  /** A line above the bars. */
  say(line: string): void;
  stop(): void;
}

/** `before`: counts at the start; jobs of earlier runs that the queues still remember are not progress. */
export function createProgress(out: NodeJS.WritableStream, before: Map<string, QueueCounts>): Progress {
  const bars = new MultiBar(
    {
      stream: out,
      format: '  {stage} {bar} {value} of {total}{more}',
      hideCursor: true,
      noTTYOutput: true,
      notTTYSchedule: 2000,
    },
    STYLE,
  );
  const rows = ROWS.map((row) => ({ ...row, bar: bars.create(0, 0, { stage: row.label.padEnd(18), more: '' }) }));
  return {
    update(counts) {
      for (const row of rows) draw(row.bar, sum(counts, before, row.queues), row.more?.(counts, before) ?? '');
    },
    say: (line) => bars.log(`${line}\n`),
    stop() {
      if (bars.isActive) bars.stop();
    },
  };
}

interface Done {
  done: number;
  total: number;
}

function draw(bar: SingleBar, { done, total }: Done, more: string): void {
  bar.setTotal(total);
  bar.update(done, { more });
}

function sum(counts: Map<string, QueueCounts>, before: Map<string, QueueCounts>, queues: RegExp): Done {
  const result = { done: 0, total: 0 };
  for (const [name, count] of counts) {
    if (!queues.test(name)) continue;
    const earlier = before.get(name);
    const done = count.done + count.failed - (earlier?.done ?? 0) - (earlier?.failed ?? 0);
    result.done += done;
    result.total += done + count.open;
  }
  return result;
}

interface Row {
  label: string;
  queues: RegExp;
  more?: (counts: Map<string, QueueCounts>, before: Map<string, QueueCounts>) => string;
}

const ROWS: Row[] = [
  {
    label: 'articles read',
    queues: /^articles$/,
    more: (counts, before) => `, ${sum(counts, before, /^verification$/).total} claims found`,
  },
  { label: 'sources fetched', queues: /^sources$/ },
  { label: 'claims verified', queues: /^verification$/ },
  { label: 'passages retrieved', queues: /^retrieval-/ },
  { label: 'suggestions sought', queues: /^suggestion$/ },
];

const STYLE = { format: '', barCompleteChar: '█', barIncompleteChar: '░' };
