/** Turns at hosts, shared by workers through a real Redis; what a server sees of them. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Redis } from 'ioredis';
import { parseConfig } from '../../../shared/config.ts';
import { Busy } from '../../../shared/errors.ts';
import { connectRedis } from '../../../shared/redis.ts';
import { createFetch, type Fetch } from '../../../workers/source/fetch.ts';
import { createReader } from '../../../workers/source/read.ts';
import { createProcessTurns, createSharedTurns, type TurnSettings, type Turns } from '../../../workers/source/turns.ts';
import { describeWith } from '../../support/describe-with.ts';
import { aCitation } from '../../support/examples.ts';
import { type RunningRedis, startRedis } from '../../support/redis.ts';
import { startWeb } from '../../support/web.ts';

const settings: TurnSettings = { pauseMs: 100, daily: 1000, hostDaily: 1000 };
const { signal } = new AbortController();

describeWith(['redis'], 'turns that workers share', () => {
  let server: RunningRedis;
  let redis: Redis;
  beforeAll(async () => {
    server = await startRedis();
    redis = await connectRedis(server.url, 'worker');
  });
  afterAll(async () => {
    await redis?.quit();
    await server?.stop();
  });
  beforeEach(() => redis.flushall());

  promises((changes) => createSharedTurns(redis, { ...settings, ...changes }));

  test('two workers ask a host one after the other, with the pause between two requests', async () => {
    const host = await startHost();
    const [one, two] = [createSharedTurns(redis, settings), createSharedTurns(redis, settings)];
    await Promise.all([read(host, one), read(host, two), read(host, one), read(host, two)]);
    await host.close();
    expect(host.mostAtOnce()).toBe(1);
    for (const gap of host.gaps()) expect(gap).toBeGreaterThanOrEqual(settings.pauseMs - 5);
  });

  test('a host that one worker asked too often is left alone by all', async () => {
    const busy = await startWeb({ '/busy': refuse(429, '30') });
    await get(`${busy.origin}/busy`, createSharedTurns(redis, settings));
    await busy.close();
    const [key] = await redis.keys('*:turn:*');
    expect(await redis.pttl(key ?? '')).toBeGreaterThan(20_000);
  });

  test('the turn of a worker that was killed runs out', async () => {
    await createSharedTurns(redis, settings).take('a.example', signal);
    const [key] = await redis.keys('*:turn:a.example');
    expect(await redis.pttl(key ?? '')).toBeGreaterThan(20_000);
  });

  test('an end that comes too late does not end the next one’s turn', async () => {
    const turns = createSharedTurns(redis, { ...settings, pauseMs: 0 });
    const late = await turns.take('a.example', signal);
    await redis.del(...(await redis.keys('*:turn:a.example')));
    await turns.take('a.example', signal);
    await late.end();
    expect(await redis.keys('*:turn:a.example')).toHaveLength(1);
  });
});

describe('turns of one process', () => {
  promises((changes) => createProcessTurns({ patient: false, ...settings, ...changes }));

  test('who is patient waits behind however many', async () => {
    const turns = createProcessTurns({ ...settings, pauseMs: 0 });
    const waiting = Array.from({ length: 5 }, () => turns.take('a.example', signal));
    await Promise.all(waiting.map(async (turn) => (await turn).end()));
    await expect(turns.take('a.example', signal)).resolves.toHaveProperty('end');
  });
});

test('no page of a host is asked for before the time that the host gave when it refused another', async () => {
  const times: number[] = [];
  const note = (answer: Route) => (request: IncomingMessage, response: ServerResponse) => {
    times.push(performance.now());
    answer(request, response);
  };
  const busy = await startWeb({
    '/busy': note(refuse(429, '1')),
    '/other': note((_, response) => response.end('a page')),
  });
  const turns = createProcessTurns({ ...settings, pauseMs: 0 });
  await get(`${busy.origin}/busy`, turns);
  expect(await get(`${busy.origin}/other`, turns)).toMatchObject({ status: 200 });
  await busy.close();
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(990);
});

test.each([
  ['429', '30', 30_000],
  ['503', '30', 30_000],
  ['429', '86400', 60_000],
  ['503', 'soon', 0],
  ['200', '30', 0],
  ['403', '30', 0],
])('status %s with Retry-After: %s pauses the host for %s ms', async (status, after, pause) => {
  const pauses: (number | undefined)[] = [];
  const turns: Turns = { take: async () => ({ end: async (ms) => void pauses.push(ms) }) };
  const host = await startWeb({ '/a': refuse(Number(status), after) });
  await get(`${host.origin}/a`, turns);
  await host.close();
  expect(pauses).toEqual([pause]);
});

test('a reader with the settings of an installation takes turns, and what is wrong with them is no page’s fault', async () => {
  const host = await startHost();
  const { sources } = parseConfig({ ALLOW_LOOPBACK_SOURCES: '1', SOURCE_PAUSE: '0' });
  const taken: string[] = [];
  const turns = createProcessTurns(sources.turns);
  const noted: Turns = {
    take(name, until) {
      taken.push(name);
      return turns.take(name, until);
    },
  };
  const broken = { take: null } as unknown as Turns; // what a caller's mistake looks like
  await createReader(sources, { turns: noted }).read({ ...aCitation, url: host.url }, signal);
  await expect(createReader(sources, { turns: broken }).read({ ...aCitation, url: host.url }, signal)).rejects.toThrow(
    TypeError,
  );
  await host.close();
  expect(taken[0]).toBe(new URL(host.url).host);
});

/** What holds wherever turns are written down. */
function promises(create: (changes?: Partial<TurnSettings>) => Turns): void {
  test('another host has its turn meanwhile', async () => {
    const turns = create();
    await turns.take('a.example', signal);
    await expect(turns.take('b.example', signal)).resolves.toHaveProperty('end');
  });

  test('where two wait already, a third is told to come back', async () => {
    const turns = create();
    const first = await turns.take('a.example', signal);
    const waiting = [turns.take('a.example', signal), turns.take('a.example', signal)];
    const refused = await turns.take('a.example', signal).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Busy);
    await first.end();
    await Promise.all(waiting.map(async (turn) => (await turn).end()));
    await expect(turns.take('a.example', signal)).resolves.toHaveProperty('end');
  });

  test('who stops waiting leaves his place to the next', async () => {
    const turns = create();
    const turn = await turns.take('a.example', signal);
    const abort = new AbortController();
    const waiting = turns.take('a.example', abort.signal);
    abort.abort();
    await expect(waiting).rejects.toHaveProperty('name', 'AbortError');
    await turn.end();
    await expect(turns.take('a.example', signal)).resolves.toHaveProperty('end');
  });

  test.each([
    ['of a host', { hostDaily: 2 }, 'a.example'],
    ['of all hosts', { daily: 2 }, 'b.example'],
  ])('when the day’s requests %s are spent, it is told to come back tomorrow', async (_whose, budget, host) => {
    const turns = create({ pauseMs: 0, ...budget });
    for (const _ of [1, 2]) await (await turns.take('a.example', signal)).end();
    const refused = await turns.take(host, signal).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Busy);
    const { retryAfterMs } = refused as Busy; // the line above has seen to it
    expect(retryAfterMs).toBeLessThanOrEqual(24 * 3600 * 1000);
  });

  test('a host that asks for a longer pause has it', async () => {
    const turns = create();
    await (await turns.take('a.example', signal)).end(10_000);
    const refused = turns.take('a.example', AbortSignal.timeout(300));
    await expect(refused).rejects.toHaveProperty('name', 'AbortError');
  });
}

interface Host {
  url: string;
  mostAtOnce(): number;
  /** From the end of an answer to the next request, milliseconds. */
  gaps(): number[];
  close(): Promise<void>;
}

/** Notes when it is asked, and how often at once. */
async function startHost(): Promise<Host> {
  const asked: number[] = [];
  const answered: number[] = [];
  let [now, most] = [0, 0];
  const server: Server = createServer((_request, response) => {
    asked.push(performance.now());
    now += 1;
    most = Math.max(most, now);
    setImmediate(() => {
      now -= 1;
      answered.push(performance.now());
      response.end('a page');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // a server that listens on TCP has an AddressInfo
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://host.localhost:${port}/`,
    mostAtOnce: () => most,
    gaps: () => asked.slice(1).map((time, index) => time - (answered[index] ?? 0)),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

const read = (host: Host, turns: Turns) => get(host.url, turns);

async function get(url: string, turns: Turns): ReturnType<Fetch> {
  return createFetch({ userAgent: 'test', allowLoopback: true, gateway: null }, turns)(url, { signal });
}

type Route = (request: IncomingMessage, response: ServerResponse) => void;

function refuse(status: number, after: string): Route {
  return (_, response) => void response.writeHead(status, { 'retry-after': after }).end();
}
