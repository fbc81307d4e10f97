/** How near two texts are in meaning: the cosine of their embeddings. */

/** Of L2-normalised vectors of one length: -1 to 1. */
export function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}
