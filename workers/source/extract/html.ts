/**
 * HTML → what the page says of itself, marks and the main text, one block a line; or a coded reason. Never throws.
 */
import { type Failure, unavailable } from '../fetch.ts';
import { parseDocument } from './dom.ts';
import { readMainText } from './main-text.ts';
import { type Marks, readMarks } from './marks.ts';
import { type Metadata, readMetadata } from './metadata.ts';
import { readThings } from './structured.ts';

export interface Extracted extends Metadata {
  type: 'html' | 'pdf' | 'text';
  /** '' if there is none. */
  text: string;
  marks: Marks;
  /** Of a PDF: the character of `text` at which each page begins, and what the document calls it, '' for none. */
  pages?: PageStart[];
}

export interface PageStart {
  start: number;
  label: string;
}

/** What `text` has: the article's body alone, or below it the captions of its pictures as well. */
export type Parts = 'body' | 'body and captions';

export function extractHtml(html: string, parts: Parts = 'body and captions'): Extracted | Failure {
  const pieces = html.split(/[<&]/, MAX_PIECES + 1).length;
  if (pieces > MAX_PIECES) return unavailable('too_large', `more than ${MAX_PIECES} tags and entities`);
  const document = parseDocument(html);
  const marks = readMarks(document);
  const things = readThings(document);
  const metadata = readMetadata(document, things);
  const { body, captions } = readMainText(document, metadata.title, things);
  const lines = parts === 'body' ? body : [...body, ...captions];
  return { type: 'html', ...metadata, text: lines.join('\n'), marks };
}

/** Tags and entities: the parser's time grows faster than their number where they are nested. */
const MAX_PIECES = 150_000;
