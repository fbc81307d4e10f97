import { request } from 'node:http';
import { addOptOut } from '../../../workers/review/opt-outs.ts';
import { aFinding } from '../../support/examples.ts';
import { type Served, serve, WIKI_ORIGIN } from './served.ts';
import { failing, findingOf, revisionWith } from './store.ts';

let served: Served;
const second = findingOf('The quay is of granite.', { score: 0.3 });
beforeEach(async () => {
  served = await serve(aFinding, second);
});
afterEach(() => served.close());

interface Answer {
  status: number;
  headers: Headers;
  /** Whatever the service says: each test looks at what it needs. */
  body: Record<string, unknown>;
}

async function get(path: string, headers: Record<string, string> = {}) {
  return answerOf(await fetch(`${served.origin}${path}`, { headers }));
}

async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${served.origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return answerOf(response);
}

async function answerOf(response: Response): Promise<Answer> {
  // every answer of the API is a JSON object
  const body = (await response.json()) as Answer['body'];
  return { status: response.status, headers: response.headers, body };
}

/** fetch does not let a caller choose the Host header. */
function statusForHost(host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asking = request({ host: '127.0.0.1', port: served.port, path: '/api/findings', headers: { host } });
    asking.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
    asking.end();
  });
}

test('nothing is told of a finding whose article opted out', async () => {
  const { id: userId } = await served.signIn('Mia', ['patroller', 'maintainer']);
  expect((await get('/api/findings/1')).status).toBe(200);
  await addOptOut(served.db, { wiki: aFinding.wiki, page: aFinding.page, userId, comment: null });
  for (const path of ['/api/findings/1', '/api/findings/1/decisions']) {
    expect(await get(path)).toMatchObject({ status: 404, body: { error: 'not_found' } });
  }
});

test('findings of an article come with its coverage, lowest score first', async () => {
  await served.findings.reconcile(revisionWith(12, aFinding, second, findingOf('A third claim.')));
  const { status, body } = await get(`/api/findings?wiki=${aFinding.wiki}&page=Orrin_Bay&state=open`);
  expect(status).toBe(200);
  expect(body.coverage).toEqual({ claims: 3, checked: 2 });
  expect(body.findings).toEqual([
    {
      id: 1,
      state: 'open',
      closedBecause: null,
      decision: null,
      decidedBy: null,
      reopenedBecause: null,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      views: null,
      gain: expect.any(Number),
      lease: null,
      finding: aFinding,
    },
    expect.objectContaining({ id: 2, finding: second }),
  ]);
});

test('an article of which nothing is known has no coverage and no findings', async () => {
  expect((await get('/api/findings?page=Nowhere')).body).toEqual({ coverage: null, findings: [], next: null });
});

test('a list goes on after a row, and is cut at its limit', async () => {
  const first = await get('/api/findings?limit=1');
  expect(first.body).toMatchObject({ findings: [{ id: 1 }], next: 1 });
  const { body } = await get('/api/findings?limit=1&after=1');
  expect(body).toMatchObject({ findings: [{ id: 2 }], next: null });
});

test('one finding is read by its id', async () => {
  expect((await get('/api/findings/2')).body.finding).toEqual(second);
  expect(await get('/api/findings/99')).toMatchObject({ status: 404, body: { error: 'not_found' } });
});

test('missing words, mismatches, the chance of failing and the second opinion are given as they were found', async () => {
  const finding = { ...failing('contradicted'), page: { id: 9, title: 'Elsewhere' } };
  await served.findings.record(finding);
  const { body } = await get('/api/findings?verdict=contradicted');
  expect(body.findings).toEqual([expect.objectContaining({ finding })]);
});

test('what was not judged is given only when it is asked for', async () => {
  const opinion = findingOf('It is the finest mill.', { verdict: 'uncheckable', uncheckable: 'opinion', score: null });
  await served.findings.record(opinion);
  expect((await get('/api/findings')).body.findings).toHaveLength(2);
  const asked = await get('/api/findings?verdict=uncheckable');
  expect(asked.body.findings).toEqual([expect.objectContaining({ finding: opinion })]);
});

test('a field that does not parse is named', async () => {
  expect(await get('/api/findings?limit=many')).toMatchObject({ status: 400, body: { error: 'invalid' } });
  expect((await get('/api/findings?limit=many')).body.message).toMatch(/^limit: /);
  expect((await get('/api/findings?verdict=maybe')).body.message).toMatch(/^verdict: /);
  expect((await get('/api/findings/first')).body.message).toMatch(/^id: /);
  const { headers } = await served.signIn('Ada');
  const { status, body } = await post('/api/findings/1/decision', { decision: 'perhaps' }, headers);
  expect(status).toBe(400);
  expect(body.message).toMatch(/^decision: /);
});

test('a decision is kept, and one that says otherwise is a conflict', async () => {
  const { headers } = await served.signIn('Ada');
  const decision = { decision: 'accept', comment: 'Read it twice.' };
  expect((await post('/api/findings/1/decision', decision)).status).toBe(401);
  expect((await post('/api/findings/1/lease', {}, headers)).status).toBe(200);
  const first = await post('/api/findings/1/decision', decision, headers);
  expect(first).toMatchObject({ status: 200, body: { state: 'accepted', decision: 'accept', decidedBy: 'Ada' } });
  expect((await post('/api/findings/1/decision', { decision: 'reject' }, headers)).status).toBe(409);
  expect((await get('/api/findings/1')).body.decision).toBe('accept');
  expect((await get('/api/findings/1/decisions')).body).toMatchObject({
    decisions: [{ by: 'Ada', comment: 'Read it twice.' }],
  });
});

test('a decision that is no JSON, broken JSON or too large is refused', async () => {
  const path = '/api/findings/1/decision';
  const { headers } = await served.signIn('Ada');
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const refused = await post(path, 'decision=accept', { ...headers, 'content-type': type });
    expect(refused).toMatchObject({ status: 415, body: { error: 'unsupported_type' } });
  }
  expect((await post(path, '{"decision":', headers)).status).toBe(400);
  const large = { decision: 'accept', comment: 'x'.repeat(10 * 2 ** 20) };
  expect(await post(path, large, headers)).toMatchObject({ status: 413, body: { error: 'too_large' } });
  expect((await get('/api/findings/1')).body.state).toBe('open');
});

test('the gadget of the configured wiki may read; nobody decides from a page that is not ours', async () => {
  const allowed = await get('/api/findings', { origin: WIKI_ORIGIN });
  expect(allowed.headers.get('access-control-allow-origin')).toBe(WIKI_ORIGIN);
  expect(allowed.headers.get('access-control-allow-credentials')).toBeNull();
  const strange = await get('/api/findings', { origin: 'https://evil.example' });
  expect(strange.headers.get('access-control-allow-origin')).toBeNull();
  const { headers } = await served.signIn('Ada');
  for (const origin of ['https://evil.example', WIKI_ORIGIN]) {
    const sent = { ...headers, 'sec-fetch-site': 'cross-site', origin };
    const refused = await post('/api/findings/1/decision', { decision: 'reject' }, sent);
    expect(refused).toMatchObject({ status: 403, body: { error: 'forbidden' } });
  }
});

test('a browser that asks first is told that the wiki may post JSON, and that other pages may not', async () => {
  const ask = (origin: string) =>
    fetch(`${served.origin}/api/checks`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    });
  const response = await ask(WIKI_ORIGIN);
  expect(response.status).toBe(204);
  expect(response.headers.get('access-control-allow-origin')).toBe(WIKI_ORIGIN);
  expect(response.headers.get('access-control-allow-headers')).toBe('content-type, x-check-key');
  expect((await ask('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull();
});

test('another method than an address has is named, with those that it has', async () => {
  const { status, headers, body } = await post('/api/findings', {});
  expect([status, headers.get('allow'), body.error]).toEqual([405, 'GET, HEAD', 'method_not_allowed']);
});

test('a name that was made to resolve to loopback is refused', async () => {
  expect(await statusForHost('evil.example')).toBe(421);
  expect(await statusForHost(`localhost:${served.port}`)).toBe(200);
  expect(await statusForHost(`[::1]:${served.port}`)).toBe(200);
});

test('an unknown address is answered in JSON, and the service says that it is well', async () => {
  expect(await get('/api/nothing')).toMatchObject({ status: 404, body: { error: 'not_found' } });
  expect((await get('/healthz')).body).toEqual({ ok: true });
});
