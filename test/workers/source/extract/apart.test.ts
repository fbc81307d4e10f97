/** Texts told in processes of their own, as the workers have it. */
import { readMetrics } from '../../../../shared/metrics.ts';
import { openExtractApart } from '../../../../workers/source/extract/apart.ts';
import { extract as extractHere } from '../../../../workers/source/extract/extract.ts';
import { articlePage, pdf } from '../pages.ts';

let apart: ReturnType<typeof openExtractApart>;
afterEach(() => apart.close());

test.each([
  ['a page', Buffer.from(articlePage), 'text/html; charset=utf-8'],
  [
    'a PDF',
    pdf([['The mill closed in 1931, after a flood.', 'It was sold to the town in the same year.']]),
    'application/pdf',
  ],
  ['what is no text', Buffer.from([0xff, 0xd8, 0xff]), 'image/jpeg'],
])('%s is read in a process as it is here', async (_what, body, contentType) => {
  apart = openExtractApart();
  expect(await apart.extract(body, contentType)).toEqual(await extractHere(body, contentType));
});

test('a page that takes too long is too large and counted, and the next one is read', async () => {
  apart = openExtractApart({ deadlineMs: 1 });
  const slow = Buffer.from(`<article>${'<p>One more paragraph of many words.</p>'.repeat(20_000)}</article>`);
  expect(await apart.extract(slow, 'text/html')).toMatchObject({ kind: 'unavailable', reason: 'too_large' });
  expect((await readMetrics()).text).toContain('sidelight_parser_kills_total{reason="time"} 1');
});
