/**
 * How far a build is, for people. In: its progress. Out: a bar a step on a terminal; elsewhere, a line every ten seconds. Rates
 * are of this run: what an earlier one did is not counted.
 */
import { MultiBar, type SingleBar } from 'cli-progress';
import type { BuildProgress } from './build.ts';

export interface BuildBars {
  update(progress: BuildProgress): void;
  stop(): void;
}

export function createBuildBars(out: NodeJS.WriteStream): BuildBars {
  return out.isTTY ? createBars(out) : createLines(out);
}

function createBars(out: NodeJS.WriteStream): BuildBars {
  const bars = new MultiBar({ stream: out, format: FORMAT, hideCursor: true }, STYLE);
  const meter = createMeter();
  let shown: { step: string; bar: SingleBar } | null = null;
  return {
    update(progress) {
      const { step } = progress;
      if (shown?.step !== step) shown = { step, bar: bars.create(1, 0, { step: step.padEnd(8), more: '' }) };
      shown.bar.update(progress.share, { more: meter(progress) });
    },
    stop: () => bars.stop(),
  };
}

function createLines(out: NodeJS.WriteStream): BuildBars {
  const meter = createMeter();
  let last = { step: '', at: 0 };
  return {
    update(progress) {
      const { step, share } = progress;
      const more = meter(progress);
      if (step === last.step && Date.now() - last.at < LINE_EVERY_MS) return;
      last = { step, at: Date.now() };
      out.write(`${step} ${Math.floor(share * 100)} %, ${more}\n`);
    },
    stop: () => undefined,
  };
}

/** Pages, passages, passages a second, and the time that is left, since the step began. */
function createMeter(): (progress: BuildProgress) => string {
  let began: { at: number; progress: BuildProgress } | null = null;
  return (progress) => {
    if (began?.progress.step !== progress.step) began = { at: Date.now(), progress };
    const seconds = (Date.now() - began.at) / 1000;
    const counts = `${spell(progress.pages)} pages, ${spell(progress.passages)} passages`;
    const share = progress.share - began.progress.share;
    if (seconds < 1 || share <= 0) return counts;
    const rate = Math.round((progress.passages - began.progress.passages) / seconds);
    return `${counts}, ${spell(rate)} passages/s, ${spellTime((seconds * (1 - progress.share)) / share)} left`;
  };
}

function spell(count: number): string {
  return count.toLocaleString('en');
}

function spellTime(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

const FORMAT = '  {step} {bar} {percentage} % {more}';
const STYLE = { format: FORMAT, barCompleteChar: '█', barIncompleteChar: '░' };
const LINE_EVERY_MS = 10_000;
