/** Readability.js as it comes, for comparison. In: a page's bytes. Out: its text. */
import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { decodePage } from '../../source/extract/charset.ts';

/** '' where it finds nothing or gives up. */
export function readWithReadability(body: Buffer): string {
  try {
    const { document } = parseHTML(decodePage(body, 'text/html'));
    return new Readability(document).parse()?.textContent ?? '';
  } catch {
    return '';
  }
}
