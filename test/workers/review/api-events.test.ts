import { z } from 'zod';
import { feedOf } from '../../../workers/review/feed.ts';
import { serveStore } from './served.ts';
import { findingOf, openStore, type Store } from './store.ts';

let store: Store;
let served: Awaited<ReturnType<typeof serveStore>>;
beforeEach(async () => {
  store = await openStore();
  served = await serveStore(store);
});
afterEach(async () => {
  await served.close();
  await store.close();
});

interface Event {
  id: string;
  name: string;
  data: { id?: number; state?: string; finding?: { claim: { text: string } } };
}

/** A reader of a stream, as a browser is one: what comes, one by one. */
async function listen(query = '', last?: string) {
  const stop = new AbortController();
  const headers: Record<string, string> = last === undefined ? {} : { 'last-event-id': last };
  const response = await fetch(`${served.origin}/api/findings/events${query}`, { headers, signal: stop.signal });
  const events = parse(response);
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    async next(): Promise<Event | null> {
      const { value, done } = await events.next();
      return done === true ? null : value;
    },
    stop: () => stop.abort(),
  };
}

async function* parse(response: Response): AsyncGenerator<Event, void> {
  let kept = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    kept += decoder.decode(chunk, { stream: true });
    const blocks = kept.split('\n\n');
    kept = blocks.pop() ?? '';
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1];
      const data = field('data');
      if (data !== undefined) yield { id: field('id') ?? '', name: field('event') ?? '', data: JSON.parse(data) };
    }
  }
}

const record = (text: string) => store.findings.record(findingOf(text));
const told = (event: Event | null) => event?.data.finding?.claim.text;

test('a new finding is told, and what becomes of it', async () => {
  const reader = await listen();
  expect(reader.type).toMatch(/^text\/event-stream/);
  expect(await reader.next()).toMatchObject({ name: 'ready', id: '0' });
  await record('The mill closed.');
  expect(await reader.next()).toMatchObject({ name: 'finding', data: { id: 1, state: 'open' } });
  const { headers } = await served.signIn('Ada');
  const post = (path: string, body: object) =>
    fetch(`${served.origin}/api/findings/1/${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  await post('lease', {});
  expect((await post('decision', { decision: 'reject' })).status).toBe(200);
  expect(await reader.next()).toMatchObject({ data: { id: 1, state: 'closed' } });
  reader.stop();
});

test('across a restart nothing is lost and nothing is told twice', async () => {
  const first = await listen();
  const ready = await first.next();
  await record('one');
  const seen = await first.next();
  expect(told(seen)).toBe('one');
  const { port } = served;
  await served.close();
  expect(await first.next().catch(() => null)).toBeNull();
  for (const text of ['two', 'three']) await record(text);
  served = await serveStore(store, {}, port);
  const again = await listen('', seen?.id);
  expect((await again.next())?.name).toBe('ready');
  expect([told(await again.next()), told(await again.next())]).toEqual(['two', 'three']);
  await record('four');
  expect(told(await again.next())).toBe('four');
  again.stop();
  const fromReady = await listen('', ready?.id);
  await fromReady.next();
  expect(told(await fromReady.next())).toBe('one');
  fromReady.stop();
});

test('a finding that changed often since is told once, as it is now', async () => {
  for (const text of ['one', 'two']) await record(text);
  await store.findings.record(findingOf('one', { score: 0.4, revision: 20 }));
  const reader = await listen('', '0');
  await reader.next();
  expect([told(await reader.next()), told(await reader.next())]).toEqual(['two', 'one']);
  await record('three');
  expect(told(await reader.next())).toBe('three');
  reader.stop();
});

test('only what is of the filter is told, and nothing of a page that opted out', async () => {
  const page = { id: 9, title: 'Elsewhere' };
  await store.findings.record(findingOf('elsewhere', { page }));
  await store.findings.record(findingOf('not to mend', { verdict: 'supported', score: 0.9 }));
  await record('here');
  const here = await listen('?page=Orrin_Bay', '0');
  await here.next();
  expect(told(await here.next())).toBe('here');
  here.stop();
  const ada = await served.signIn('Ada');
  const row = { page_title: page.title, comment: null, created_at: new Date().toISOString() };
  const wiki = findingOf('here').wiki;
  await store.db
    .insertInto('opt_outs')
    .values({ wiki, page_id: page.id, user_id: ada.id, ...row })
    .execute();
  const all = await listen('', '0');
  await all.next();
  expect(told(await all.next())).toBe('here');
  all.stop();
});

test('an id of a database that is no more begins anew, and what is no id is refused', async () => {
  await record('one');
  const reader = await listen('', '900');
  expect(await reader.next()).toMatchObject({ name: 'ready', id: '1' });
  reader.stop();
  const refused = await fetch(`${served.origin}/api/findings/events`, { headers: { 'last-event-id': "1' OR 1=1" } });
  expect(refused.status).toBe(400);
  const failure = z.object({ message: z.string() }).parse(await refused.json());
  expect(failure.message).toMatch(/^last-event-id: /);
});

test('one address can’t take all streams from the others, and gets new ones when its own are closed', async () => {
  const streams = await Promise.all(Array.from({ length: 101 }, () => listen()));
  const open = streams.filter(({ status }) => status === 200);
  expect([open.length, streams.length - open.length]).toEqual([100, 1]);
  expect(streams.find(({ status }) => status !== 200)?.status).toBe(503);
  const { headers } = await served.signIn('Ada');
  const stop = new AbortController();
  const other = await fetch(`${served.origin}/api/findings/events`, { headers, signal: stop.signal });
  expect(other.status).toBe(200);
  stop.abort();
  for (const { stop: end } of open) end();
  let again = await listen();
  while (again.status !== 200) again = await listen();
  again.stop();
});

test('the feed has the newest findings of a filter as text, and is sent once', async () => {
  await record('The <b>mill</b> closed & burned ]]> twice ]]>.');
  await store.findings.record(findingOf('elsewhere', { page: { id: 9, title: '<script>alert(1)</script> ]]>' } }));
  const url = `${served.origin}/feed.xml?page=Orrin_Bay`;
  const response = await fetch(url);
  expect(response.headers.get('content-type')).toMatch(/^application\/rss\+xml/);
  const xml = await response.text();
  expect(xml).toContain('The &#60;b&#62;mill&#60;/b&#62; closed &#38; burned ]]&#62; twice ]]&#62;.');
  expect(xml).toContain(`<link>${served.origin}/findings/1</link>`);
  expect(xml).not.toContain('elsewhere');
  const etag = response.headers.get('etag') ?? '';
  expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304);
  await record('Another claim.');
  expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(200);
  expect(await (await fetch(`${served.origin}/feed.xml`)).text()).not.toContain('<script>');
  expect((await fetch(`${served.origin}/feed.xml?verdict=maybe`)).status).toBe(400);
});

test('a list names its feed, with the same filter', async () => {
  const page = await (await fetch(`${served.origin}/?project=Mills&sort=newest`)).text();
  expect(page).toMatch(/<link rel="alternate" type="application\/rss\+xml" [^>]*href="\/feed.xml\?project&#61;Mills">/);
});

test('characters that XML can’t hold are left out of the feed', async () => {
  await record('a\u0000b\u001fc\ud800d');
  const at = {
    title: 'x',
    listUrl: 'http://a.example/',
    feedUrl: 'http://a.example/f',
    findingUrl: () => 'http://a.example/1',
  };
  expect(feedOf([await store.findings.get(1)], at)).toContain('<q>abcd</q>');
});
