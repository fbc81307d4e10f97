import { judgedKey } from '../../../workers/review/judged.ts';
import { aFinding } from '../../support/examples.ts';
import { type Served, type SignedIn, serve } from './served.ts';
import { findingOf } from './store.ts';

const elsewhere = findingOf('Elsewhere it rains.', { score: 0.4, page: { id: 9, title: 'Elsewhere' } });
let served: Served;
let ada: SignedIn;
let ben: SignedIn;
beforeEach(async () => {
  served = await serve(aFinding, findingOf('The quay is of granite.', { score: 0.3 }), elsewhere);
  [ada, ben] = [await served.signIn('Ada'), await served.signIn('Ben')];
});
afterEach(() => served.close());

/** A form of the review page; gives the status and where it leads. */
async function submit(path: string, who: SignedIn, fields: Record<string, string> = {}) {
  const { 'x-csrf-token': _, ...headers } = who.headers;
  const body = new URLSearchParams({ _csrf: who.csrf, ...fields });
  const response = await fetch(`${served.origin}${path}`, { method: 'POST', redirect: 'manual', headers, body });
  return { status: response.status, to: response.headers.get('location'), text: await response.text() };
}

async function ask(method: string, path: string, who: SignedIn, body?: object) {
  const response = await fetch(`${served.origin}/api${path}`, {
    method,
    headers: { ...who.headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  // every answer of the API is a JSON object, or empty
  return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> };
}

const holder = async (id: number) => (await served.decisions.holderOf(id))?.name ?? null;

test('a form takes a finding, decides on it, and leads to the next free one, which is taken, with the filter kept', async () => {
  expect(await submit('/findings/1/lease?page=Orrin+Bay', ada)).toMatchObject({
    status: 303,
    to: '/findings/1?page=Orrin+Bay',
  });
  const form = { decision: 'accept', reason: 'source_silent', comment: '', judged: judgedKey(aFinding) };
  expect(await submit('/findings/1/decision?page=Orrin+Bay', ada, form)).toMatchObject({
    status: 303,
    to: '/findings/2?page=Orrin+Bay&done=1',
  });
  expect([await holder(1), await holder(2), await holder(3)]).toEqual([null, 'Ada', null]);
  expect(await submit('/findings/2/decision?page=Orrin+Bay', ada, { decision: 'reject' })).toMatchObject({
    to: '/?page=Orrin+Bay&done=2',
  });
});

test('two people who begin with the same list are given two findings', async () => {
  const [first, second] = await Promise.all([submit('/next', ada), submit('/next', ben)]);
  expect(new Set([first.to, second.to])).toEqual(new Set(['/findings/1', '/findings/2']));
});

test('the same form sent twice at once decides once, and both lead on', async () => {
  await submit('/findings/1/lease', ada);
  const form = { decision: 'skip', judged: judgedKey(aFinding) };
  const answers = await Promise.all([1, 2].map(() => submit('/findings/1/decision', ada, form)));
  expect(answers.map(({ status }) => status)).toEqual([303, 303]);
  expect(await served.findings.history(1)).toHaveLength(1);
});

test('undo leads back to the finding, which is one’s own again', async () => {
  await submit('/findings/1/lease', ada);
  await submit('/findings/1/decision?page=Orrin+Bay', ada, { decision: 'accept' });
  expect(await submit('/findings/1/undo?page=Orrin+Bay', ada)).toMatchObject({
    status: 303,
    to: '/findings/1?page=Orrin+Bay',
  });
  expect(await served.findings.get(1)).toMatchObject({ state: 'open', decision: null });
  expect(await holder(1)).toBe('Ada');
});

test('a program takes a finding, decides, sees it in the history, and takes it back', async () => {
  const taken = await ask('POST', '/findings/1/lease', ada);
  expect(taken).toMatchObject({ status: 200, body: { until: expect.stringMatching(/Z$/) } });
  expect(await ask('DELETE', '/findings/1/lease', ada)).toMatchObject({ status: 204 });
  expect(await ask('POST', '/findings/1/decision', ada, { decision: 'accept' })).toMatchObject({
    status: 409,
    body: { error: 'no_lease' },
  });
  await ask('POST', '/findings/1/lease', ada);
  const decided = await ask('POST', '/findings/1/decision', ada, {
    decision: 'accept',
    reason: 'partly',
    comment: 'Half.',
  });
  expect(decided).toMatchObject({ status: 200, body: { id: 1, state: 'accepted', decision: 'accept' } });
  const { body } = await ask('GET', '/findings/1/decisions', ben);
  expect(body).toMatchObject({ decisions: [{ by: 'Ada', reason: 'partly', comment: 'Half.', undoneAt: null }] });
  expect(await ask('DELETE', '/findings/1/decision', ben)).toMatchObject({ status: 409, body: { error: 'not_yours' } });
  expect(await ask('DELETE', '/findings/1/decision', ada)).toMatchObject({ status: 200, body: { state: 'open' } });
});

test('what another person looks at is not taken', async () => {
  await ask('POST', '/findings/1/lease', ada);
  expect(await ask('POST', '/findings/1/lease', ben)).toMatchObject({ status: 409, body: { error: 'leased' } });
  const refused = await submit('/findings/1/decision', ben, { decision: 'accept' });
  expect(refused.status).toBe(409);
  expect(refused.text).toContain('Ada looks at this finding until');
});

test('SQL and HTML in a note are kept as they are, and shown as text', async () => {
  const comment = `'); DROP TABLE decisions; -- <script>alert(1)</script> "><img src=x onerror=alert(2)>`;
  await submit('/findings/1/lease', ada);
  await submit('/findings/1/decision', ada, { decision: 'accept', comment });
  expect(await served.findings.history(1)).toMatchObject([{ comment }]);
  const page = await (await fetch(`${served.origin}/findings/1`)).text();
  expect(page).toContain('&#60;script&#62;alert(1)');
  expect(page).not.toContain('<script>alert');
});

test.each(['/sign-out', '/sign-out/everywhere'])('%s gives back what one looked at', async (path) => {
  await ask('POST', '/findings/1/lease', ada);
  await ask('POST', '/findings/2/lease', ben);
  expect((await submit(path, ada)).status).toBe(303);
  expect([await holder(1), await holder(2)]).toEqual([null, 'Ben']);
});
