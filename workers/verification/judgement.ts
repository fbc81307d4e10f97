/** What the engine says of a claim and its pages, as a schema: it is also kept (judgements.ts). */
import { z } from 'zod';
import { Evidence, Mismatch, Span, UncheckableReason, Verdict } from '../../shared/citation.ts';
import { FEATURES } from './features.ts';

const Probability = z.number().min(0).max(1);

/** Over pages that were read: without `unavailable`, `unsupported_language` and `unsourced`. */
export const JudgedVerdict = Verdict.extract([
  'supported',
  'partially_supported',
  'not_supported',
  'contradicted',
  'uncheckable',
]);
export type JudgedVerdict = z.infer<typeof JudgedVerdict>;

export const Judgement = z.object({
  /** Calibrated P(supported) by all pages, alone or together. */
  score: Probability,
  /** Calibrated P(failed verification): nothing of the claim is supported. What is left is P(partially supported). */
  failed: Probability,
  verdict: JudgedVerdict,
  /** The nearest there is, also where nothing supports the claim; null where the pages have no sentence. */
  evidence: Evidence.nullable(),
  /** Words of the claim that nothing supports; [] for a supported claim. */
  missing: z.array(Span),
  /** [] for a supported claim. */
  mismatches: z.array(Mismatch),
  uncheckable: UncheckableReason.nullable(),
  /** P(supported) of each page alone, in their order. */
  perSource: z.array(z.object({ url: z.string(), score: Probability })),
  /** What the scores were made of. */
  features: z.record(z.enum(FEATURES), z.number()),
});
export type Judgement = z.infer<typeof Judgement>;
