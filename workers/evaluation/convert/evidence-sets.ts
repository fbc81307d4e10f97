/** Sets of page keys, each of which is enough evidence → the pages of the first set that is there as a whole. */
import type { Pages, SourcePage } from './format.ts';

/** Each page once. Null where every set lacks a page or is empty. */
export function firstWholeSet(sets: readonly (readonly string[])[], pages: Pages): SourcePage[] | null {
  const whole = sets.find((keys) => keys.length > 0 && keys.every((key) => (pages.get(key)?.text ?? '') !== ''));
  return whole === undefined ? null : [...new Set(whole)].flatMap((key) => pages.get(key) ?? []);
}
