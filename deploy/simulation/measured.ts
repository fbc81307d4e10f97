/** What one job of each stage costs, as `npm run bench -- pipeline --json` measured it. In: a file. Out: numbers, or a refusal. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { RequestError } from '../../shared/errors.ts';
import { parseJson } from '../../shared/json.ts';
import { repositoryRoot } from '../../shared/root.ts';

const Spread = z.object({ mean: z.number().nonnegative(), variation: z.number().nonnegative() });

/** Seconds. `work`: of a core, in the stage's process and those that it starts; `wait`: for who is asked, beside it. */
const StageCost = z.object({ work: Spread, wait: Spread });

export const STAGES = ['articles', 'sources', 'corpus', 'verification', 'retrieval', 'suggestion', 'review'] as const;
export type CostedStage = (typeof STAGES)[number];

export const Measured = z.object({
  /** Where it was measured: for people. */
  machine: z.record(z.string(), z.union([z.string(), z.number()])),
  stages: z.object({
    ...{ articles: StageCost, sources: StageCost, corpus: StageCost, verification: StageCost },
    ...{ retrieval: StageCost, suggestion: StageCost, review: StageCost },
  }),
  /** Of Redis, for one job of any stage: seconds of a core, and bytes of memory while it is kept. */
  redis: z.object({ work: z.number().nonnegative(), bytes: z.number().nonnegative() }),
  /** Of what was measured, not of a wiki: the default until the wiki's own are known. */
  shares: z.object({
    claimsAnEdit: z.number().min(1),
    sourcesAClaim: z.number().min(1),
    readable: z.number().min(0).max(1),
    searched: z.number().min(0).max(1),
  }),
  /** Bytes on disk a claim, by what keeps them. */
  disk: z.record(z.string(), z.number().nonnegative()),
  /** Megabytes that a process of each kind takes. */
  memory: z.record(z.string(), z.number().nonnegative()),
});
export type Measured = z.infer<typeof Measured>;

/** The report of the benchmark, or its part alone. */
const Report = z.object({ measured: z.object({ pipeline: z.object({ stages: z.object({ measured: Measured }) }) }) });

/** Throws RequestError where the file holds no such measurements. */
export async function readMeasured(path = `${repositoryRoot()}/deploy/simulation/measured.json`): Promise<Measured> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new RequestError('no_measurements', `${path} can't be read: \`npm run bench -- pipeline --json > ${path}\``);
  });
  const given = parseJson(text);
  const report = Report.safeParse(given);
  const parsed = Measured.safeParse(report.success ? report.data.measured.pipeline.stages.measured : given);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new RequestError(
    'no_measurements',
    `${path} holds no measurements of the pipeline: ${issue?.path.join('.')}: ${issue?.message}`,
  );
}
