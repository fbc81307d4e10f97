/** What the encoder is given for a claim and for a passage, as measured in workers/models/MODEL_CARD.md, "Bi-encoder". */
import type { Claim, Passage } from '../../../shared/citation.ts';

/** The part of an encoder that retrieval needs: texts → Float32Array, n × dimensions, row by row, L2-normalised. */
export interface PassageEncoder {
  version: string;
  dimensions: number;
  encode(texts: readonly string[]): Promise<Float32Array>;
}

/** 1 × dimensions. The claim first: so the tuned encoder finds more than with the article's title first. */
export function encodeClaim(encoder: PassageEncoder, claim: Pick<Claim, 'text' | 'title'>): Promise<Float32Array> {
  return encoder.encode([claim.title === '' ? claim.text : `${claim.text}. ${claim.title}`]);
}

/** n × dimensions. The page's title stands before the text, as Sphere's passages have it. */
export function encodePassages(
  encoder: PassageEncoder,
  passages: Pick<Passage, 'title' | 'text'>[],
): Promise<Float32Array> {
  return encoder.encode(passages.map(({ title, text }) => (title === '' ? text : `${title}. ${text}`)));
}
