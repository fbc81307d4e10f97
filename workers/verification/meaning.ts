/**
 * A claim and the sentences that share most with it → how near they are in meaning, by the encoder: what other words say. Few,
 * short texts are encoded, so that it costs a fraction of what the cross-encoder does.
 */

import type { ReadClaim } from './claim.ts';
import { cosine } from './cosine.ts';
import type { Encoder } from './encoder.ts';
import { type ReadSentence, type Selection, shareTerms, textOf } from './select.ts';

/** Few, since each is a run of the encoder. */
const SENTENCES = 8;
const MAX_CLAUSES = 6;

/** Cosines, -1 to 1; 0 where there is nothing to compare. */
export interface Meaning {
  /** Of the claim and the nearest sentence. */
  sentenceCosine: number;
  /** Of each clause and the sentence nearest to it, on average. */
  clauseCosine: number;
  /** The least of these. */
  weakestClauseCosine: number;
}

export type Embed = (text: string) => Promise<Float32Array>;

/** Encodes the same text once. */
export function rememberEmbeddings(encoder: Encoder): Embed {
  const known = new Map<string, Float32Array>();
  return async (text) => {
    const embedding = known.get(text) ?? (await encoder.encode([text]));
    known.set(text, embedding);
    return embedding;
  };
}

export async function compareMeaning(claim: ReadClaim, { sentences }: Selection, embed: Embed): Promise<Meaning> {
  const near: Float32Array[] = [];
  for (const sentence of mostShared(claim, sentences)) near.push(await embed(textOf(sentence)));
  if (near.length === 0) return { sentenceCosine: 0, clauseCosine: 0, weakestClauseCosine: 0 };
  const nearest = async (text: string) => {
    const embedding = await embed(text);
    return Math.max(...near.map((sentence) => cosine(embedding, sentence)));
  };
  const clauses: number[] = [];
  for (const { text } of claim.clauses.slice(0, MAX_CLAUSES)) clauses.push(await nearest(text));
  return {
    sentenceCosine: await nearest(claim.text),
    clauseCosine: clauses.reduce((sum, cosine) => sum + cosine, 0) / Math.max(1, clauses.length),
    weakestClauseCosine: clauses.length === 0 ? 0 : Math.min(...clauses),
  };
}

function mostShared(claim: ReadClaim, sentences: readonly ReadSentence[]): ReadSentence[] {
  return sentences
    .map((sentence) => ({ sentence, shared: shareTerms(claim.terms, sentence.terms) }))
    .sort((a, b) => b.shared - a.shared)
    .slice(0, SENTENCES)
    .map(({ sentence }) => sentence);
}
