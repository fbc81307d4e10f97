import type { Citation } from '../../../shared/citation.ts';
import { hashCitation } from '../../../shared/hash.ts';
import type { Context, Input } from '../../../shared/pipeline.ts';
import { stages } from '../../../shared/pipeline.ts';
import { readGiven } from '../../../workers/source/given.ts';
import { createReader } from '../../../workers/source/read.ts';
import { createSources } from '../../../workers/source/sources.ts';
import { openSourceStore, type SourceStore } from '../../../workers/source/store.ts';
import { aCitation, aClaim } from '../../support/examples.ts';
import { startWeb, type Web } from '../../support/web.ts';
import { articlePage } from './pages.ts';

let web: Web;
let store: SourceStore;
beforeEach(async () => {
  web = await startWeb({ '/ferry': articlePage, '/slow': () => undefined });
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

function handler(growCorpus = true) {
  const settings = { gateway: null, allowLoopback: true, waybackUrl: web.origin, userAgent: 'Test/1.0' };
  return createSources({ reader: createReader(settings), store, growCorpus });
}

function cite(url: string | null): Input<'sources'> {
  const citation: Citation = { ...aCitation, url, hash: hashCitation({ url, text: aCitation.text }) };
  return { wiki: 'wiki.example', page: { id: 1, title: 'Ferry' }, revision: 3, claimHash: aClaim.hash, citation };
}

test('a readable page is stored and goes on to the corpus', async () => {
  const input = cite(`${web.origin}/ferry`);
  const { answer, next } = await handler()(input, context);
  const key = input.citation.hash;
  expect(stages.sources.answer.parse(answer)).toEqual({ citationHash: key, sourceKey: key, reason: null });
  const source = await store.get(key);
  const contentHash = source?.kind === 'readable' ? source.contentHash : '';
  expect(next).toEqual([{ stage: 'corpus', input: { sourceKey: key, contentHash } }]);
});

test('a readable page stays out of a corpus that is not to grow', async () => {
  const { answer, next } = await handler(false)(cite(`${web.origin}/ferry`), context);
  expect(answer.reason).toBeNull();
  expect(next).toEqual([]);
});

test('a missing page is unavailable, stored, and goes nowhere', async () => {
  const input = cite(`${web.origin}/missing`);
  const { answer, next } = await handler()(input, context);
  expect(answer).toEqual({ citationHash: input.citation.hash, sourceKey: input.citation.hash, reason: 'not_found' });
  expect(next).toEqual([]);
});

test.each([
  [null, 'no_url'],
  ['ftp://ferry.example', 'invalid_url'],
])('a citation of %s has a reason and nothing to store', async (url, reason) => {
  const { answer } = await handler()(cite(url), context);
  expect(answer).toMatchObject({ sourceKey: null, reason });
  expect(await store.count()).toBe(0);
});

test('two citations of one page at the same time are one fetch, and later ones none', async () => {
  const handle = handler();
  const outcomes = await Promise.all([
    handle(cite(`${web.origin}/ferry`), context),
    handle(cite(`${web.origin}/ferry#part`), context),
  ]);
  outcomes.push(await handle(cite(`${web.origin}/ferry`), context));
  expect(new Set(outcomes.map(({ answer }) => answer.sourceKey)).size).toBe(1);
  expect(web.requested).toEqual(['/ferry']);
});

test('a page that one citation could not read is read for another that names an archived copy', async () => {
  const handle = handler();
  const input = cite(`${web.origin}/ferry`);
  const fetchedAt = new Date().toISOString();
  await store.put({ kind: 'unavailable', url: `${web.origin}/ferry`, reason: 'dead', detail: '', fetchedAt });
  expect((await handle(input, context)).answer.reason).toBe('dead');
  const archiveUrl = `${web.origin}/web/20200102000000/${web.origin}/ferry`;
  expect((await handle({ ...input, citation: { ...input.citation, archiveUrl } }, context)).answer.reason).toBeNull();
});

test('a page that is read as it is now is not what another citation cites that calls it usurped', async () => {
  const handle = handler();
  const input = cite(`${web.origin}/ferry`);
  expect((await handle(input, context)).answer.reason).toBeNull();
  const usurped = { ...input, citation: { ...input.citation, urlStatus: 'usurped' as const } };
  expect((await handle(usurped, context)).answer.reason).toBe('not_found');
});

test('what a person gave is taken before the page is asked for, and stays out of the corpus', async () => {
  const input = cite(`${web.origin}/ferry`);
  const pasted = { body: Buffer.from('The ferry was built in 1930.'), contentType: 'text/plain' };
  const { key } = await store.given.put(input.citation, await readGiven(input.citation, pasted, Date.now()));
  const { answer, next } = await handler()(input, context);
  expect(answer).toEqual({ citationHash: input.citation.hash, sourceKey: key, reason: null });
  expect(await store.get(key)).toMatchObject({ text: 'The ferry was built in 1930.', given: true });
  expect(next).toEqual([]);
  expect(web.requested).toEqual([]);
  expect(await store.pages(0, 10)).toEqual([]);
  expect(key).not.toBe(input.citation.hash);
});

test('a page is read again once a person has said something of it', async () => {
  const handle = handler();
  const url = `${web.origin}/ferry`;
  await handle(cite(url), context);
  await store.links.correct(url, 'live', '', Date.now() + 1);
  await handle(cite(url), context);
  expect(web.requested).toEqual(['/ferry', '/ferry']);
});

test('a page that could not be read an hour ago is read again', async () => {
  const url = `${web.origin}/ferry`;
  const fetchedAt = new Date(Date.now() - 2 * 3600 * 1000).toISOString();
  await store.put({ kind: 'unavailable', url, reason: 'timeout', detail: '', fetchedAt });
  expect((await handler()(cite(url), context)).answer.reason).toBeNull();
});

test('a handler that is stopped throws, and the page is read at the next try', async () => {
  const handle = handler();
  const stop = new AbortController();
  const stopped = handle(cite(`${web.origin}/slow`), { ...context, signal: stop.signal });
  stop.abort();
  await expect(stopped).rejects.toThrow('stopped');
  expect(await store.count()).toBe(0);
});
