import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { parseHTML } from 'linkedom';
import type { Finding } from '../../../shared/citation.ts';
import { hashCitations } from '../../../shared/hash.ts';
import { Payload } from '../../../shared/payload.ts';
import { PRIORITY, stages } from '../../../shared/pipeline.ts';
import { createPublisher, type Publisher } from '../../../shared/queue.ts';
import { connectRedis, PREFIX } from '../../../shared/redis.ts';
import { openSourceStore, type SourceStore } from '../../../workers/source/store.ts';
import { describeWith } from '../../support/describe-with.ts';
import { aFinding } from '../../support/examples.ts';
import { type RunningRedis, startRedis } from '../../support/redis.ts';
import { pdf } from '../source/pages.ts';
import { type SignedIn, serveStore } from './served.ts';
import { openStore, type Store } from './store.ts';

const TEXT = 'The mill at Orrin Bay closed in 1931, after a fire.';
const [cited] = aFinding.citations;
const hash = cited?.hash ?? '';
const unread: Finding = {
  ...aFinding,
  verdict: 'unavailable',
  score: null,
  reason: 'paywall',
  citations: aFinding.citations.map((citation) => ({ ...citation, score: null, reason: 'paywall', readUrl: null })),
};

let redisServer: RunningRedis;
let redis: Redis;
let publisher: Publisher;
let queue: Queue;
let review: Store;
let sources: SourceStore;
let server: Awaited<ReturnType<typeof serveStore>>;
let origin: string;
let ada: SignedIn;

describeWith(['redis'], 'a text that a person gives', () => {
  beforeAll(async () => {
    redisServer = await startRedis();
    redis = await connectRedis(redisServer.url, 'worker');
    publisher = createPublisher(redis);
    queue = new Queue('articles', { connection: redis, prefix: PREFIX });
  });
  afterAll(async () => {
    await Promise.all([publisher.close(), queue.close()]);
    redis.disconnect();
    await redisServer.stop();
  });
  beforeEach(async () => {
    review = await openStore();
    sources = await openSourceStore(':memory:');
    const texts = { given: sources.given, publisher };
    server = await serveStore(review, { texts });
    origin = server.origin;
    ada = await server.signIn('Ada');
    await review.findings.record(unread);
  });
  afterEach(async () => {
    await queue.obliterate({ force: true });
    await server.close();
    await sources.close();
    await review.close();
  });
  describe('on the page of a finding', ofTheForm);
});

/** As the form of the review page sends it, which Ada has open: its token is a field. */
const fromOurPage = ({ cookie = '' } = ada.headers) => ({ cookie, 'sec-fetch-site': 'same-origin' });

async function give(parts: Record<string, string | Blob>, headers: Record<string, string> = fromOurPage(), id = 1) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ _csrf: ada.csrf, citation: hash, ...parts })) {
    if (typeof value === 'string') form.set(name, value);
    else form.set(name, value, 'report');
  }
  const answer = await fetch(`${origin}/findings/${id}/given`, {
    ...{ method: 'POST', body: form, redirect: 'manual' },
    headers,
  });
  return { status: answer.status, location: answer.headers.get('location'), text: await answer.text() };
}

async function open(path: string) {
  const answer = await fetch(origin + path, { headers: ada.headers });
  const text = await answer.text();
  return { status: answer.status, text, document: parseHTML(text).document };
}

const kept = async () => (await sources.given.of(hash))?.source ?? null;

function ofTheForm() {
  test('a pasted text is kept apart, and the claim is checked again at once, before all else', async () => {
    const answer = await give({ text: TEXT });
    expect([answer.status, answer.location]).toEqual([303, '/findings/1/given']);
    expect(await kept()).toMatchObject({ text: TEXT, given: true, url: cited?.url, title: 'The mill' });
    const [job] = await queue.getJobs();
    expect(job?.priority).toBe(PRIORITY.gadget);
    const input = stages.articles.input.parse(Payload.parse(job?.data).input);
    expect(input).toMatchObject({ wiki: unread.wiki, page: unread.page, revision: unread.revision, scope: 'chosen' });
    expect(input.chosen).toEqual([{ claim: unread.claim.hash, citations: hashCitations(unread.citations) }]);
    expect(job?.id?.startsWith(`${input.request}-for-`)).toBe(true);
  });

  test('a PDF is kept, however the browser calls it, and counts more than what was pasted', async () => {
    const file = new Blob([new Uint8Array(pdf([[TEXT]]))], { type: 'application/octet-stream' });
    expect((await give({ text: 'Something else.', file })).status).toBe(303);
    expect(await kept()).toMatchObject({ type: 'pdf', text: TEXT });
  });

  test('a form whose file was left empty is read from what was pasted', async () => {
    await give({ text: TEXT, file: new Blob([], { type: 'application/octet-stream' }) });
    expect(await kept()).toMatchObject({ type: 'text', text: TEXT });
  });

  test.each<[string, Record<string, string | Blob>, number, RegExp]>([
    ['a picture', { file: new Blob(['\x89PNG\0'], { type: 'image/png' }) }, 415, /no text, HTML or PDF/],
    ['a scan', { file: new Blob([new Uint8Array(pdf([[]]))], { type: 'application/pdf' }) }, 422, /scanned PDF/],
    ['nothing', { text: ' ' }, 400, /Paste a text or choose a file/],
    ['a text over the limit', { text: 'mill '.repeat(450_000) }, 413, /a text may have 2 MB/],
    ['a file over the limit', { file: new Blob([new Uint8Array(16 * 1024 * 1024)]) }, 413, /too large/],
    ['another source', { citation: '0123456789abcdef', text: TEXT }, 404, /no such source/],
  ])('%s is refused in words, and nothing is done', async (_, parts, status, words) => {
    const answer = await give(parts);
    expect(answer.status).toBe(status);
    expect(answer.text.includes('Back to the finding')).toBe(status !== 404);
    expect(parseHTML(answer.text).document.querySelector('main')?.textContent).toMatch(words);
    expect([await kept(), await queue.getJobCountByTypes()]).toEqual([null, 0]);
  });

  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['a program that says nothing of itself', {}],
  ])('a form of %s is refused', async (_, headers) => {
    expect((await give({ text: TEXT }, { cookie: ada.headers.cookie ?? '', ...headers })).status).toBe(403);
    expect(await kept()).toBeNull();
  });

  test('who is not signed in, and a form without its token, are refused before anything is kept', async () => {
    expect((await give({ text: TEXT }, { 'sec-fetch-site': 'same-origin' })).status).toBe(401);
    expect((await give({ text: TEXT, _csrf: 'forged' })).status).toBe(403);
    expect((await fetch(`${origin}/findings/1`).then((answer) => answer.text())).includes('multipart')).toBe(false);
    expect([await kept(), await queue.getJobCountByTypes()]).toEqual([null, 0]);
  });

  test('a closed finding takes no text, and one that is not there neither', async () => {
    await review.decide(1, { decision: 'accept' });
    expect((await give({ text: TEXT })).status).toBe(409);
    expect((await give({ text: TEXT }, fromOurPage(), 99)).status).toBe(404);
    expect(await kept()).toBeNull();
  });

  test('the finding offers it where a source was not read, and says so once it was', async () => {
    const before = await open('/findings/1');
    const form = before.document.querySelector('form[enctype="multipart/form-data"]');
    expect(form?.getAttribute('action')).toBe('/findings/1/given');
    expect(form?.querySelector('[name=citation]')?.getAttribute('value')).toBe(hash);
    const citations = aFinding.citations.map((citation) => ({ ...citation, given: true as const }));
    await review.findings.record({ ...aFinding, revision: aFinding.revision + 1, citations });
    const after = await open('/findings/1');
    expect(after.document.querySelector('.work .facts')?.textContent).toContain('from a text that a person gave');
  });

  test('a finding whose sources were read asks for none', async () => {
    await review.findings.record({ ...aFinding, revision: aFinding.revision + 1 });
    expect((await open('/findings/1')).text).not.toContain('multipart/form-data');
  });

  test('what follows says that it was taken, and never shows the text', async () => {
    await give({ text: TEXT });
    const { status, text, document } = await open('/findings/1/given');
    expect(status).toBe(200);
    expect(document.querySelector('main')?.textContent).toMatch(/Thank you[\s\S]*The mill: 11 words/);
    expect(text).not.toContain('after a fire');
    expect(document.querySelector('main a')?.getAttribute('href')).toBe('/findings/1');
  });
}
