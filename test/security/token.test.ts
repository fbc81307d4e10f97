/** What somebody can do with a token that leaked, how its owner sees it, and how it ends. */
import { makeToken } from '../../workers/review/tokens.ts';
import { aFinding } from '../support/examples.ts';
import { type Served, type SignedIn, serve } from '../workers/review/served.ts';

let served: Served;
let mia: SignedIn;
let secret: string;
let id: number;
beforeEach(async () => {
  served = await serve(aFinding);
  mia = await served.signIn('Mia', ['patroller', 'maintainer']);
  const made = await makeToken(served.db, mia.id, 'nightly');
  [secret, id] = [made.secret, made.token.id];
});
afterEach(() => served.close());

const stolen = (path: string, method = 'GET') =>
  fetch(`${served.origin}${path}`, { method, headers: { authorization: `Bearer ${secret}` }, redirect: 'manual' });
const shown = async () => {
  const answer = await fetch(`${served.origin}/api/tokens`, { headers: mia.headers });
  return (await answer.json()) as { tokens: { id: number; usedAt: string | null }[] };
};

test('its use is seen by its owner, to the minute', async () => {
  expect((await shown()).tokens).toMatchObject([{ id, usedAt: null }]);
  expect((await stolen('/api/findings')).status).toBe(200);
  const [{ usedAt } = { usedAt: null }] = (await shown()).tokens;
  expect(Math.abs(Date.now() - Date.parse(usedAt ?? ''))).toBeLessThan(60_000);
  expect(await (await fetch(`${served.origin}/account/tokens`, { headers: mia.headers })).text()).toContain(
    usedAt?.slice(0, 10) ?? '?',
  );
});

test('revoked, it holds no more from the next request on', async () => {
  expect((await stolen('/api/tokens')).status).toBe(200);
  await fetch(`${served.origin}/api/tokens/${id}`, { method: 'DELETE', headers: mia.headers });
  expect((await stolen('/api/tokens')).status).toBe(401);
  expect((await stolen('/api/findings')).status).toBe(401);
});

test('it does no more for somebody who is no maintainer any more', async () => {
  await served.signIn('Mia');
  expect((await stolen('/api/findings')).status).toBe(403);
});

test('neither it nor another token can be read again, here or in the database', async () => {
  expect(await (await stolen('/api/tokens')).text()).not.toContain(secret);
  const rows = JSON.stringify(await served.db.selectFrom('tokens').selectAll().execute());
  expect([rows.includes(secret), rows.includes('nightly')]).toEqual([false, true]);
});

test('it ends no session', async () => {
  await stolen('/sign-out/everywhere', 'POST');
  expect((await shown()).tokens).toHaveLength(1);
});
