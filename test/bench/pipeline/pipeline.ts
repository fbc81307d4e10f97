/** The benchmark of the whole: citations a second of the embedded stack, and how much of its processor time is not the models'. */
import { quantile } from '../../../deploy/simulation/tally.ts';
import { type Benchmark, type BenchOptions, line, type Measured, runParts, type Size } from '../benchmark.ts';
import { describeMachine } from '../machine.ts';
import { costsOf, jobsOf } from './costs.ts';
import { type Run, runArticles } from './run.ts';

/** As long as the pages of Sphere: 6.8 passages of 100 words. */
const WORDS = 680;
export const ARTICLES: Record<Size, number> = { tiny: 3, quick: 80, full: 400 };

export const pipeline: Benchmark = {
  name: 'pipeline',
  about: 'the embedded stack, each part a process: citations a second, and the share of its time outside the models',
  parts: ['stages'],
  run: (options) => runParts('pipeline', { stages: () => stages(options) }, options.parts),
};

async function stages(options: BenchOptions): Promise<Measured> {
  const run = await runOnce(options);
  const own = Object.entries(run.used).filter(([kind]) => kind !== 'world');
  const seconds = own.reduce((sum, [, used]) => sum + used.seconds, 0);
  const modelSeconds = own.reduce((sum, [, used]) => sum + used.modelSeconds, 0);
  const citations = jobsOf(run, 'sources').length;
  const outside = 1 - modelSeconds / seconds;
  const took = jobsOf(run, 'verification').map(({ queued, done }) => (done - queued) / 1000);
  const figures = {
    ...{ articles: run.articles, claims: run.claims, citations, seconds: run.seconds, failed: run.failed },
    ...{
      citations_per_s: citations / run.seconds,
      citations_per_cpu_s: citations / seconds,
      share_outside_models: outside,
    },
    ...{ cpu_s: Object.fromEntries(Object.entries(run.used).map(([kind, used]) => [kind, used])) },
    ...{
      verified_p50_s: quantile(took, 0.5),
      verified_p95_s: quantile(took, 0.95),
      measured: costsOf(run, describeMachine()),
    },
  };
  const what = `${citations} citations of ${run.articles} articles, pages of ${WORDS} words`;
  const results = [
    line({
      name: 'citations, end to end',
      ours: figures.citations_per_s,
      unit: '/s',
      note: `${what}; one process judges`,
    }),
    line({ name: 'the same, by processor time', ours: figures.citations_per_cpu_s, unit: '/s of a core' }),
    line({
      name: 'share outside the models',
      ours: outside,
      unit: 'of the time',
      ratio: outside,
      note: 'wanted: at most 0.2',
    }),
  ];
  return { figures, results };
}

let first: Promise<Run> | null = null;

/** With one process that judges; also the run that others compare with. */
export function runOnce({ size, modelsDir }: BenchOptions): Promise<Run> {
  first ??= runArticles({ articles: ARTICLES[size], words: WORDS, modelsDir, workers: 1 });
  return first;
}

export function runWith({ size, modelsDir }: BenchOptions, workers: number, articles = ARTICLES[size]): Promise<Run> {
  return runArticles({ articles, words: WORDS, modelsDir, workers });
}
