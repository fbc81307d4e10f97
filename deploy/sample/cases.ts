/** What each citation of the sample wiki must come to. In: cases.json. Out: its rows. Judges nothing. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { UnavailableReason, Verdict } from '../../shared/citation.ts';
import { EditName } from './edits.ts';
import { onPort, SAMPLE_DIR, SAMPLE_PORT } from './manifest.ts';

/** The situations that a patroller meets; the sample has each at least once. */
export const CaseName = z.enum([
  'supported',
  'partly_supported',
  'off_topic',
  'near_miss_number',
  'near_miss_date',
  'near_miss_name',
  'contradicted',
  'table_only',
  'pdf',
  'two_paragraphs',
  'dead_archived',
  'dead',
  'paywall',
  'script_only',
  'login',
  'consent',
  'named_reference_reused',
  'together',
  'short_footnote',
  'failed_verification',
  'citation_needed',
  'better_page',
  'mirror',
  'moved',
  'no_url',
  'uncheckable',
  'unsupported_language',
]);
export type CaseName = z.infer<typeof CaseName>;

const Expectation = z.object({
  /** Any of these is right. */
  verdict: z.array(Verdict).min(1),
  /** Why it is unavailable. */
  reason: UnavailableReason.nullable().default(null),
  /** Words of the evidence's passage. */
  evidenceIncludes: z.string().nullable().default(null),
  /** The page to be suggested; `none`: no page may be; `any`: either is right. */
  suggestion: z.string().default('any'),
  /** Pages that must not be suggested. */
  neverSuggested: z.array(z.string()).default([]),
  /** Whether the score lies under the verifier's threshold; null: either is right, or nothing can be judged. */
  scoreBelowThreshold: z.boolean().nullable().default(null),
});

const Case = z.object({
  case: CaseName,
  /** Title of the article. */
  article: z.string().min(1),
  /** A part of the claim's text that stands in no other claim of the article. */
  claim: z.string().min(1),
  /** URLs of its citations, in order; [] where it has none, or none with a URL. */
  cites: z.array(z.string()),
  /** The sample edit that brings it about; null: it is there from the start. */
  from: EditName.nullable().default(null),
  /** The sample edit that ends it; null: it stays. */
  until: EditName.nullable().default(null),
  expect: Expectation,
});
export type Case = z.infer<typeof Case>;

/** Reads and checks cases.json; its addresses are on `port`. Throws ZodError where it does not parse. */
export async function loadCases(port: number = SAMPLE_PORT): Promise<Case[]> {
  const text = await readFile(join(SAMPLE_DIR, 'cases.json'), 'utf8');
  return z.array(Case).parse(JSON.parse(onPort(text, port)));
}
