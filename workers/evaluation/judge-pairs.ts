/** Labelled pairs → what the engine says of each, beside its label. Computes no figure. */
import type { Verdict } from '../../shared/citation.ts';
import type { Label, LabelledPair } from './pairs.ts';

/** What is asked of the engine: the verifier of workers/verification, or another one to be measured beside it. */
export interface Engine {
  version: string;
  /** A claim that scores lower is low-scoring. */
  threshold: number;
  verify(claim: LabelledPair['claim'], pages: LabelledPair['sources']): Promise<Opinion>;
}

export interface Opinion {
  /** P(supported). */
  score: number;
  /** P(failed verification): nothing of the claim is supported. */
  failed: number;
  verdict: Verdict;
  evidence: { quote: string; url: string } | null;
  /** Where the engine explains itself by numbers. */
  features?: Readonly<Record<string, number>>;
}

export interface JudgedPair {
  id: string;
  label: Label;
  /** Null where the pair carries none. */
  kind: string | null;
  /** Rows of one cluster are no independent measurements. */
  cluster: string;
  claim: string;
  opinion: Opinion;
  /** Wall clock of the judgement alone. */
  seconds: number;
}

/** Fails with the engine. */
export async function judgePair(engine: Engine, pair: LabelledPair): Promise<JudgedPair> {
  const { id, label, claim, sources } = pair;
  const start = performance.now();
  const opinion = await engine.verify(claim, sources);
  const seconds = (performance.now() - start) / 1000;
  return { id, label, kind: pair.kind ?? null, cluster: clusterOf(pair), claim: claim.text, opinion, seconds };
}

function clusterOf({ id, article, claim }: LabelledPair): string {
  if (article !== undefined) return `article ${article}`;
  return claim.title === '' ? `row ${id}` : `article ${claim.title}`;
}

/** One JSON line of `--out`. */
export function toOutLine({ id, label, kind, opinion }: JudgedPair): string {
  const { score, failed, verdict, evidence, features } = opinion;
  return JSON.stringify({
    id,
    label,
    ...(kind === null ? {} : { kind }),
    score,
    failed,
    verdict,
    quote: evidence?.quote ?? null,
    ...(features === undefined ? {} : { features }),
  });
}
