/** A claim and the pages that it cites → score, verdict, evidence. The engine behind every verdict; fetches and stores nothing. */
import { join } from 'node:path';
import type { Evidence, Mismatch, Passage } from '../../shared/citation.ts';
import { RefuseToStart } from '../../shared/errors.ts';
import { readModelJson } from '../models/manifest.ts';
import { findMismatches } from './checks/mismatches.ts';
import { nameOfPage } from './cited-pages.ts';
import { type ClaimText, type ReadClaim, readClaim } from './claim.ts';
import { type CrossEncoder, loadCrossEncoder } from './cross-encoder.ts';
import { digest } from './digest.ts';
import { type Encoder, loadEncoder } from './encoder.ts';
import { quoteEvidence } from './evidence.ts';
import { type Features, measure, type Opinion, type Opinions } from './features.ts';
import type { Judgement } from './judgement.ts';
import { compareMeaning, type Embed, rememberEmbeddings } from './meaning.ts';
import { findMissing } from './missing.ts';
import { askOpinions, writeText } from './opinions.ts';
import type { Page } from './passages.ts';
import { type Scores, score, Weights } from './scorer.ts';
import { type ReadPage, type ReadPassage, readPage, type Selection, select } from './select.ts';
import { whyUncheckable } from './uncheckable.ts';
import { decide } from './verdict.ts';

export type { ClaimText } from './claim.ts';
export type { Judgement } from './judgement.ts';

export interface Verifier {
  /** Stored with every score: scores of different versions don't compare. */
  version: string;
  /** A claim that scores lower is low-scoring. From a precision curve (MODEL_CARD.md, "Thresholds"). */
  threshold: number;
  /** At least one page. Deterministic. Throws ModelFailure where the model gives no numbers. */
  verify(claim: ClaimText, pages: readonly Page[]): Promise<Judgement>;
}

/** From `<modelsDir>`; models that are loaded are not loaded twice. Throws RefuseToStart for missing or damaged files, or weights that belong to other models. */
export async function loadVerifier(modelsDir: string, loaded?: Models): Promise<Verifier> {
  const models = loaded ?? (await loadModels(modelsDir));
  const path = join(modelsDir, 'verifier', 'weights.json');
  const weights = await readModelJson(path, Weights);
  const trained = [weights.crossEncoder, weights.encoder].join(' and ');
  const found = [models.crossEncoder.version, models.encoder.version].join(' and ');
  if (trained !== found) throw new RefuseToStart(`${path} was trained with ${trained}, not ${found}: train it anew.`);
  return {
    version: weights.version,
    threshold: weights.thresholds.supported,
    verify: (claim, pages) => verify({ weights, models }, claim, pages),
  };
}

export interface Models {
  crossEncoder: CrossEncoder;
  encoder: Encoder;
}

export async function loadModels(modelsDir: string): Promise<Models> {
  return { crossEncoder: await loadCrossEncoder(modelsDir), encoder: await loadEncoder(modelsDir) };
}

/** The features of a claim beside its pages together, for training. */
export async function explain(models: Models, claim: ClaimText, pages: readonly Page[]): Promise<Features> {
  const read = readClaim(claim);
  return (await look(read, pages.map(readPage), askOnce(models, read))).features;
}

async function verify(
  { weights, models }: { weights: Weights; models: Models },
  claim: ClaimText,
  pages: readonly Page[],
): Promise<Judgement> {
  const read = readClaim(claim);
  const ask = askOnce(models, read);
  const readPages = pages.map(readPage);
  const alone: Assessed[] = [];
  for (const page of readPages) alone.push(await assess(weights, read, [page], ask));
  const together = readPages.length > 1 ? [await assess(weights, read, readPages, ask)] : [];
  const best = [...together, ...alone].reduce((a, b) => (b.supported > a.supported ? b : a));
  const perSource = pages.map(({ url }, at) => ({ url, score: alone[at]?.supported ?? 0 }));
  return { ...conclude(weights, read, best, pages), perSource };
}

interface Look {
  selection: Selection;
  opinions: Opinions;
  features: Features;
}

interface Assessed extends Scores, Look {
  mismatches: Mismatch[];
}

async function assess(weights: Weights, claim: ReadClaim, pages: readonly ReadPage[], ask: Ask): Promise<Assessed> {
  const looked = await look(claim, pages, ask);
  const scores = score(weights, looked.features);
  const mismatches = findMismatches(claim.said, passagesOf(looked.selection));
  const supported = mismatches.length === 0 ? scores.supported : Math.min(scores.supported, SUPPORTED_DESPITE_MISMATCH);
  return { ...looked, ...scores, supported, mismatches };
}

/** The share of mismatches that are false alarms: MODEL_CARD.md, "Checks". The features can't tell 1,850 from 1,580. */
export const SUPPORTED_DESPITE_MISMATCH = 0.13;

function passagesOf({ passages }: Selection): Passage[] {
  return passages.map(({ passage }) => passage);
}

async function look(claim: ReadClaim, pages: readonly ReadPage[], ask: Ask): Promise<Look> {
  const selection = select(claim.terms, pages);
  const digested = digest(claim.terms, selection.sentences);
  const texts = selection.passages.map((read) => writeText(withHead(read)));
  const title = selection.passages[0]?.passage.title ?? '';
  const said = await ask.opinions(digested === '' ? texts : [...texts, writeText({ title, text: digested })]);
  const opinions = { passages: said.slice(0, texts.length), digest: said[texts.length] ?? null };
  const meaning = await compareMeaning(claim, selection, ask.embed);
  return { selection, opinions, features: measure(claim, selection, opinions, meaning) };
}

/** A list is read with what introduces it. */
function withHead({ passage, head }: ReadPassage): Passage {
  return head === '' ? passage : { ...passage, text: `${head} ${passage.text}` };
}

interface Ask {
  opinions: (texts: readonly string[]) => Promise<Opinion[]>;
  embed: Embed;
}

/** Pages alone and together share most of their texts: the models read each once. */
function askOnce({ crossEncoder, encoder }: Models, claim: ReadClaim): Ask {
  return { opinions: rememberOpinions(crossEncoder, claim), embed: rememberEmbeddings(encoder) };
}

function rememberOpinions(crossEncoder: CrossEncoder, claim: ReadClaim): Ask['opinions'] {
  const known = new Map<string, Opinion>();
  return async (texts) => {
    const asked = [...new Set(texts)].filter((text) => !known.has(text));
    const said = await askOpinions(crossEncoder, claim, asked);
    for (const [at, opinion] of said.entries()) known.set(asked[at] ?? '', opinion);
    return texts.flatMap((text) => known.get(text) ?? []);
  };
}

function conclude(
  { thresholds }: Weights,
  claim: ReadClaim,
  best: Assessed,
  pages: readonly Page[],
): Omit<Judgement, 'perSource'> {
  const { selection, opinions, features, mismatches, supported, failed } = best;
  const uncheckable = whyUncheckable(claim.said);
  const verdict = decide(thresholds, best, uncheckable);
  return {
    score: supported,
    failed,
    verdict,
    evidence: onPage(quoteEvidence(claim, selection, opinions), pages),
    missing: verdict === 'supported' ? [] : findMissing(claim.said, selection.passages.map(withHead)),
    mismatches: verdict === 'supported' ? [] : mismatches,
    uncheckable: verdict === 'uncheckable' ? uncheckable : null,
    features,
  };
}

function onPage(evidence: Evidence | null, pages: readonly Page[]): Evidence | null {
  const source = pages.find(
    ({ url, text }) => url === evidence?.url && text.startsWith(evidence.quote, evidence.start),
  );
  const page = evidence === null || source === undefined ? null : nameOfPage(source, evidence.start);
  return evidence === null || page === null ? evidence : { ...evidence, page };
}
