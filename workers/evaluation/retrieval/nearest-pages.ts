/** Pages → for each the pages whose words are most like its own, by cosine of TF-IDF. Word statistics only, no model. */

import { splitWords } from '../../retrieval/sparse/query.ts';
import type { Page } from '../../verification/passages.ts';

/** Positions of up to `count` others for each page, nearest first. */
export function nearestPages(pages: readonly Pick<Page, 'text'>[], count = 20): number[][] {
  const vectors = toVectors(pages.map(({ text }) => splitWords(text)));
  const postings = new Map<string, [page: number, weight: number][]>();
  for (const [page, vector] of vectors.entries()) {
    for (const [word, weight] of vector) {
      const posting = postings.get(word);
      if (posting === undefined) postings.set(word, [[page, weight]]);
      else posting.push([page, weight]);
    }
  }
  return vectors.map((vector, own) => {
    const scores = new Float64Array(pages.length);
    for (const [word, weight] of vector) {
      for (const [page, other] of postings.get(word) ?? []) scores[page] = (scores[page] ?? 0) + weight * other;
    }
    const others = [...scores.keys()].filter((page) => page !== own);
    return others.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0)).slice(0, count);
  });
}

/** Of length 1; the words that tell a page apart, at most `HEAVIEST`. */
function toVectors(texts: readonly string[][]): Map<string, number>[] {
  const frequencies = new Map<string, number>();
  for (const text of texts) for (const word of new Set(text)) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
  return texts.map((text) => {
    const counts = new Map<string, number>();
    for (const word of text) counts.set(word, (counts.get(word) ?? 0) + 1);
    const weighed = [...counts].map(
      ([word, n]) => [word, (1 + Math.log(n)) * Math.log(texts.length / (frequencies.get(word) ?? 1))] as const,
    );
    const heaviest = weighed.sort(([, a], [, b]) => b - a).slice(0, HEAVIEST);
    const length = Math.hypot(...heaviest.map(([, weight]) => weight)) || 1;
    return new Map(heaviest.map(([word, weight]) => [word, weight / length]));
  });
}

/** Words of a page. */
const HEAVIEST = 200;
