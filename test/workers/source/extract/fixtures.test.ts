/** Each folder of test/fixtures/extraction shows one thing that stands beside an article's text. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { extractHtml } from '../../../../workers/source/extract/html.ts';

const root = join(process.cwd(), 'test/fixtures/extraction');

test.each(readdirSync(root))('%s is told from the text', (name) => {
  const extracted = extractHtml(readFileSync(join(root, name, 'input.html'), 'utf8'), 'body');
  if ('kind' in extracted) throw new Error(extracted.reason);
  expect(`${extracted.text}\n`).toBe(readFileSync(join(root, name, 'expected.txt'), 'utf8'));
});
