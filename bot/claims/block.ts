/** What a block of a page is: its text, and the marks in it. Only types: who reads them is in blocks.ts and rows.ts. */
import type { Claim } from '../../shared/citation.ts';
import type { Element } from './document.ts';
import type { UnpairedReason } from './extraction.ts';

export type Trigger = NonNullable<Claim['trigger']>;

/** A use of a reference; or a bare external link, which is one without saying so. */
export interface CitationMark {
  kind: 'reference' | 'link';
  offset: number;
  element: Element;
  /** Pages that a template behind the marker names. */
  pages?: string;
  /** An editor says that it is not to be checked. */
  ignored?: true;
}

export type Mark = CitationMark | { kind: 'trigger'; offset: number; trigger: Trigger };

/** Text between two block boundaries, whitespace normalised. */
export interface Run {
  text: string;
  marks: Mark[];
}

export interface Block extends Run {
  kind: Claim['kind'];
  /** Headings from the outermost to the innermost. */
  section: string[];
  /** What introduces the block: the line before a list, a table's caption, an infobox's heading; '' for none. */
  lead: string;
  /** The whole text is one claim, also what stands after the marker. */
  isStatement: boolean;
  /** Why references here stand behind no claim. */
  exclusion: UnpairedReason | null;
}
