import type { Schema } from '../../../workers/review/database.ts';
import { judgedKey } from '../../../workers/review/judged.ts';
import { aFinding } from '../../support/examples.ts';
import { type Served, type SignedIn, serve } from './served.ts';
import { citing, decideAs, findingOf, revisionWith } from './store.ts';

/** What a decision could change. Sessions say when they were used last. */
const TABLES: (keyof Schema)[] = ['findings', 'decisions', 'leases', 'users', 'pages', 'citations', 'finding_changes'];
/** By what was made of them below. */
const [MINE, FREE, DECIDED, GONE, OF_BEN, UNKNOWN] = [1, 2, 3, 4, 5, 99];
const NASTY = [
  `1; DROP TABLE findings; --`,
  `' OR '1'='1`,
  `<script>alert(1)</script>`,
  `"><img src=x onerror=alert(2)>`,
];

let served: Served;
let people: Record<'ada' | 'ben' | 'blocked', SignedIn>;
let before: unknown;
beforeAll(async () => {
  const gone = citing(findingOf('It had a wheel.'), 'https://gone.example/');
  served = await serve(
    aFinding,
    findingOf('It is free.'),
    findingOf('It is decided.'),
    gone,
    findingOf('It is Ben’s.'),
  );
  const [ada, ben, blocked] = [await served.signIn('Ada'), await served.signIn('Ben'), await served.signIn('Eve', [])];
  people = { ada, ben, blocked };
  await decideAs(served.db, 'Cleo', DECIDED, { decision: 'reject', reason: 'claim_reworded' });
  const present = [aFinding, findingOf('It is free.'), findingOf('It is decided.'), findingOf('It is Ben’s.')];
  await served.findings.reconcile(revisionWith(13, ...present));
  await served.decisions.take(MINE, ada);
  await served.decisions.take(OF_BEN, ben);
  before = await tables();
});
afterAll(() => served.close());
afterEach(async () => expect(await tables()).toEqual(before));

const tables = () => Promise.all(TABLES.map((table) => served.db.selectFrom(table).selectAll().execute()));

interface Sent {
  method?: string;
  /** Default: Ada. Null: nobody is signed in. */
  who?: keyof typeof people | null;
  headers?: Record<string, string>;
  body?: string;
}

async function send(path: string, { method = 'POST', who = 'ada', headers = {}, body }: Sent = {}) {
  const own = who === null ? { 'sec-fetch-site': 'same-origin' } : people[who].headers;
  const response = await fetch(`${served.origin}${path}`, {
    method,
    redirect: 'manual',
    headers: { ...own, ...headers },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  const told = response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : {};
  return { status: response.status, text, error: told.error as string, message: told.message as string };
}

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
const decide = (id: number | string, body: unknown, sent: Sent = {}) =>
  send(`/api/findings/${id}/decision`, {
    ...sent,
    headers: { ...JSON_TYPE, ...sent.headers },
    body: JSON.stringify(body),
  });
const submit = (id: number | string, fields: Record<string, string> | [string, string][], sent: Sent = {}) =>
  send(`/findings/${id}/decision`, {
    ...sent,
    headers: { ...FORM_TYPE, ...sent.headers },
    body: String(new URLSearchParams(fields)),
  });

test.each([
  ['an unknown finding', UNKNOWN, 404, 'not_found', /no finding 99/],
  ['a decided one', DECIDED, 409, 'decided', /^Cleo decided on this finding on /],
  ['one whose claim is gone', GONE, 409, 'closed', /no longer on the page/],
  ['one without a lease', FREE, 409, 'no_lease', /run out, or it was never yours/],
  ['one that another person looks at', OF_BEN, 409, 'no_lease', /^Ben looks at/],
])('%s is not decided on', async (_, id, status, error, message) => {
  const body = { decision: 'accept', judged: judgedKey(aFinding) };
  expect(await decide(id, body)).toMatchObject({ status, error, message: expect.stringMatching(message) });
  const page = await submit(id, body);
  expect(page.status).toBe(status);
  expect(page.text).toMatch(new RegExp(message.source.replace('^', '')));
});

test('a stale form is refused: the claim was judged anew since', async () => {
  const body = { decision: 'accept', judged: judgedKey({ ...aFinding, verdict: 'contradicted' }) };
  expect(await decide(MINE, body)).toMatchObject({ status: 409, error: 'stale' });
  expect((await submit(MINE, body)).text).toContain('judged anew');
});

test('nobody decides, takes or undoes without an account that may', async () => {
  for (const path of ['decision', 'lease'].flatMap((verb) => [
    `/api/findings/${MINE}/${verb}`,
    `/findings/${MINE}/${verb}`,
  ])) {
    const body = path.startsWith('/api') ? '{"decision":"accept"}' : 'decision=accept';
    const headers = path.startsWith('/api') ? JSON_TYPE : FORM_TYPE;
    expect((await send(path, { who: null, headers, body })).status).toBe(401);
    expect((await send(path, { who: 'blocked', headers, body })).status).toBe(403);
  }
  for (const path of [`/api/findings/${MINE}/lease`, `/api/findings/${DECIDED}/decision`]) {
    expect((await send(path, { method: 'DELETE', who: null })).status).toBe(401);
    expect((await send(path, { method: 'DELETE', who: 'blocked' })).status).toBe(403);
  }
  expect((await send('/next', { who: null })).status).toBe(401);
  expect((await send(`/findings/${DECIDED}/undo`, { who: 'blocked' })).status).toBe(403);
});

test('a forged token, another person’s, none, or one that was made up is refused', async () => {
  const { csrf } = people.ben;
  for (const token of [csrf, '', 'x', `${people.ada.csrf}x`]) {
    const headers = { 'x-csrf-token': token };
    expect(await decide(MINE, { decision: 'accept' }, { headers })).toMatchObject({ status: 403, error: 'forged' });
    expect((await submit(MINE, { decision: 'accept' }, { headers })).status).toBe(403);
    expect((await send(`/api/findings/${MINE}/lease`, { method: 'DELETE', headers })).status).toBe(403);
    expect((await send(`/findings/${DECIDED}/undo`, { headers })).status).toBe(403);
    expect((await send('/next', { headers })).status).toBe(403);
  }
});

test.each([
  ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
  ['a neighbour', { 'sec-fetch-site': 'same-site', origin: 'https://other.example' }],
  ['the wiki', { 'sec-fetch-site': 'cross-site', origin: 'http://wiki.example:8143' }],
  ['no page', { 'sec-fetch-site': 'cross-site', origin: 'null' }],
])('what %s sends is refused, with a good token too', async (_, headers) => {
  expect((await decide(MINE, { decision: 'accept' }, { headers })).status).toBe(403);
  expect((await submit(MINE, { decision: 'accept' }, { headers })).status).toBe(403);
  expect((await send(`/api/findings/${FREE}/lease`, { headers })).status).toBe(403);
  expect((await send('/next', { headers })).status).toBe(403);
});

test('a form that was sent before is not done again by who replays it', async () => {
  const replayed = { decision: 'reject', reason: 'claim_reworded' };
  expect(await decide(DECIDED, replayed)).toMatchObject({ status: 409, error: 'decided' });
  expect(await send(`/api/findings/${DECIDED}/decision`, { method: 'DELETE' })).toMatchObject({
    status: 409,
    error: 'not_yours',
  });
});

test('a body of 10 MB is too large', async () => {
  const comment = 'x'.repeat(10 * 1024 ** 2);
  expect(await decide(MINE, { decision: 'accept', comment })).toMatchObject({ status: 413, error: 'too_large' });
  expect((await submit(MINE, { decision: 'accept', comment })).status).toBe(413);
  expect((await send(`/api/findings/${FREE}/lease`, { headers: JSON_TYPE, body: `"${comment}"` })).status).toBe(413);
});

test.each<[string, unknown]>([
  ['decision', {}],
  ['decision', { decision: 'perhaps' }],
  ['decision', { decision: 1 }],
  ['decision', { decision: null }],
  ['decision', { decision: ['accept'] }],
  ['decision', { decision: { accept: true } }],
  ['reason', { decision: 'accept', reason: 'because' }],
  ['reason', { decision: 'accept', reason: 7 }],
  ['reason', { decision: 'accept', reason: 'claim_reworded' }],
  ['comment', { decision: 'accept', comment: 12 }],
  ['comment', { decision: 'accept', comment: ['x'] }],
  ['comment', { decision: 'accept', comment: 'x'.repeat(2001) }],
  ['judged', { decision: 'accept', judged: 'yesterday' }],
  ['judged', { decision: 'accept', judged: 12 }],
])('a wrong %s is named', async (field, body) => {
  expect(await decide(MINE, body)).toMatchObject({
    status: 400,
    error: 'invalid',
    message: expect.stringMatching(`^${field}: `),
  });
});

test.each([['null'], ['[]'], ['"accept"'], ['{"decision":'], ['']])('%s is no decision', async (body) => {
  const path = `/api/findings/${MINE}/decision`;
  expect((await send(path, { headers: JSON_TYPE, body })).status).toBe(400);
});

test('a field that is given twice is refused', async () => {
  const twice: [string, string][] = [
    ['decision', 'accept'],
    ['decision', 'reject'],
  ];
  expect((await submit(MINE, twice)).status).toBe(400);
});

test('another type than JSON is refused by the API', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
    const headers = { 'content-type': type };
    expect((await send(`/api/findings/${MINE}/decision`, { headers, body: 'decision=accept' })).status).toBe(415);
  }
});

test.each(NASTY)('%s in any field or address is refused in words', async (nasty) => {
  const fields = [{ decision: nasty }, { decision: 'accept', reason: nasty }, { decision: 'accept', judged: nasty }];
  for (const body of fields) {
    expect(await decide(MINE, body)).toMatchObject({ status: 400, error: 'invalid' });
    const page = await submit(MINE, body);
    expect(page.status).toBe(400);
    expect(page.text).not.toContain(nasty);
  }
  const id = encodeURIComponent(nasty);
  expect(await decide(id, { decision: 'accept' })).toMatchObject({ status: 400, error: 'invalid' });
  expect((await submit(id, { decision: 'accept' })).status).toBe(400);
  for (const verb of ['lease', 'undo']) expect((await send(`/findings/${id}/${verb}`)).status).toBe(400);
  expect(
    (await send(`/findings/${MINE}/decision?verdict=${id}`, { headers: FORM_TYPE, body: 'decision=accept' })).status,
  ).toBe(400);
  expect((await send(`/next?sort=${id}`)).status).toBe(400);
});

test.each(['0', '-1', '1.5', '1e3', '0x1', '９', '99999999999999999999', '%00', '..%2f1'])(
  '%s is no finding',
  async (id) => {
    const { status, error } = await decide(id, { decision: 'accept' });
    expect([
      [400, 'invalid'],
      [404, 'not_found'],
    ]).toContainEqual([status, error]);
    expect([400, 404]).toContain((await submit(id, { decision: 'accept' })).status);
  },
);
