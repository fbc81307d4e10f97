import { hashCitation } from '../../../shared/hash.ts';
import type { Context } from '../../../shared/pipeline.ts';
import { requeueName } from '../../../shared/requeue.ts';
import { createReader } from '../../../workers/source/read.ts';
import { createSources } from '../../../workers/source/sources.ts';
import { openSourceStore, type SourceStore } from '../../../workers/source/store.ts';
import { aCitation, aClaim } from '../../support/examples.ts';
import { startWeb, type Web } from '../../support/web.ts';
import { articlePage } from '../source/pages.ts';

let web: Web;
let store: SourceStore;
beforeEach(async () => {
  web = await startWeb({ '/ferry': articlePage });
  store = await openSourceStore(':memory:');
});
afterEach(async () => {
  await store.close();
  await web.close();
});

const context: Context = {
  gathered: { sources: [], retrieval: [], coverage: { shardsAsked: 0, shardsAnswered: 0, missing: [] } },
  signal: new AbortController().signal,
};

const began = new Date(Date.now() - 300_000);
const readAgain = requeueName(began, { readAgain: true });

test('a requeue that is about sources reads once what was read before it began; any other takes what is known', async () => {
  const { lookAt, readAt } = await ferry();
  expect(await lookAt(1)).toBe(1);
  await readAt(Date.now() - 600_000);
  expect(await lookAt(2, requeueName(began, { readAgain: false }))).toBe(1);
  expect(await lookAt(3, readAgain)).toBe(2);
  expect(await lookAt(4, readAgain)).toBe(2);
  expect(await lookAt(5)).toBe(2);
});

test('what a host with a wrong clock read at a time to come is read again, also by a requeue', async () => {
  const { lookAt, readAt } = await ferry();
  expect(await lookAt(1)).toBe(1);
  await readAt(Date.now() + 7_200_000);
  expect(await lookAt(2, readAgain)).toBe(2);
  expect(await lookAt(3, readAgain)).toBe(2);
});

/** `lookAt`: a look at one page; how often it was fetched by then. `readAt`: as though it had been read at that time. */
async function ferry() {
  const settings = { gateway: null, allowLoopback: true, waybackUrl: web.origin, userAgent: 'Test/1.0' };
  const sources = createSources({ reader: createReader(settings), store, growCorpus: false });
  const url = `${web.origin}/ferry`;
  const citation = { ...aCitation, url, hash: hashCitation({ url, text: '' }) };
  const at = { wiki: 'wiki.example', page: { id: 1, title: 'Ferry' }, claimHash: aClaim.hash, citation };
  return {
    async lookAt(revision: number, request?: string) {
      await sources({ ...at, revision, ...(request !== undefined && { request }) }, context);
      return web.requested.filter((path) => path === '/ferry').length;
    },
    async readAt(ms: number) {
      const source = await store.get(citation.hash);
      if (source === null) throw new Error('nothing was kept');
      await store.put({ ...source, fetchedAt: new Date(ms).toISOString() });
    },
  };
}
