import { z } from 'zod';
import { connectRedis } from '../../../shared/redis.ts';
import { describeWith } from '../../support/describe-with.ts';
import { aFinding } from '../../support/examples.ts';
import { startRedis } from '../../support/redis.ts';
import { type Served, serve, WIKI_ORIGIN } from './served.ts';

let served: Served;
beforeEach(async () => {
  served = await serve({ rates: { reads: 3, writes: 1, account: 5 } }, aFinding);
});
afterEach(() => served.close());

const read = (headers: Record<string, string> = {}) => fetch(`${served.origin}/api/findings`, { headers });

test('who reads too often is told how long to wait, also a wiki’s page', async () => {
  for (let count = 0; count < 3; count++) expect((await read()).status).toBe(200);
  const refused = await read({ origin: WIKI_ORIGIN });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(refused.headers.get('access-control-allow-origin')).toBe(WIKI_ORIGIN);
  expect(refused.headers.get('access-control-expose-headers')).toBe('retry-after');
  expect(Failure.parse(await refused.json()).error).toBe('too_many_requests');
});

test('what changes something is counted apart from reading, and an account apart from its address', async () => {
  const { headers } = await served.signIn('Ada'); // one read of that account
  const change = (sent: Record<string, string>) =>
    fetch(`${served.origin}/api/findings/1/lease`, { method: 'POST', headers: sent });
  expect((await change({})).status).toBe(401);
  expect((await change({})).status).toBe(429);
  expect((await read()).status).toBe(200);
  for (let count = 0; count < 4; count++) expect((await change(headers)).status).toBe(200);
  expect((await change(headers)).status).toBe(429);
  expect((await read()).status).toBe(200);
});

test('a page is refused as a page, and what it is made of is not counted', async () => {
  const style = /href="(\/static\/[^"]+\.css)"/.exec(await (await fetch(`${served.origin}/`)).text())?.[1];
  for (let count = 0; count < 9; count++) expect((await fetch(`${served.origin}${style}`)).status).toBe(200);
  await read();
  await read();
  const refused = await fetch(`${served.origin}/`);
  expect([refused.status, refused.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
});

test('tokens are not tried as often as one likes, wherever', async () => {
  const tried = await Promise.all(
    ['/api/findings', '/api/nothing', '/', '/nothing', '/feed.xml'].map((path) =>
      fetch(`${served.origin}${path}`, { headers: { authorization: 'Bearer sidelight_guessed' } }),
    ),
  );
  expect(tried.map(({ status }) => status).sort()).toEqual([401, 401, 401, 429, 429]);
});

test('what there is nothing at is counted too', async () => {
  for (let count = 0; count < 3; count++) expect((await fetch(`${served.origin}/nothing`)).status).toBe(404);
  expect((await fetch(`${served.origin}/api/nothing`)).status).toBe(429);
});

test('at a server of this machine nobody is another address by saying so', async () => {
  const statuses: number[] = [];
  for (let count = 0; count < 4; count++) statuses.push((await read({ 'x-forwarded-for': `192.0.2.${count}` })).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
});

test('behind a proxy the address that the proxy saw counts, whatever came along', async () => {
  const far = await serve(
    { rates: { reads: 2, writes: 1, account: 5 }, publicUrl: 'https://review.example' },
    aFinding,
  );
  const statuses: number[] = [];
  for (let count = 0; count < 3; count++) {
    const headers = { 'x-forwarded-for': `192.0.2.${count}, 10.0.0.${count}, 198.51.100.7` };
    statuses.push((await fetch(`${far.origin}/api/findings`, { headers })).status);
  }
  const other = await fetch(`${far.origin}/api/findings`, { headers: { 'x-forwarded-for': 'no address' } });
  await far.close();
  expect([...statuses, other.status]).toEqual([200, 200, 429, 200]);
});

const Failure = z.object({ error: z.string(), message: z.string() });

describeWith(['redis'], 'two processes', () => {
  test('count together what one address asks', async () => {
    const server = await startRedis();
    const connections = await Promise.all([connectRedis(server.url, 'counter'), connectRedis(server.url, 'counter')]);
    const rates = { reads: 3, writes: 1, account: 5 };
    const both = await Promise.all(connections.map((counters) => serve({ rates, counters }, aFinding)));
    const statuses: number[] = [];
    for (const turn of [0, 1, 0, 1]) {
      statuses.push((await fetch(`${both[turn]?.origin}/api/findings`)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
    await server.stop();
    // without its Redis the service goes on
    expect((await fetch(`${both[0]?.origin}/api/findings`)).status).toBe(200);
    for (const redis of connections) redis.disconnect();
    for (const each of both) await each.close();
  });
});
