/**
 * PDF → its text layer, one paragraph a line. In: bytes. Out: title, language, text; or a coded reason: a scan has no text
 * layer and is not recognised here.
 */
import { getDocumentProxy } from 'unpdf';
import { type Failure, unavailable } from '../fetch.ts';
import { squeeze } from './blocks.ts';
import type { Extracted } from './html.ts';
import { NO_MARKS } from './marks.ts';

export async function extractPdf(body: Buffer): Promise<Extracted | Failure> {
  try {
    // the parser takes its bytes away from the caller: it gets a copy
    const pdf = await getDocumentProxy(new Uint8Array(body), { verbosity: 0, isEvalSupported: false });
    try {
      return await readPdf(pdf);
    } finally {
      await pdf.destroy();
    }
  } catch (error) {
    return unavailable(
      'unsupported_type',
      `PDF: ${typeof error === 'object' && error !== null && 'name' in error ? error.name : 'error'}`,
    );
  }
}

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

async function readPdf(pdf: Pdf): Promise<Extracted | Failure> {
  if (pdf.numPages > MAX_PAGES) return unavailable('too_large', `${pdf.numPages} pages`);
  const lines: PageLine[] = [];
  for (let page = 1; page <= pdf.numPages; page += 1)
    lines.push(...(await readLines(pdf, page)).map((line) => ({ ...line, page })));
  const { text, startOf } = paragraphs(lines);
  if (text.length < MIN_CHARACTERS * Math.max(pdf.numPages, 1))
    return unavailable('scanned_pdf', `${pdf.numPages} pages`);
  const labels = (await pdf.getPageLabels()) ?? [];
  const pages = listPages(pdf.numPages, startOf, text.length).map((start, at) => ({
    start,
    label: (labels[at] ?? '').slice(0, MAX_LABEL),
  }));
  return { type: 'pdf', text, pages, marks: NO_MARKS, ...(await readMetadata(pdf)) };
}

/** A page without text begins where the next one does. */
function listPages(count: number, startOf: ReadonlyMap<number, number>, end: number): number[] {
  const starts: number[] = [];
  for (let page = count, next = end; page >= 1; page -= 1) {
    next = startOf.get(page) ?? next;
    starts.unshift(next);
  }
  return starts;
}

async function readMetadata(pdf: Pdf): Promise<{ title: string; language: string }> {
  const { info } = await pdf.getMetadata();
  // pdf.js types it as Object; both fields are strings where a document has them
  const { Title = '', Language = '' } = info as { Title?: string; Language?: string | null };
  return { title: Title.trim(), language: Language ?? '' };
}

interface Line {
  text: string;
  /** Height of the base line above the page's foot, in points; it falls from line to line of a column. */
  y: number;
  /** Of the type, in points. */
  size: number;
}

/** pdf.js ends a line by a flag on its last item, or by an empty item that already has the place of the next line. */
async function readLines(pdf: Pdf, number: number): Promise<Line[]> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  const lines: Line[] = [];
  let line = EMPTY;
  for (const item of items) {
    if (!('str' in item)) continue;
    const at = line.text.trim() === '' ? { y: item.transform[5], size: item.height } : { y: line.y, size: line.size };
    line = { text: line.text + item.str, ...at };
    if (!item.hasEOL) continue;
    lines.push(line);
    line = EMPTY;
  }
  page.cleanup();
  return [...lines, line].map((each) => ({ ...each, text: squeeze(each.text) })).filter(({ text }) => text !== '');
}

interface PageLine extends Line {
  /** From 1. */
  page: number;
}

/**
 * A gap that is wide for the type parts paragraphs; so does a new column or page, unless a sentence runs on
 * across it. `startOf`: the character at which the first line of each page stands.
 */
function paragraphs(lines: readonly PageLine[]): { text: string; startOf: Map<number, number> } {
  const gaps = lines.map((line, index) => ((lines[index - 1]?.y ?? line.y) - line.y) / (line.size || 1));
  const usual = median(gaps.filter((gap) => gap > 0));
  const words = new Set(lines.flatMap((line) => line.text.toLowerCase().match(HYPHENATED) ?? []));
  const found: string[] = [];
  const startOf = new Map<number, number>();
  let length = 0;
  lines.forEach((line, index) => {
    const gap = gaps[index] ?? 0;
    const last = found.at(-1);
    const parts = gap > 0 ? gap > usual * PARAGRAPH_GAP : gap < 0 && SENTENCE_END.test(last ?? '');
    if (last === undefined || parts) found.push(line.text);
    else found[found.length - 1] = joinLines(last, line.text, words);
    if (last !== undefined && parts) length += last.length + 1;
    const start = length + (found.at(-1)?.length ?? 0) - line.text.length;
    if (!startOf.has(line.page)) startOf.set(line.page, start);
  });
  return { text: found.join('\n'), startOf };
}

/** A hyphen at a line's end goes, unless the document writes the word with it elsewhere or it stands before a capital. */
function joinLines(before: string, after: string, words: ReadonlySet<string>): string {
  const [head, tail] = [/[\p{L}]+-$/u.exec(before)?.[0], /^\p{Ll}+/u.exec(after)?.[0]];
  if (head === undefined || tail === undefined) return before.endsWith('-') ? before + after : `${before} ${after}`;
  return words.has(`${head}${tail}`.toLowerCase()) ? before + after : before.slice(0, -1) + after;
}

/** The lower one of two in the middle: a few wide gaps are no line spacing. */
function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)] ?? 0;
}

const EMPTY: Line = { text: '', y: 0, size: 0 };
const MAX_PAGES = 500;
/** Characters, as a stored source has them. */
const MAX_LABEL = 50;
/** A page on average: scans carry a stamp or a page number at most. */
const MIN_CHARACTERS = 20;
const PARAGRAPH_GAP = 1.4;
const SENTENCE_END = /[.!?:"”’)\]]$/;
const HYPHENATED = /\p{L}+-\p{L}+/gu;
