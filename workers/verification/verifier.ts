/** A claim and the pages that it cites → score, verdict, evidence. The engine behind every verdict; fetches and stores nothing. */
import { join } from 'node:path';
import type { Claim, Evidence } from '../../shared/citation.ts';
import { RefuseToStart } from '../../shared/errors.ts';
import { readModelJson } from '../models/manifest.ts';
import type { Encoder } from './encoder.ts';
import { quoteEvidence } from './evidence.ts';
import { type Features, measure } from './features.ts';
import {
  type Embed,
  findNearest,
  type ReadClaim,
  type ReadPage,
  readClaim,
  readPage,
  rememberEmbeddings,
} from './nearest.ts';
import type { Page } from './passages.ts';
import { type Scores, score, Weights } from './scorer.ts';

/** What the engine reads of a claim. */
export type ClaimText = Pick<Claim, 'text' | 'antecedent' | 'title' | 'section' | 'context'>;

export interface Judgement {
  /** Calibrated P(supported) by all pages, alone or together. */
  score: number;
  /** Calibrated P(not supported); the rest is P(partially supported). */
  notSupported: number;
  verdict: 'supported' | 'partially_supported' | 'not_supported';
  /** The nearest there is, also where nothing supports the claim; null where the pages have no sentence. */
  evidence: Evidence | null;
  /** P(supported) of each page alone, in their order. */
  perSource: { url: string; score: number }[];
}

export interface Verifier {
  /** Stored with every score: scores of different versions don't compare. */
  version: string;
  /** A claim that scores lower is low-scoring. From a precision curve (MODEL_CARD.md, "Thresholds"). */
  threshold: number;
  /** At least one page. Deterministic. Throws where the model fails. */
  verify(claim: ClaimText, pages: readonly Page[]): Promise<Judgement>;
}

/** From `<modelsDir>/verifier`. Throws RefuseToStart for missing or damaged weights, or weights of another encoder. */
export async function loadVerifier(modelsDir: string, encoder: Encoder): Promise<Verifier> {
  const path = join(modelsDir, 'verifier', 'weights.json');
  const weights = await readModelJson(path, Weights);
  if (weights.encoder !== encoder.version) {
    throw new RefuseToStart(
      `${path} was trained with encoder ${weights.encoder}, not ${encoder.version}: train it anew.`,
    );
  }
  return {
    version: weights.version,
    threshold: weights.thresholds.supported,
    verify: (claim, pages) => verify({ weights, encoder }, claim, pages),
  };
}

/** The features of a claim beside its pages, for training and for explaining a score. */
export async function explain(encoder: Encoder, claim: ClaimText, pages: readonly Page[]): Promise<Features> {
  const embed = rememberEmbeddings(encoder);
  const read = await readClaim(saidIn(claim), embed);
  return measure(read, await findNearest(read, pages.map(readPage), embed));
}

/** A pronoun is judged with what it stands for; what an editor put behind a marker of its own is no part of it. */
function saidIn({ antecedent, text }: ClaimText): string {
  return antecedent === undefined ? text : `${antecedent} ${text}`;
}

interface Assessed extends Scores {
  evidence: Evidence | null;
}

async function verify(
  { weights, encoder }: { weights: Weights; encoder: Encoder },
  claim: ClaimText,
  pages: readonly Page[],
): Promise<Judgement> {
  const embed = rememberEmbeddings(encoder);
  const read = await readClaim(saidIn(claim), embed);
  const readPages = pages.map(readPage);
  const alone: Assessed[] = [];
  for (const page of readPages) alone.push(await assess(weights, read, [page], embed));
  const together = readPages.length > 1 ? [await assess(weights, read, readPages, embed)] : [];
  const best = [...together, ...alone].reduce((a, b) => (b.supported > a.supported ? b : a));
  const perSource = pages.map(({ url }, at) => ({ url, score: alone[at]?.supported ?? 0 }));
  return {
    score: best.supported,
    notSupported: best.notSupported,
    verdict: decide(weights, best),
    evidence: best.evidence,
    perSource,
  };
}

async function assess(weights: Weights, claim: ReadClaim, pages: readonly ReadPage[], embed: Embed): Promise<Assessed> {
  const nearest = await findNearest(claim, pages, embed);
  return { ...score(weights, measure(claim, nearest)), evidence: quoteEvidence(claim, nearest) };
}

function decide({ thresholds }: Weights, { supported, notSupported }: Scores): Judgement['verdict'] {
  if (supported >= thresholds.supported) return 'supported';
  return notSupported >= thresholds.notSupported ? 'not_supported' : 'partially_supported';
}
