/** What nobody sends but who means ill, or whose program is broken: every route answers it in words, with a status that fits. */
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { createReviewServer } from '../../../workers/review/server.ts';
import { aFinding } from '../../support/examples.ts';
import { type Served, type SignedIn, serve } from './served.ts';
import { findingOf } from './store.ts';

let served: Served;
let mia: SignedIn;
const logged: string[] = [];
const log = pino(
  { level: 'trace' },
  new Writable({
    write(chunk, _, done) {
      logged.push(String(chunk));
      done();
    },
  }),
);
beforeAll(async () => {
  served = await serve({ log }, aFinding, findingOf('Half \ud800 a character.'));
  mia = await served.signIn('Mia', ['patroller', 'maintainer']);
});
afterAll(() => served.close());
beforeEach(() => logged.splice(0));

const ask = (path: string, options: RequestInit = {}) =>
  fetch(`${served.origin}${path}`, { redirect: 'manual', ...options, headers: { ...mia.headers, ...options.headers } });
const post = (path: string, type: string, body: string) =>
  ask(path, { method: 'POST', headers: { 'content-type': type }, body });

test('a claim with half a character is shown like any other', async () => {
  expect((await ask('/findings/2')).status).toBe(200);
});

const LISTS = ['/', '/findings/1', '/feed.xml', '/api/findings', '/api/findings/counts', '/api/findings/events'];

test.each([
  '__proto__[x]=1&constructor=2',
  'page=%00',
  'page=a&page=b',
  'wiki=%ed%a0%80',
  'after=-1',
  'after=1e99',
  'after=NaN',
  'after=9007199254740991',
  'score-min=.',
  'max-age=36500',
  'user=__proto__&project=%25&category=_',
  'a&'.repeat(6000),
  'a=1&'.repeat(10_000),
])('a list that is asked for with %s is answered or refused', async (query) => {
  for (const path of LISTS) {
    const response = await ask(`${path}?${query}`).catch(() => null); // cut, where it is longer than a request may be
    await response?.body?.cancel();
    expect([200, 400, 404, 431, null]).toContain(response?.status ?? null);
  }
});

test.each(['0', '-1', '1e99', 'NaN', '0x1', '1.0', '%00', '__proto__', 'x'.repeat(200), '%F0%9F%92%A9'])(
  '%s is no id of anything',
  async (id) => {
    const shown = [`/findings/${id}`, `/findings/${id}/given`, `/compare/${id}`, `/insights/${id}.csv`];
    const told = [`/api/findings/${id}`, `/api/findings/${id}/decisions`];
    for (const path of [...shown, ...told])
      expect([path, (await ask(path)).status]).toEqual([path, oneOf(400, 404, 414)]);
    const forms = [
      `/saved-filters/${id}/delete`,
      `/account/tokens/${id}/revoke`,
      `/compare/${id}`,
      `/findings/${id}/undo`,
    ];
    for (const path of forms) {
      const { status } = await post(path, 'application/x-www-form-urlencoded', '__proto__[x]=1');
      expect([path, status]).toEqual([path, oneOf(400, 404, 414)]);
    }
    expect((await ask(`/api/tokens/${id}`, { method: 'DELETE' })).status).toEqual(oneOf(400, 404, 414));
  },
);

test.each(['{"__proto__":{"a":1}}', '{"constructor":{"prototype":{}}}', '[]', 'null', '"x"', '{"a":'.repeat(5000)])(
  '%s is refused wherever JSON is taken',
  async (body) => {
    for (const path of [
      '/api/tokens',
      '/api/requeues',
      '/api/opt-outs',
      '/api/worklists',
      '/api/findings/1/decision',
    ]) {
      expect([path, (await post(path, 'application/json', body)).status]).toEqual([path, 400]);
    }
  },
);

test('a list that browsers could not name in an address is not made', async () => {
  for (const name of ['.', '..', ' ']) {
    const source = { kind: 'titles', titles: ['Orrin Bay'] };
    const json = await post('/api/worklists', 'application/json', JSON.stringify({ name, source }));
    const form = await post(
      '/maintain/worklists',
      FORM,
      String(new URLSearchParams({ name, kind: 'titles', from: 'x' })),
    );
    expect([name, json.status, form.status]).toEqual([name, 400, 400]);
  }
});

test('no body is waited for without end, and none of 10 MB is taken', async () => {
  const { db, findings } = served;
  const [wiki, signIn] = [WIKI, { client: null, maintainers: [], maintainerGroups: [], patrollerGroups: null }];
  const options = { db, findings, log, wiki, wikiOrigins: [], publicUrl: 'http://127.0.0.1:1' };
  const { server } = createReviewServer({ ...options, signIn: { ...signIn, secret: 'x'.repeat(32) } });
  expect([server.requestTimeout > 0, server.headersTimeout > 0]).toEqual([true, true]);
  const large = 'x'.repeat(10 * 1024 ** 2);
  for (const path of ['/next', '/saved-filters', '/account/tokens', '/maintain/opt-outs', '/compare/1']) {
    expect([path, (await post(path, FORM, `name=${large}`)).status]).toEqual([path, 413]);
  }
});

test('what goes wrong here is logged without what may be secret', async () => {
  await served.db.schema.dropTable('page_facts').execute();
  await served.db.schema.dropTable('finding_changes').execute();
  const headers = { authorization: 'Bearer sidelight_secret', 'last-event-id': '0' };
  await ask('/api/findings?page=asked', { headers });
  const failed = await ask('/api/findings/events?page=code-of-a-sign-in', { headers: { 'last-event-id': '0' } });
  expect(failed.status).toBe(500);
  expect(logged.join()).toContain('request failed');
  for (const secret of ['code-of-a-sign-in', 'sidelight_secret', mia.csrf, mia.headers.cookie ?? '?']) {
    expect(logged.join()).not.toContain(secret);
  }
});

const FORM = 'application/x-www-form-urlencoded';
const WIKI = { id: 'w', origin: 'http://w', indexPath: '/', apiUrl: 'http://w/', restUrl: 'http://w/', userAgent: 'x' };

/** Matches any of them. */
function oneOf(...statuses: number[]): unknown {
  return { asymmetricMatch: (status: unknown) => statuses.some((one) => one === status) };
}
