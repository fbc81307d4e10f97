/**
 * Every route of the review service, as the server itself lists them: what changes something takes no request that another site could
 * have sent, what is for some is for nobody else, and what is somebody's is nobody else's. A new route is held to this from its first day.
 */
import { makeToken } from '../../workers/review/tokens.ts';
import { describeWith } from '../support/describe-with.ts';
import type { SignedIn } from '../workers/review/served.ts';
import { serveWhole, type Whole } from './whole.ts';

let whole: Whole;
let routes: { method: string; path: string }[];

describeWith(['redis', 'wiki'], 'the routes', () => {
  beforeAll(async () => {
    whole = await serveWhole();
    routes = whole.routes
      .filter(({ method, url }) => !['HEAD', 'OPTIONS'].includes(method) && !url.includes('*'))
      .map(({ method, url }) => ({
        method,
        path: url.replace(/:([a-z]+)/g, (_, name: string) => VALUES[name] ?? '1'),
      }));
  }, 60_000);
  afterAll(() => whole.close());

  const changing = () => routes.filter(({ method }) => method !== 'GET');
  /** Asks nothing of a person: whoever asks for a check is nobody, and is told its key. */
  const isForAll = (path: string) => /^(\/api)?\/checks?(\/1(\/cancel)?)?$/.test(path);
  const ask = (method: string, path: string, headers: Record<string, string>, body?: string) =>
    fetch(`${whole.origin}${path}`, { method, redirect: 'manual', headers, ...(body !== undefined && { body }) });
  const without = ({ headers }: SignedIn, ...names: string[]) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));

  test('are those of the service, and all that are described', async () => {
    const document = (await (await fetch(`${whole.origin}/api/openapi.json`)).json()) as {
      paths: Record<string, object>;
    };
    const described = Object.entries(document.paths).flatMap(([url, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${url.replace(/\{(\w+)\}/g, ':$1')}`),
    );
    const served = new Set(whole.routes.map(({ method, url }) => `${method} ${url}`));
    expect(described.filter((route) => !served.has(route))).toEqual([]);
    expect(described.length).toBeGreaterThan(25);
    expect(changing().length).toBeGreaterThan(30);
  });

  test('that change something take nothing that another site sends with a person’s cookie, in any type', async () => {
    const person = whole.people.maintainer;
    const cookie = { cookie: person.headers.cookie ?? '' };
    const site = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    const taken: string[] = [];
    for (const { method, path } of changing()) {
      for (const [type, body] of BODIES) {
        const forged = [{}, { 'x-csrf-token': 'x' }, { 'x-csrf-token': whole.people.patroller.csrf }];
        for (const token of forged) {
          const { status } = await ask(method, path, { ...cookie, ...site, ...token, 'content-type': type }, body);
          if (status < 400) taken.push(`${method} ${path} ${type}`);
        }
      }
    }
    expect(taken).toEqual([]);
  }, 120_000);

  test('that change something for a person need the token of the person’s own session', async () => {
    const own = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
    const taken: string[] = [];
    for (const { method, path } of changing().filter((route) => !isForAll(route.path))) {
      for (const token of ['', 'x', whole.people.patroller.csrf]) {
        const sent = { ...without(whole.people.maintainer, 'x-csrf-token'), ...own, 'x-csrf-token': token };
        if ((await ask(method, path, sent, '{}')).status < 400) taken.push(`${method} ${path}`);
      }
    }
    expect(taken).toEqual([]);
  }, 120_000);

  test('that change something are for nobody who is not signed in, and for nobody who is blocked', async () => {
    const taken: string[] = [];
    const anonymous = { 'sec-fetch-site': 'same-origin' };
    const asked = changing()
      .filter(({ path }) => !isForAll(path) && !OWN.test(path))
      .flatMap((route) => [anonymous, whole.people.blocked.headers].map((headers) => ({ ...route, headers })))
      .flatMap((route) => BODIES.map(([type, body]) => ({ ...route, type, body })));
    for (const { method, path, headers, type, body } of asked) {
      const { status } = await ask(method, path, { ...headers, 'content-type': type }, body);
      if (![400, 401, 403, 404, 415].includes(status)) taken.push(`${status} ${method} ${path}`);
    }
    expect(taken).toEqual([]);
  }, 120_000);

  test('of maintainers are for no patroller, whatever stands in the request', async () => {
    const taken: string[] = [];
    const maintained = routes.filter(({ path }) => MAINTAINED.test(path));
    expect(maintained.length).toBeGreaterThan(15);
    for (const { method, path } of maintained) {
      const headers = { ...whole.people.patroller.headers, 'content-type': 'application/json' };
      const { status } = await ask(method, path, headers, method === 'GET' ? undefined : '{}');
      if (status !== 403 && status !== 415) taken.push(`${status} ${method} ${path}`);
    }
    expect(taken).toEqual([]);
  });

  test('of what is somebody’s own say that there is no such thing to anybody else', async () => {
    const { maintainer, patroller } = whole.people;
    const other = await whole.signIn('Bob', ['patroller', 'maintainer']);
    const { token } = await makeToken(whole.db, maintainer.id, 'nightly');
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const saved = await ask(
      'POST',
      '/saved-filters?verdict=unsourced',
      { ...maintainer.headers, ...form },
      'name=mine',
    );
    expect(saved.status).toBe(303);
    const { id } = await whole.db.selectFrom('saved_filters').select('id').executeTakeFirstOrThrow();
    const lease = await ask('POST', '/api/findings/1/lease', maintainer.headers);
    expect(lease.status).toBe(200);
    const tried = [
      await ask('DELETE', `/api/tokens/${token.id}`, other.headers),
      await ask('POST', `/account/tokens/${token.id}/revoke`, { ...other.headers, ...form }, 'a=1'),
      await ask('POST', `/saved-filters/${id}/delete`, { ...other.headers, ...form }, 'a=1'),
    ].map(({ status }) => status);
    expect(tried).toEqual([404, 404, 404]);
    const json = { ...patroller.headers, 'content-type': 'application/json' };
    expect((await ask('POST', '/api/findings/1/decision', json, '{"decision":"accept"}')).status).toBe(409);
    await ask('DELETE', '/api/findings/1/lease', patroller.headers);
    const accept = await ask(
      'POST',
      '/api/findings/1/decision',
      { ...maintainer.headers, 'content-type': 'application/json' },
      '{"decision":"accept"}',
    );
    expect(accept.status).toBe(200); // the lease was not given back for its owner
    expect((await ask('DELETE', '/api/findings/1/decision', patroller.headers)).status).toBe(409);
    expect((await ask('GET', '/api/tokens', other.headers)).status).toBe(200);
    expect(await (await ask('GET', '/api/tokens', other.headers)).text()).not.toContain('nightly');
  });

  test('of checks are cancelled with their key alone, which is compared as a hash', async () => {
    const json = { 'content-type': 'application/json' };
    const asked = await ask(
      'POST',
      '/api/checks',
      json,
      JSON.stringify({ kind: 'sentence', text: 'The mill closed in 1931.' }),
    );
    const { check, key } = (await asked.json()) as { check: { id: string }; key: string };
    for (const wrong of ['', 'x', key.slice(1), `${key}x`, key.toUpperCase()]) {
      expect((await ask('DELETE', `/api/checks/${check.id}`, { 'x-check-key': wrong })).status).toBe(403);
    }
    expect((await ask('DELETE', `/api/checks/${check.id}`, { 'x-check-key': key })).status).toBe(200);
    expect(JSON.stringify(await whole.db.selectFrom('checks').selectAll().execute())).not.toContain(key);
  });

  test('answer nobody who calls the service by another name, whatever a proxy header says', async () => {
    for (const headers of [{ host: 'evil.example' }, { host: 'evil.example', 'x-forwarded-host': '127.0.0.1' }]) {
      expect(await rawStatus(headers)).toBe(421);
    }
    const answer = await ask('GET', '/', { 'x-forwarded-host': 'evil.example' });
    expect([answer.status, await answer.text()]).toEqual([200, expect.not.stringContaining('evil.example')]);
  });

  test('lead nobody off the site after signing in', async () => {
    for (const to of [
      'https://evil.example/',
      '//evil.example/',
      '/\\evil.example',
      '\\\\evil.example',
      '/%09/evil.example',
      'javascript:1',
      '/\t/evil.example',
      'http:evil.example',
    ]) {
      const { status, headers } = await ask(
        'GET',
        `/sign-in?to=${encodeURIComponent(to)}`,
        whole.people.patroller.headers,
      );
      const location = new URL(headers.get('location') ?? '', whole.origin);
      expect([to, status, location.origin]).toEqual([to, 302, whole.origin]);
    }
  });

  test('serve no file but their own', async () => {
    for (const path of [
      '/static/../package.json',
      '/static/%2e%2e/package.json',
      '/static/..%2f..%2fpackage.json',
      '/static/....//package.json',
      '/static/%00',
      '/static//etc/passwd',
    ]) {
      expect([path, (await ask('GET', path, {})).status]).toEqual([path, 404]);
    }
  });
});

async function rawStatus(headers: Record<string, string>): Promise<number> {
  const { request } = await import('node:http');
  return new Promise((resolve, reject) => {
    const asked = request(`${whole.origin}/`, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asked.on('error', reject).end();
  });
}

/** For parameters that are no number. */
const VALUES: Record<string, string> = {
  id: '1',
  name: 'mills',
  act: 'run',
  request: 'requeue_1',
  wiki: 'wiki.example',
  page: '1',
  figure: 'hosts',
};
/** In which a page of another site can post, and in which it can't. */
const BODIES: [type: string, body: string][] = [
  ['application/x-www-form-urlencoded', 'decision=accept&name=x&title=Mill&kind=sentence&text=The+mill+closed.'],
  ['text/plain', '{"decision":"accept","name":"x","title":"Mill","kind":"sentence","text":"The mill closed."}'],
  ['application/json', '{"decision":"accept","name":"x","title":"Mill","kind":"sentence","text":"The mill closed."}'],
];
/** Of a person's own session, and of signing in. */
const OWN = /^\/(sign-in|sign-out|account|saved-filters)/;
const MAINTAINED = /^\/(api\/(worklists|requeues|queues|opt-outs|tokens)|maintain|account\/tokens)/;
