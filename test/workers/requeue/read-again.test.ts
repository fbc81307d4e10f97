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

test('a requeue that is about sources reads once what was read before it began; any other takes what is known', async () => {
  const settings = { gateway: null, allowLoopback: true, waybackUrl: web.origin, userAgent: 'Test/1.0' };
  const sources = createSources({ reader: createReader(settings), store, growCorpus: false });
  const url = `${web.origin}/ferry`;
  const citation = { ...aCitation, url, hash: hashCitation({ url, text: '' }) };
  const at = { wiki: 'wiki.example', page: { id: 1, title: 'Ferry' }, claimHash: aClaim.hash, citation };
  const lookAt = async (revision: number, request?: string) => {
    await sources({ ...at, revision, ...(request !== undefined && { request }) }, context);
    return web.requested.filter((path) => path === '/ferry').length;
  };
  expect(await lookAt(1)).toBe(1);
  const source = await store.get(citation.hash);
  if (source === null) throw new Error('nothing was kept');
  await store.put({ ...source, fetchedAt: new Date(Date.now() - 600_000).toISOString() });
  const began = new Date(Date.now() - 300_000);
  expect(await lookAt(2, requeueName(began, { readAgain: false }))).toBe(1);
  const later = requeueName(began, { readAgain: true });
  expect(await lookAt(3, later)).toBe(2);
  expect(await lookAt(4, later)).toBe(2);
  expect(await lookAt(5)).toBe(2);
});
