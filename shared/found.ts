/** What a search for evidence gives: rows in three columns, a verdict, and how much of the corpus answered. Only schemas. */
import { z } from 'zod';
import { Mismatch, SearchCoverage, Span } from './citation.ts';

export const Detail = Span.extend({
  kind: z.enum(['name', 'date', 'number']),
  /** As the claim has it. */
  text: z.string().min(1),
});
export type Detail = z.infer<typeof Detail>;

/** The best passage of one page. */
export const Row = z.object({
  url: z.string(),
  title: z.string(),
  /** Host name without `www.`. */
  domain: z.string(),
  /** Verbatim, at most 50 words; offsets are characters in the page's text. */
  quote: z.string().min(1),
  ...Span.shape,
  /** The passage around the quote. */
  passage: z.string().min(1),
  /** P(supported) by this passage alone: `assess.ts`. */
  support: z.number().min(0).max(1),
  /** Which details of the claim stand in the passage or its page's title, and which don't. */
  found: z.array(Detail),
  absent: z.array(Detail),
  /** Details that the passage gives otherwise. */
  mismatches: z.array(Mismatch),
  /** Day that the page itself gives. */
  publishedAt: z.iso.date().nullable(),
  /** When the corpus got it. */
  crawledAt: z.iso.datetime().nullable(),
});
export type Row = z.infer<typeof Row>;

export const FoundVerdict = z.enum([
  'supported',
  'refuted',
  /** Some pages support it, others say otherwise. */
  'disputed',
  'not_enough',
  /** No part of the corpus answered: nothing is known. */
  'not_searched',
  /** Surely in a language in which the engine was not measured: nothing was searched. */
  'unsupported_language',
]);
export type FoundVerdict = z.infer<typeof FoundVerdict>;

const Column = z.array(Row).max(5);

export const Found = z.object({
  claim: z.string().min(1),
  verdict: FoundVerdict,
  /** Best first; one row a page, no two rows nearly the same. */
  supports: Column,
  refutes: Column,
  other: Column,
  /** No content word of the claim stands anywhere in the corpus: what was found is only near in meaning. */
  noWordKnown: z.boolean(),
  /** Name of the generation of the corpus; '' where there is no corpus yet. */
  generation: z.string(),
  searched: SearchCoverage,
});
export type Found = z.infer<typeof Found>;
