/**
 * A claim and one passage → what a person is shown of it: a chance of support, what it gives otherwise, which details stand in it,
 * and a quote. A page is judged by this passage alone, so that a search answers within a second; `verify` reads all of it.
 */
import type { Mismatch } from '../../shared/citation.ts';
import type { Row } from '../../shared/found.ts';
import type { CorpusPassage } from '../retrieval/corpus/store.ts';
import { chanceOfSupport, measureSupport } from '../suggestion/support.ts';
import { findMismatches } from '../verification/checks/mismatches.ts';
import type { ReadClaim } from '../verification/claim.ts';
import { quoteEvidence } from '../verification/evidence.ts';
import type { Opinion } from '../verification/features.ts';
import { type ReadPage, readPage, select } from '../verification/select.ts';
import { SUPPORTED_DESPITE_MISMATCH } from '../verification/verifier.ts';
import { type ClaimDetail, lookUp } from './details.ts';

export interface Assessed {
  passage: CorpusPassage;
  opinion: Opinion;
  /** P(supported) by this passage alone. */
  support: number;
  /** Of a passage that deals with what the claim is about: elsewhere a detail that differs says nothing. */
  mismatches: Mismatch[];
  read: ReadPage;
}

export function assess(claim: ReadClaim, passage: CorpusPassage, opinion: Opinion): Assessed {
  const read = readPage(passage);
  const isNear = Math.max(opinion.partly, opinion.contradicted) >= NEAR;
  const mismatches = isNear ? findMismatches(claim.said, [passage]) : [];
  const chance = chanceOfSupport(measureSupport(claim, opinion, read.terms));
  const support = mismatches.length === 0 ? chance : Math.min(chance, SUPPORTED_DESPITE_MISMATCH);
  return { passage, opinion, support, mismatches, read };
}

/** What is shown costs more than what is ranked: only of the passages that are shown. Null for a passage without a sentence. */
export function toRow(claim: ReadClaim, details: readonly ClaimDetail[], assessed: Assessed): Row | null {
  const { passage, opinion, mismatches, read } = assessed;
  const evidence = quoteEvidence(claim, select(claim.terms, [read]), { passages: [opinion], digest: null });
  if (evidence === null) return null;
  const { url, title, domain, text, publishedAt, crawledAt } = passage;
  const place = { start: passage.start + evidence.start, end: passage.start + evidence.end };
  return {
    ...{ url, title, domain, quote: evidence.quote, ...place, passage: text },
    support: assessed.support,
    ...lookUp(details, passage),
    mismatches,
    ...{ publishedAt, crawledAt },
  };
}

/** Logit: below it the cross-encoder sees neither a part of the claim nor its opposite (deploy/decisions/find.md). */
const NEAR = 0;
