/** A page whose lines are evidence that can be named: what joins offsets in a page's text with sentence and cell ids. */
import type { Span } from '../../../shared/citation.ts';
import type { Page } from '../../verification/passages.ts';

/** A sentence or a cell: `id` as the format writes it, offsets where it stands. */
export interface Piece<E> extends Span {
  id: E;
}

/** A sentence, or a table row with its cells. A line without pieces (a heading) can't be evidence. */
export interface Line<E> {
  kind: 'sentence' | 'cells';
  text: string;
  /** Offsets in `text`. */
  pieces: Piece<E>[];
}

export interface Unit<E> extends Span {
  kind: Line<E>['kind'];
  /** Offsets in the page's text. */
  pieces: Piece<E>[];
}

export interface EvidencePage<E> extends Page {
  units: Unit<E>[];
}

/** One block a line, as the engine reads pages. */
export function joinLines<E>(page: { url: string; title: string }, lines: readonly Line<E>[]): EvidencePage<E> {
  const units: Unit<E>[] = [];
  let start = 0;
  for (const { kind, text, pieces } of lines) {
    const moved = pieces.map((piece) => ({ ...piece, start: piece.start + start, end: piece.end + start }));
    if (pieces.length > 0) units.push({ kind, start, end: start + text.length, pieces: moved });
    start += text.length + 1;
  }
  return { ...page, text: lines.map(({ text }) => text).join('\n'), units };
}

/** A line that is one piece. */
export function sentence<E>(id: E, text: string, kind: Line<E>['kind'] = 'sentence'): Line<E> {
  const flat = text.replace(/\s+/g, ' ').trim();
  return { kind, text: flat, pieces: flat === '' ? [] : [{ id, start: 0, end: flat.length }] };
}
