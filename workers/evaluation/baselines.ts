/**
 * What a verifier has to beat: rankings that need no judgement of the claim. In: a labelled pair. Out: one number for each
 * baseline, of which more is taken for more support, always; none is fitted to labels.
 */

import { parseUrl } from '../../shared/url.ts';
import { cosine } from '../verification/cosine.ts';
import type { Encoder } from '../verification/encoder.ts';
import { splitPassages } from '../verification/passages.ts';
import { containment, findTerms } from '../verification/terms.ts';
import type { LabelledPair } from './pairs.ts';

export type Baseline = 'document_length' | 'url_depth' | 'lexical' | 'cosine';
export type BaselineScores = Record<Baseline, number>;

/**
 * Document length: words of all sources together. URL depth: segments of the longest path. Lexical: share of the claim's
 * content words in the best passage, 0 to 1. Cosine: of claim and best passage by MiniLM, −1 to 1; −1 where there is none.
 */
export async function scoreBaselines(encoder: Encoder, pair: LabelledPair): Promise<BaselineScores> {
  const { claim, sources } = pair;
  const passages = sources.flatMap(splitPassages).map(({ text }) => text);
  return {
    document_length: sources.reduce((sum, { text }) => sum + (text.match(/\S+/g)?.length ?? 0), 0),
    url_depth: Math.max(...sources.map(({ url }) => urlDepth(url))),
    lexical: lexicalOverlap(claim.text, passages),
    cosine: await highestCosine(encoder, claim.text, passages),
  };
}

/** `https://host/a/b` is 2, `https://host/` 0; so is what is no URL. */
export function urlDepth(url: string): number {
  const path = parseUrl(url)?.pathname ?? '';
  return path.split('/').filter((segment) => segment !== '').length;
}

function lexicalOverlap(claim: string, passages: readonly string[]): number {
  const { words } = findTerms(claim);
  return Math.max(0, ...passages.map((passage) => containment(words, findTerms(passage).words, 0)));
}

/** One passage a run: an embedding must not depend on its neighbours (encoder.ts). */
async function highestCosine(encoder: Encoder, claim: string, passages: readonly string[]): Promise<number> {
  const embedding = await encoder.encode([claim]);
  let highest = -1;
  for (const passage of passages) highest = Math.max(highest, cosine(embedding, await encoder.encode([passage])));
  return highest;
}
