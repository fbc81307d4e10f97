/** Texts told in threads, as the workers have it: the compiled thread. */
import { pathToFileURL } from 'node:url';
import { repositoryRoot } from '../../../../shared/root.ts';
import { extract as extractHere } from '../../../../workers/source/extract/extract.ts';
import { openThreadedExtract } from '../../../../workers/source/extract/threaded.ts';
import { articlePage, pdf } from '../pages.ts';

const thread = pathToFileURL(`${repositoryRoot()}/.build/workers/source/extract/thread.js`);
let threaded: ReturnType<typeof openThreadedExtract>;
afterEach(() => threaded.close());

test.each([
  ['a page', Buffer.from(articlePage), 'text/html; charset=utf-8'],
  [
    'a PDF',
    pdf([['The mill closed in 1931, after a flood.', 'It was sold to the town in the same year.']]),
    'application/pdf',
  ],
  ['what is no text', Buffer.from([0xff, 0xd8, 0xff]), 'image/jpeg'],
])('%s is read in a thread as it is here', async (_what, body, contentType) => {
  threaded = openThreadedExtract(thread);
  expect(await threaded.extract(body, contentType)).toEqual(await extractHere(body, contentType));
});

test('a page that takes too long is too large, and the next one is read', async () => {
  threaded = openThreadedExtract(thread, 1);
  const slow = Buffer.from(`<article>${'<p>One more paragraph of many words.</p>'.repeat(20_000)}</article>`);
  expect(await threaded.extract(slow, 'text/html')).toMatchObject({ kind: 'unavailable', reason: 'too_large' });
});
