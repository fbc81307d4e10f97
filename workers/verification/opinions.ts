/** A claim beside texts → what the cross-encoder says of each, as logits. Ranks and calibrates nothing. */
import type { Passage } from '../../shared/citation.ts';
import type { ReadClaim } from './claim.ts';
import type { CrossEncoder } from './cross-encoder.ts';
import type { Opinion } from './features.ts';

/** In the order of the texts, each as `writeText` has it. Throws ModelFailure. */
export async function askOpinions(
  crossEncoder: Pick<CrossEncoder, 'score'>,
  { written }: ReadClaim,
  texts: readonly string[],
): Promise<Opinion[]> {
  const logits = await crossEncoder.score(texts.map((text) => ({ claim: written, text })));
  return texts.map((_, at) => opinionAt(logits, at));
}

/** As training/train_cross_encoder.py writes it. */
export function writeText({ title, text }: Pick<Passage, 'title' | 'text'>): string {
  return title === '' ? text : `${title} | ${text}`;
}

function opinionAt(logits: Float32Array, at: number): Opinion {
  const [supported = Number.NaN, partly = Number.NaN, contradicted = Number.NaN] = logits.subarray(3 * at, 3 * at + 3);
  return { supported, partly, contradicted };
}
