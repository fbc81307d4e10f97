import { request } from 'node:http';
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
      reopenedBecause: null,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      finding: aFinding,
    },
    expect.objectContaining({ id: 2, finding: second }),
  ]);
});

test('an article of which nothing is known has no coverage and no findings', async () => {
  expect((await get('/api/findings?page=Nowhere')).body).toEqual({ coverage: null, findings: [] });
});

test('a list goes on after a row, and is cut at its limit', async () => {
  const { body } = await get('/api/findings?limit=1&after=1');
  expect(body.findings).toEqual([expect.objectContaining({ id: 2 })]);
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
  const { status, body } = await post('/api/findings/1/decision', { decision: 'perhaps' });
  expect(status).toBe(400);
  expect(body.message).toMatch(/^decision: /);
});

test('a decision is kept, and a second one is a conflict', async () => {
  const first = await post('/api/findings/1/decision', { decision: 'accept', comment: 'Read it twice.' });
  expect(first).toMatchObject({ status: 200, body: { state: 'closed', decision: 'accept' } });
  const again = await post('/api/findings/1/decision', { decision: 'reject' });
  expect(again).toMatchObject({ status: 409, body: { error: 'conflict' } });
  expect((await get('/api/findings/1')).body.decision).toBe('accept');
});

test('a decision that is no JSON, broken JSON or too large is refused', async () => {
  const path = '/api/findings/1/decision';
  for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
    expect((await post(path, 'decision=accept', { 'content-type': type })).status).toBe(415);
  }
  expect((await post(path, '{"decision":')).status).toBe(400);
  const large = { decision: 'accept', comment: 'x'.repeat(100_000) };
  expect(await post(path, large)).toMatchObject({ status: 413, body: { error: 'too_large' } });
  expect((await get('/api/findings/1')).body.state).toBe('open');
});

test('the gadget of the configured wiki may ask and decide, other web pages may not', async () => {
  const allowed = await get('/api/findings', { origin: WIKI_ORIGIN });
  expect(allowed.headers.get('access-control-allow-origin')).toBe(WIKI_ORIGIN);
  const strange = await get('/api/findings', { origin: 'https://evil.example' });
  expect(strange.headers.get('access-control-allow-origin')).toBeNull();
  const path = '/api/findings/1/decision';
  const refused = await post(path, { decision: 'reject' }, { origin: 'https://evil.example' });
  expect(refused).toMatchObject({ status: 403, body: { error: 'forbidden' } });
  expect((await post(path, { decision: 'reject' }, { origin: WIKI_ORIGIN })).status).toBe(200);
});

test('a browser that asks first is told that the wiki may post JSON', async () => {
  const response = await fetch(`${served.origin}/api/findings/1/decision`, {
    method: 'OPTIONS',
    headers: {
      origin: WIKI_ORIGIN,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    },
  });
  expect(response.status).toBe(204);
  expect(response.headers.get('access-control-allow-origin')).toBe(WIKI_ORIGIN);
  expect(response.headers.get('access-control-allow-headers')).toBe('content-type');
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
