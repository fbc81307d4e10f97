import { TransientError } from '../../../shared/errors.ts';
import { createFetch, type FetchSettings } from '../../../workers/source/fetch.ts';
import { startWeb, type Web } from '../../support/web.ts';
import { type NameServer, startNameServer } from './name-server.ts';

const never = new AbortController().signal;
const quiet = Array.from({ length: 16 }, (_, index) => `quiet-${index}.example`);
const answers: Record<string, readonly string[] | 'silent' | (() => readonly string[])> = {
  'fast.example': ['127.0.0.1'],
  'localhost.localdomain': ['127.0.0.1'],
  'ten.example': ['10.0.0.1'],
  'metadata.example': ['169.254.169.254'],
  'nat64.example': ['64:ff9b::a9fe:a9fe'],
  'local-v6.example': ['fe80::1', 'fd00::1', '::1'],
  'two-faced.example': ['10.0.0.1', '127.0.0.1'],
  'nothing.example': [],
  ...Object.fromEntries(quiet.map((name) => [name, 'silent' as const])),
};

let web: Web;
let names: NameServer;
let slow: Web[];
beforeAll(async () => {
  web = await startWeb({ '/': '<p>here</p>', '/silent': () => undefined });
  slow = await Promise.all(Array.from({ length: 16 }, () => startWeb({ '/': () => undefined })));
  names = await startNameServer(answers);
});
afterAll(() => Promise.all([web.close(), names.close(), ...slow.map((each) => each.close())]));

const settings = (allowLoopback: boolean): FetchSettings => ({
  userAgent: 'Test/1.0',
  allowLoopback,
  gateway: null,
  nameServers: [names.address],
  limits: { totalMs: 30_000, silenceMs: 30_000 },
});

test.each([
  'ten.example',
  'metadata.example',
  'nat64.example',
  'local-v6.example',
  'localhost.localdomain',
  'fast.example',
])('%s, which leads to an address within, is refused', async (name) => {
  const fetch = createFetch(settings(false));
  expect(await fetch(`http://${name}:${web.port}/`, { signal: never })).toMatchObject({ reason: 'refused_address' });
});

test('of the addresses of a name, those that are allowed are used alone', async () => {
  const fetch = createFetch(settings(true));
  expect(await fetch(`http://two-faced.example:${web.port}/`, { signal: never })).toMatchObject({ status: 200 });
});

test('a name that led to a public address a moment ago is looked up again and refused', async () => {
  let turn = 0;
  answers['rebinding.example'] = () => (turn++ < 2 ? ['127.0.0.1'] : ['10.0.0.1']);
  const fetch = createFetch(settings(true));
  const url = `http://rebinding.example:${web.port}/`;
  expect(await fetch(url, { signal: never })).toMatchObject({ status: 200 });
  expect(await fetch(url, { signal: never })).toMatchObject({ reason: 'refused_address' });
});

test.each(['nothing.example', 'unknown.example'])('%s has no address: it is unreachable', async (name) => {
  const fetch = createFetch(settings(true));
  expect(await fetch(`http://${name}/`, { signal: never })).toMatchObject({ reason: 'unreachable' });
});

test('16 hosts that never answer, and 16 whose name servers never do, keep no other host waiting', async () => {
  const fetch = createFetch(settings(true));
  const stop = new AbortController();
  const ended: string[] = [];
  const addresses = [
    ...slow.map(({ port }) => `http://fast.example:${port}/`),
    ...quiet.map((name) => `http://${name}/`),
  ];
  for (const url of addresses) {
    void fetch(url, { signal: stop.signal }).then(
      () => ended.push(url),
      () => undefined, // stopped below
    );
  }
  expect(await fetch(`http://fast.example:${web.port}/`, { signal: never })).toMatchObject({ status: 200 });
  expect(ended).toEqual([]);
  stop.abort();
});

test('time runs out and a caller stops while a name is being looked up', async () => {
  const fetch = createFetch({ ...settings(true), limits: { totalMs: 200, silenceMs: 30_000 } });
  expect(await fetch('http://quiet-0.example/', { signal: never })).toMatchObject({ reason: 'timeout' });
  const stop = new AbortController();
  const stopped = createFetch(settings(true))('http://quiet-1.example/', { signal: stop.signal });
  stop.abort();
  await expect(stopped).rejects.toThrow(TransientError);
}, 5000); // the look-ups themselves give up after eight seconds
