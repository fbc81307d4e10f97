/** A claim of FEVER or FEVEROUS with its sets of pages, each of which is enough evidence → a pair with the first whole set. */
import type { LabelledPair } from '../pairs.ts';
import { type Pages, type SourcePage, wikipediaUrl } from './format.ts';

interface Evidenced {
  id: string | number;
  claim: string;
  label: string;
}

/** Null where no set of pages is there as a whole. `sets`: keys of pages. */
export function toPair(
  { id, claim, label }: Evidenced,
  sets: readonly (readonly string[])[],
  pages: Pages,
): LabelledPair | null {
  const found = firstWholeSet(sets, pages);
  if (found === null) return null;
  return {
    id: String(id),
    claim: { text: claim, title: '', section: [], context: '' },
    sources: found.map(({ title, text }) => ({ url: wikipediaUrl(title), title, text })),
    label: label === 'SUPPORTS' ? 'supported' : 'not_supported',
    article: found[0]?.title,
    kind: label,
  };
}

/** Each page once. Null where every set lacks a page or is empty. */
function firstWholeSet(sets: readonly (readonly string[])[], pages: Pages): SourcePage[] | null {
  const whole = sets.find((keys) => keys.length > 0 && keys.every((key) => (pages.get(key)?.text ?? '') !== ''));
  return whole === undefined ? null : [...new Set(whole)].flatMap((key) => pages.get(key) ?? []);
}
