/** A response's body → text by its type. In: bytes and content type. Out: title, language, text, marks; or a coded reason. */
import { type Failure, unavailable } from '../fetch.ts';
import { plainLines } from './blocks.ts';
import { decodePage } from './charset.ts';
import { type Extracted, extractHtml, type Parts } from './html.ts';
import { NO_MARKS } from './marks.ts';
import { extractPdf } from './pdf.ts';

export type Extract = (body: Buffer, contentType: string) => Promise<Extracted | Failure>;

/** What the bytes show counts more than what the header says: servers send PDFs as anything. `parts` of HTML. */
export async function extract(body: Buffer, contentType: string, parts?: Parts): Promise<Extracted | Failure> {
  switch (typeOf(body, contentType)) {
    case 'pdf':
      return extractPdf(body);
    case 'html':
      return extractHtml(decodePage(body, contentType), parts);
    case 'text':
      return extractText(decodePage(body, contentType));
    case null:
      return unavailable('unsupported_type', contentType || 'no content type');
  }
}

function extractText(text: string): Extracted {
  return { type: 'text', title: '', language: '', text: plainLines(text).join('\n'), marks: NO_MARKS };
}

function typeOf(body: Buffer, contentType: string): Extracted['type'] | null {
  const start = body.subarray(0, 1024).toString('latin1');
  if (start.includes('%PDF-')) return 'pdf';
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (HTML_TYPES.has(type)) return 'html';
  if (TEXT_TYPES.has(type)) return 'text';
  return UNKNOWN_TYPES.has(type) && /<(!doctype\s+html|html|head|body)\b/i.test(start) ? 'html' : null;
}

const HTML_TYPES = new Set(['text/html', 'application/xhtml+xml']);
const TEXT_TYPES = new Set(['text/plain', 'text/markdown']);
const UNKNOWN_TYPES = new Set(['', 'application/octet-stream', 'text/xml', 'application/xml', 'unknown/unknown']);
