/**
 * Claims that read out a row of a table or infobox ("Header: cell; Header: cell") and so stand nowhere as such. In: the row's
 * words up to a marker. Out: whether the claim reads that row.
 */
import type { Claim } from '../shared/citation.ts';
import { endsAs, type Word, words } from './words.ts';

/**
 * `cells`: up to the marker's own, which is the last and ends at the marker. The claim has its words just before the marker,
 * and speaks of what the row is about, its first cell; of all cells, where the marker stands in a cell by itself.
 */
export function readsRow(claim: Pick<Claim, 'text' | 'markerOffset'>, cells: readonly Word[][]): boolean {
  const spoken = words(claim.text);
  const isSpoken = (cell: Word[]) => cell.every((word) => word === null || spoken.indexOf(word) >= 0);
  const full = cells.filter((cell) => cell.length > 0);
  const own = (cells[cells.length - 1] || []).filter((word) => word !== null).join(' ');
  if (own === '') return full.length > 0 && full.every(isSpoken);
  return full.slice(0, 1).every(isSpoken) && endsAs(words(claim.text.slice(0, claim.markerOffset)), own) === 1;
}
