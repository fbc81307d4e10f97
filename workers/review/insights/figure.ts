/** What one figure of the insights shows: a table that downloads as CSV, and is drawn. Only types. */

export type Cell = string | number | null;

export interface Figure {
  /** Of its address: `/insights/<id>.svg`, `/insights/<id>.csv`. */
  id: FigureId;
  title: string;
  /** What it says and what it does not. */
  note: string;
  columns: readonly string[];
  rows: readonly (readonly Cell[])[];
}

export const FIGURES = ['precision', 'decisions', 'projects', 'funnel', 'unread', 'hosts', 'models'] as const;
export type FigureId = (typeof FIGURES)[number];
