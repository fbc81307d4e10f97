/** What servers do that mean harm or are broken, each against a real socket. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { createFetch, type FetchSettings } from '../../../workers/source/fetch.ts';
import { type Routes, startWeb, type Web } from '../../support/web.ts';

const LIMITS = { totalMs: 5000, silenceMs: 400, bodyBytes: 50_000, redirects: 5 };
const settings: FetchSettings = { userAgent: 'Test/1.0', allowLoopback: true, gateway: null, limits: LIMITS };
const never = new AbortController().signal;
const zeros = Buffer.alloc(20_000_000);

const packed = (encoding: string, body: Buffer) => (_: IncomingMessage, response: ServerResponse) =>
  void response.setHeader('content-encoding', encoding).setHeader('content-type', 'text/html').end(body);
const redirect = (location: string) => (_: IncomingMessage, response: ServerResponse) =>
  void response.writeHead(302, { location }).end();

const ROUTES: Routes = {
  '/page': '<p>here</p>',
  '/caf%C3%A9': '<p>coffee</p>',
  '/headers': (request, response) => response.end(JSON.stringify(request.headers)),
  '/gzip-bomb': packed('gzip', gzipSync(zeros)),
  '/br-bomb': packed('br', brotliCompressSync(zeros)),
  '/deflate-bomb': packed('deflate', deflateSync(zeros)),
  '/raw-deflate-bomb': packed('deflate', deflateRawSync(zeros)),
  '/nested-bomb': packed('gzip, gzip', gzipSync(gzipSync(zeros))),
  '/deep-nest': packed(Array(40).fill('gzip').join(', '), gzipSync('deep')),
  '/zstd': packed('zstd', Buffer.from('28b52ffd0458', 'hex')),
  '/compress': packed('compress', Buffer.from('1f9d90', 'hex')),
  '/identity': packed('identity', Buffer.from('plain')),
  '/utf-8-encoding': packed('utf-8', Buffer.from('plain')),
  '/twice': packed('gzip, deflate', deflateSync(gzipSync('unpacked'))),
  '/cut-gzip': packed('gzip', gzipSync('x'.repeat(5000)).subarray(0, 30)),
  '/to-ftp': redirect('ftp://files.example/page'),
  '/to-data': redirect('data:text/html,<p>here'),
  '/to-script': redirect('javascript:alert(1)'),
  '/to-blob': redirect('blob:http://pages.localhost/1'),
  '/to-mail': redirect('mailto:me@files.example'),
  '/to-bad-port': redirect('http://pages.localhost:25/'),
  '/to-database': redirect('http://pages.localhost:6379/'),
  '/pour-and-loop': (_, response) => pourAfter(response, 302, { location: '/pour-and-loop' }),
  '/pour-and-stop': (_, response) => pourAfter(response, 500, {}),
  '/nowhere': (_, response) => void response.writeHead(302).end(),
  '/teapot': (_, response) => void response.writeHead(299).end('odd'),
};
for (const host of [
  '[::]',
  '0',
  '0.0.0.0',
  '2130706433',
  '0x7f.1',
  '[::ffff:169.254.169.254]',
  '[64:ff9b::a9fe:a9fe]',
  '[fe80::1]',
  '[fd00::1]',
  '[2002:7f00:1::]',
  '127.0.0.1.',
  '%E2%91%A0%E2%91%A1%E2%91%A6.0.0.1',
]) {
  ROUTES[`/host/${encodeURIComponent(host)}`] = redirect(`http://${host}/`);
}

let web: Web;
beforeAll(async () => {
  web = await startWeb(ROUTES);
});
afterAll(() => web.close());

const get = (path: string, changes: Partial<FetchSettings> = {}) =>
  createFetch({ ...settings, ...changes })(`${web.origin}${path}`, { signal: never });

test.each([
  ['/gzip-bomb', 'too_large'],
  ['/br-bomb', 'too_large'],
  ['/deflate-bomb', 'too_large'],
  ['/raw-deflate-bomb', 'too_large'],
  ['/nested-bomb', 'too_large'],
  ['/deep-nest', 'unsupported_type'],
  ['/zstd', 'unsupported_type'],
  ['/compress', 'unsupported_type'],
  ['/cut-gzip', 'truncated'],
  ['/to-ftp', 'refused_address'],
  ['/to-data', 'refused_address'],
  ['/to-script', 'refused_address'],
  ['/to-blob', 'refused_address'],
  ['/to-mail', 'refused_address'],
  ['/to-bad-port', 'refused_address'],
  ['/to-database', 'refused_address'],
  ['/pour-and-loop', 'too_many_redirects'],
])('%s gives %s', async (path, reason) => {
  expect(await get(path)).toMatchObject({ kind: 'unavailable', reason });
});

test.each(Object.keys(ROUTES).filter((path) => path.startsWith('/host/')))(
  '%s is refused, also where loopback is allowed by its usual name',
  async (path) => {
    const isLoopback = /2130706433|0x7f|127|%E2/.test(decodeURIComponent(path));
    if (!isLoopback) expect(await get(path)).toMatchObject({ reason: 'refused_address' });
    const admit = async (url: URL) =>
      url.hostname === 'pages.localhost' ? null : { ...REACHED, detail: url.hostname };
    const outcome = await createFetch(settings)(`${web.origin}${path}`, { signal: never, admit });
    if (!isLoopback) expect(outcome).toMatchObject({ reason: 'refused_address' });
    else expect(outcome).toEqual({ ...REACHED, detail: '127.0.0.1' });
  },
);

test.each(['/identity', '/utf-8-encoding'])('%s, which packs nothing, is read as it is', async (path) => {
  expect(bodyOf(await get(path))).toBe('plain');
});

test('what was packed twice is unpacked twice', async () => {
  expect(bodyOf(await get('/twice'))).toBe('unpacked');
});

test('a redirect without an address is no page, and is not followed', async () => {
  expect(await get('/nowhere')).toMatchObject({ kind: 'response', status: 302 });
});

test('a status that nobody has heard of is kept, and an endless body of an error is not waited for', async () => {
  expect(await get('/teapot')).toMatchObject({ kind: 'response', status: 299 });
  expect(await get('/pour-and-stop')).toMatchObject({ kind: 'response', status: 500 });
});

test('a name and password in an address are sent to nobody', async () => {
  const address = `${web.origin.replace('://', '://me:secret@')}/headers`;
  const outcome = await createFetch(settings)(address, { signal: never });
  expect(bodyOf(outcome)).not.toMatch(/authorization|secret/);
  expect(outcome).toMatchObject({ finalUrl: `${web.origin}/headers` });
});

test.each([
  ['not an address', 'invalid_url'],
  ['data:text/html,<p>here', 'invalid_url'],
  ['ftp://files.example/page', 'invalid_url'],
  ['file:///etc/hostname', 'invalid_url'],
  ['http://', 'invalid_url'],
  ['http://pages.localhost:22/', 'refused_address'],
])('%s is not asked for: %s', async (url, reason) => {
  expect(await createFetch(settings)(url, { signal: never })).toMatchObject({ kind: 'unavailable', reason });
});

test('an address of 4,000 characters is asked for', async () => {
  const path = `/${'a'.repeat(3900)}`;
  expect(await get(path)).toMatchObject({ kind: 'response', status: 404 });
});

test('a host name in other letters is asked for by its ASCII name', async () => {
  const hosts: string[] = [];
  const admit = async (url: URL) => {
    hosts.push(url.host);
    return REACHED;
  };
  await createFetch(settings)('http://hafen-überblick.localhost/', { signal: never, admit });
  expect(hosts).toEqual(['xn--hafen-berblick-lsb.localhost']);
});

describe('by hand', () => {
  const answers: Record<string, (socket: Socket) => void> = {
    'raw-utf8-location': (socket) =>
      void socket.end(Buffer.from(`HTTP/1.1 301 Moved\r\nLocation: ${web.origin}/café\r\nContent-Length: 0\r\n\r\n`)),
    'latin1-location': (socket) =>
      void socket.end(
        Buffer.from(`HTTP/1.1 301 Moved\r\nLocation: ${web.origin}/caf\u00e9\r\nContent-Length: 0\r\n\r\n`, 'latin1'),
      ),
    'cut-chunk': (socket) => void socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n400\r\nonly this'),
    'cut-between-chunks': (socket) =>
      void socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nsome\r\n'),
    'bad-chunk': (socket) => void socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nsome\r\n'),
    'no-length': (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nold server'),
    'endless-headers': (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      repeat(socket, (turn) => `x-${turn}: ${'a'.repeat(500)}\r\n`, 0);
    },
    'one-endless-header': (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx: ');
      repeat(socket, () => 'a'.repeat(500), 0);
    },
    'header-drip': (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx: ');
      repeat(socket, () => 'a', 30);
    },
    'endless-continue': (socket) => repeat(socket, () => 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n', 1),
    'no-http': (socket) => void socket.end('220 mail.example ESMTP\r\n'),
    hangup: (socket) => void socket.destroy(),
    'bad-length': (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\nsome'),
  };
  const servers: Server[] = [];
  const ports = new Map<string, AddressInfo>();
  beforeAll(async () => {
    for (const [name, answer] of Object.entries(answers)) {
      const server = await listen(answer);
      servers.push(server);
      // a server that listens on TCP has an AddressInfo
      ports.set(name, server.address() as AddressInfo);
    }
  });
  afterAll(() => {
    for (const server of servers) server.close();
  });
  const ask = (name: string) => {
    const { port } = ports.get(name) ?? { port: 0 };
    const limits = { ...LIMITS, totalMs: 800, silenceMs: 500 };
    return createFetch({ ...settings, limits })(`http://by-hand.localhost:${port}/`, { signal: never });
  };

  test.each([
    ['cut-chunk', 'truncated'],
    ['cut-between-chunks', 'truncated'],
    ['bad-chunk', 'truncated'],
    ['endless-headers', 'too_large'],
    ['one-endless-header', 'too_large'],
    ['header-drip', 'timeout'],
    ['endless-continue', 'timeout'],
    ['no-http', 'unreachable'],
    ['hangup', 'unreachable'],
    ['bad-length', 'unreachable'],
  ])('%s gives %s', async (name, reason) => {
    expect(await ask(name)).toMatchObject({ kind: 'unavailable', reason });
  });

  test('an address that a redirect gives in raw UTF-8 is read as such, and one in Latin-1 as that', async () => {
    const finalUrl = `${web.origin}/caf%C3%A9`;
    expect(await ask('raw-utf8-location')).toMatchObject({ status: 200, finalUrl });
    expect(await ask('latin1-location')).toMatchObject({ status: 200, finalUrl });
  });

  test('a body that ends with its connection is whole', async () => {
    expect(bodyOf(await ask('no-length'))).toBe('old server');
  });
});

test('what is too large is not read on: the connection is closed', async () => {
  const closed = new Promise<void>((resolve) => {
    ROUTES['/watched'] = (_, response) => {
      response.on('close', resolve);
      pourAfter(response, 200, {});
    };
  });
  expect(await get('/watched')).toMatchObject({ reason: 'too_large' });
  await closed;
});

const REACHED = { kind: 'unavailable', reason: 'robots', detail: '' } as const;

function bodyOf(outcome: Awaited<ReturnType<typeof get>>): string {
  return outcome.kind === 'response' ? outcome.body.toString() : outcome.reason;
}

function pourAfter(response: ServerResponse, status: number, headers: Record<string, string>): void {
  if (!response.headersSent) response.writeHead(status, headers);
  if (!response.destroyed) response.write('x'.repeat(1000), () => pourAfter(response, status, headers));
}

function repeat(socket: Socket, piece: (turn: number) => string, pauseMs: number, turn = 0): void {
  if (socket.destroyed) return;
  socket.write(piece(turn), () => setTimeout(() => repeat(socket, piece, pauseMs, turn + 1), pauseMs));
}

async function listen(answer: (socket: Socket) => void): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined); // whoever asked has gone
    socket.once('data', () => answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
