/**
 * Addresses by which a citation would make Sidelight ask what only this machine or its network can reach, each through the real reader
 * with its robots.txt, redirects, archives and name server. Each is refused with its code, and nothing that listens here is connected to.
 */

import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import type { Citation } from '../../shared/citation.ts';
import { parseUrl } from '../../shared/url.ts';
import { createReader } from '../../workers/source/read.ts';
import { aCitation } from '../support/examples.ts';
import { type Routes, startWeb, type Web } from '../support/web.ts';
import { type NameServer, startNameServer } from '../workers/source/name-server.ts';
import { articlePage } from '../workers/source/pages.ts';

const signal = new AbortController().signal;
const REFUSED = 'refused_address';
const INVALID = 'invalid_url';

/** By name: to where it leads. */
const NAMES: Record<string, readonly string[]> = {
  'metadata.google.internal': ['169.254.169.254'],
  'metadata.example': ['169.254.169.254'],
  'metadata-v6.example': ['fd00:ec2::254'],
  'alibaba.example': ['100.100.100.200'],
  'oracle.example': ['192.0.0.192'],
  'ten.example': ['10.0.0.1'],
  'loopback.example': ['127.0.0.1'],
  'loopback-v6.example': ['::1'],
  'mapped.example': ['::ffff:a00:1'],
  'nat64.example': ['64:ff9b::a9fe:a9fe'],
  '6to4.example': ['2002:a9fe:a9fe::1'],
  'any.example': ['0.0.0.0'],
  'carrier.example': ['100.64.1.1'],
  'localhost.localdomain': ['127.0.0.1'],
  'xn--hafen-berblick-lsb.example': ['10.0.0.1'],
  '127.0.0.1.nip.example': ['127.0.0.1'],
  'plain.example': ['127.0.0.1'],
  'two-faced.example': ['10.0.0.1', '127.0.0.1'],
};

/** What is written into an article → why it is not read, where nothing of this machine may be. */
const ADDRESSES: [what: string, url: string, reason: string][] = [
  ['loopback', 'http://127.0.0.1/', REFUSED],
  ['another loopback', 'http://127.99.1.1/', REFUSED],
  ['loopback in one number', 'http://2130706433/', REFUSED],
  ['loopback in one hexadecimal number', 'http://0x7f000001/', REFUSED],
  ['loopback in one octal number', 'http://017700000001/', REFUSED],
  ['loopback in octal parts', 'http://0177.0.0.01/', REFUSED],
  ['loopback in hexadecimal parts', 'http://0x7f.0x0.0x0.0x1/', REFUSED],
  ['loopback in two parts', 'http://127.1/', REFUSED],
  ['loopback in three parts', 'http://127.0.1/', REFUSED],
  ['loopback in mixed parts', 'http://0177.0x0.1/', REFUSED],
  ['loopback with a dot at its end', 'http://127.0.0.1./', REFUSED],
  ['loopback in escapes', 'http://%31%32%37.0.0.1/', REFUSED],
  ['loopback in wide digits', 'http://１２７.０.０.１/', REFUSED],
  ['loopback in circled digits', 'http://①②⑦.⓪.⓪.①/', REFUSED],
  ['loopback in mathematical digits', 'http://𝟏𝟐𝟕.𝟎.𝟎.𝟏/', REFUSED],
  ['loopback with ideographic full stops', 'http://127。0。0。1/', REFUSED],
  ['loopback with half-width full stops', 'http://127｡0｡0｡1/', REFUSED],
  ['loopback with one-dot leaders', 'http://127․0․0․1/', INVALID],
  ['a soft hyphen within', 'http://127.0.0.­1/', REFUSED],
  ['a tab within', 'http://127.0\t.0.1/', REFUSED],
  ['a line break within', 'http://127.0.0\r\n.1/', REFUSED],
  ['nothing', 'http://0/', REFUSED],
  ['any address', 'http://0.0.0.0/', REFUSED],
  ['IPv6 loopback', 'http://[::1]/', REFUSED],
  ['IPv6 loopback in full', 'http://[0000:0000:0000:0000:0000:0000:0000:0001]/', REFUSED],
  ['IPv6 any address', 'http://[::]/', REFUSED],
  ['mapped loopback', 'http://[::ffff:127.0.0.1]/', REFUSED],
  ['mapped loopback in hexadecimal', 'http://[::ffff:7f00:1]/', REFUSED],
  ['compatible loopback', 'http://[::127.0.0.1]/', REFUSED],
  ['translated loopback (NAT64)', 'http://[64:ff9b::7f00:1]/', REFUSED],
  ['translated, of a local prefix', 'http://[64:ff9b:1::7f00:1]/', REFUSED],
  ['translated (SIIT)', 'http://[::ffff:0:7f00:1]/', REFUSED],
  ['6to4 of loopback', 'http://[2002:7f00:1::]/', REFUSED],
  ['Teredo', 'http://[2001:0:4136:e378:8000:63bf:80ff:fffe]/', REFUSED],
  ['link-local', 'http://[fe80::1]/', REFUSED],
  ['link-local with a zone', 'http://[fe80::1%25eth0]/', INVALID],
  ['unique local', 'http://[fd12:3456::1]/', REFUSED],
  ['site-local', 'http://[fec0::1]/', REFUSED],
  ['IPv6 multicast', 'http://[ff02::1]/', REFUSED],
  ['IPv6 of documentation', 'http://[2001:db8::1]/', REFUSED],
  ['private, class A', 'http://10.255.0.1/', REFUSED],
  ['private, class B', 'http://172.31.9.9/', REFUSED],
  ['private, class C', 'http://192.168.0.1/', REFUSED],
  ['of a carrier', 'http://100.64.0.1/', REFUSED],
  ['of a benchmark', 'http://198.18.0.1/', REFUSED],
  ['of a protocol', 'http://192.0.0.1/', REFUSED],
  ['multicast', 'http://224.0.0.251/', REFUSED],
  ['reserved', 'http://240.0.0.1/', REFUSED],
  ['broadcast', 'http://255.255.255.255/', REFUSED],
  ['metadata', 'http://169.254.169.254/latest/meta-data/', REFUSED],
  ['metadata in one number', 'http://2852039166/', REFUSED],
  ['metadata, mapped', 'http://[::ffff:169.254.169.254]/', REFUSED],
  ['metadata of tasks', 'http://169.254.170.2/v2/credentials', REFUSED],
  ['metadata over IPv6', 'http://[fd00:ec2::254]/latest/meta-data/', REFUSED],
  ['metadata of Alibaba', 'http://100.100.100.200/', REFUSED],
  ['metadata of Oracle', 'http://192.0.0.192/', REFUSED],
  ['a name of a metadata service', 'http://metadata.google.internal/', REFUSED],
  ['a name that leads to metadata', 'http://metadata.example/', REFUSED],
  ['a name that leads to metadata over IPv6', 'http://metadata-v6.example/', REFUSED],
  ['a name that leads to Alibaba’s', 'http://alibaba.example/', REFUSED],
  ['a name that leads to Oracle’s', 'http://oracle.example/', REFUSED],
  ['a name that leads within', 'http://ten.example/', REFUSED],
  ['a name that leads here', 'http://loopback.example/', REFUSED],
  ['a name that leads here over IPv6', 'http://loopback-v6.example/', REFUSED],
  ['a name that leads to a mapped address', 'http://mapped.example/', REFUSED],
  ['a name that leads to a translated one', 'http://nat64.example/', REFUSED],
  ['a name that leads to 6to4', 'http://6to4.example/', REFUSED],
  ['a name that leads to any address', 'http://any.example/', REFUSED],
  ['a name that leads to a carrier’s', 'http://carrier.example/', REFUSED],
  ['a name that says its address', 'http://127.0.0.1.nip.example/', REFUSED],
  ['a name in other letters', 'http://hafen-überblick.example/', REFUSED],
  ['a name in capitals with a dot at its end', 'http://LOOPBACK.EXAMPLE./', REFUSED],
  ['localhost', 'http://localhost/', REFUSED],
  ['localhost in capitals, with a dot', 'http://LOCALHOST./', REFUSED],
  ['localhost in circled letters', 'http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/', REFUSED],
  ['a name under localhost', 'http://anything.localhost/', REFUSED],
  ['localhost with a domain', 'http://localhost.localdomain/', REFUSED],
  ['a name before an address', 'http://pages.example@127.0.0.1/', REFUSED],
  ['a name and password before an address', 'http://pages.example:80@127.0.0.1/', REFUSED],
  ['a backslash before an address', 'http://127.0.0.1\\@pages.example/', REFUSED],
  ['a fragment that looks like a host', 'http://127.0.0.1#@pages.example/', REFUSED],
  ['backslashes for slashes', 'http:\\\\127.0.0.1/', REFUSED],
  ['no slashes at all', 'http:127.0.0.1', REFUSED],
  ['many slashes', 'http:////127.0.0.1/', REFUSED],
  ['no scheme', '//127.0.0.1/', REFUSED],
  ['https', 'https://127.0.0.1/', REFUSED],
  ['port of Redis', 'http://plain.example:6379/', REFUSED],
  ['port of mail', 'http://plain.example:25/', REFUSED],
  ['port of SSH', 'https://plain.example:22/', REFUSED],
  ['port of MariaDB', 'http://plain.example:3306/', REFUSED],
  ['port of Elasticsearch', 'http://plain.example:9200/', REFUSED],
  ['a file', 'file:///etc/passwd', INVALID],
  ['a file on a host', 'file://127.0.0.1/etc/passwd', INVALID],
  ['gopher', 'gopher://127.0.0.1:6379/_FLUSHALL', INVALID],
  ['dict', 'dict://127.0.0.1:11211/stats', INVALID],
  ['ftp', 'ftp://127.0.0.1/', INVALID],
  ['data', 'data:text/html,<p>The ferry</p>', INVALID],
  ['a script', 'javascript:fetch("http://127.0.0.1")', INVALID],
  ['a blob', 'blob:http://127.0.0.1/1', INVALID],
  ['view-source', 'view-source:http://127.0.0.1/', INVALID],
  ['jar', 'jar:http://127.0.0.1!/', INVALID],
  ['unix', 'unix:/var/run/docker.sock', INVALID],
  ['a zero byte in the name', 'http://127.0.0.1%00.example/', INVALID],
  ['a line break in the name', 'http://plain.example%0d%0aX-Injected:1/', INVALID],
  ['a space in the name', 'http://127.0.0.1 .example/', INVALID],
  ['five parts', 'http://127.0.0.1.1/', INVALID],
  ['a part too large', 'http://256.0.0.1/', INVALID],
  ['a port too large', 'http://plain.example:65616/', INVALID],
];

let trap: Trap;
let web: Web;
let archive: Web;
let names: NameServer;
let answers: Record<string, readonly string[] | (() => readonly string[])>;
const routes: Routes = { '/ferry': articlePage, '/robots.txt': null };
const archived: Routes = {};
beforeAll(async () => {
  answers = { ...NAMES };
  [trap, web, archive, names] = await Promise.all([
    ...([openTrap(), startWeb(routes), startWeb(archived)] as const),
    startNameServer(answers),
  ]);
});
afterAll(() => Promise.all([trap.close(), web.close(), archive.close(), names.close()]));
beforeEach(() => {
  for (const path of Object.keys(archived)) delete archived[path];
  trap.connections = 0;
});

const cite = (url: string, changes: Partial<Citation> = {}): Citation => ({ ...aCitation, url, ...changes });
const readerOf = (allowLoopback: boolean, waybackUrl = 'https://archive.example') =>
  createReader({
    ...{ userAgent: 'Sidelight/0.1 (test)', allowLoopback, gateway: null, waybackUrl },
    ...{ nameServers: [names.address], limits: { totalMs: 5000, silenceMs: 2000 } },
  });
const read = (url: string, allowLoopback = false) => readerOf(allowLoopback).read(cite(url), signal);
const reasonOf = async (url: string, allowLoopback = false) => {
  const source = await read(url, allowLoopback);
  return source.kind === 'readable' ? 'readable' : source.reason;
};

test('the table has sixty tricks and more, each once', () => {
  expect(ADDRESSES.length).toBeGreaterThan(60);
  expect(new Set(ADDRESSES.map(([, url]) => url)).size).toBe(ADDRESSES.length);
});

test.each(ADDRESSES)('%s: %j is %s', async (_, url, reason) => {
  expect(await reasonOf(url)).toBe(reason);
});

test.each(
  ADDRESSES.filter(([, url]) => /^https?:\/\/[^/]*(127|localhost|loopback|::1|2130706433|0x7f|0177)/i.test(url)),
)('%s: what listens there is not connected to', async (_, url, reason) => {
  const parsed = parseUrl(url);
  if (parsed === null) return expect(reason).toBe(INVALID);
  parsed.port = String(trap.port);
  parsed.protocol = 'http:';
  expect(await reasonOf(parsed.href)).toBe(reason);
  expect(trap.connections).toBe(0);
});

test('what is allowed is read by the same reader: the table can fail', async () => {
  for (const host of [
    'plain.example',
    'two-faced.example',
    'pages.localhost',
    '127.0.0.1',
    '2130706433',
    '127。0。0。1',
  ]) {
    expect([host, await reasonOf(`http://${host}:${web.port}/ferry`, true)]).toEqual([host, 'readable']);
  }
});

/** Where a page of an allowed host sends its reader. */
const LOCATIONS: [what: string, location: string][] = [
  ['within', 'http://10.0.0.1/'],
  ['to metadata', 'http://169.254.169.254/latest/meta-data/'],
  ['to metadata in one number', 'http://2852039166/'],
  ['to a mapped address', 'http://[::ffff:10.0.0.1]/'],
  ['to a translated address', 'http://[64:ff9b::a00:1]/'],
  ['by its host alone', '//10.0.0.1/'],
  ['by its host, with backslashes', '\\\\10.0.0.1\\'],
  ['with a name and password', 'http://plain.example:80@10.0.0.1/'],
  ['to a name that leads within', 'http://ten.example/'],
  ['to a name of a metadata service', 'http://metadata.google.internal/computeMetadata/v1/'],
  ['to another service', 'http://plain.example:6379/'],
  ['to a file', 'file:///etc/passwd'],
  ['to gopher', 'gopher://127.0.0.1:6379/_FLUSHALL'],
  ['to ftp', 'ftp://10.0.0.1/'],
  ['to data', 'data:text/html,<p>The ferry</p>'],
  ['to a script', 'javascript:1'],
];

describe.each(LOCATIONS)('a page that sends its reader on %s', (_, location) => {
  test.each([301, 302, 303, 307, 308])('with status %i is refused', async (status) => {
    routes['/on'] = (_request, response) => response.writeHead(status, { location }).end();
    expect(await reasonOf(`${web.origin}/on`, true)).toBe(REFUSED);
  });

  test('at the end of a chain is refused', async () => {
    routes['/first'] = (_request, response) => response.writeHead(302, { location: '/second' }).end();
    routes['/second'] = (_request, response) =>
      response.writeHead(307, { location: `http://plain.example:${web.port}/on` }).end();
    routes['/on'] = (_request, response) => response.writeHead(301, { location }).end();
    expect(await reasonOf(`${web.origin}/first`, true)).toBe(REFUSED);
  });

  test('from its robots.txt leads nowhere: its pages have no rules, and what lies there is not asked', async () => {
    routes['/robots.txt'] = (_request, response) => response.writeHead(302, { location }).end();
    expect(['readable', REFUSED]).toContain(await reasonOf(`${web.origin}/ferry`, true));
    routes['/robots.txt'] = null;
  });

  test('from an archive is refused, asked for as an archived copy or found in the Wayback Machine', async () => {
    const page = 'https://gone.example/ferry';
    const send: Routes[string] = (_request, response) => response.writeHead(302, { location }).end();
    archived['/copy'] = send;
    archived[`/web/20200301120000id_/${page}`] = send;
    const reader = readerOf(true, archive.origin);
    const copy = cite(page, { urlStatus: 'usurped', archiveUrl: `${archive.origin}/copy` });
    const snapshot = cite(page, {
      urlStatus: 'usurped',
      archiveUrl: `https://web.archive.org/web/20200301120000/${page}`,
    });
    for (const citation of [copy, snapshot]) {
      expect(await reader.read(citation, signal)).toMatchObject({ kind: 'unavailable', reason: REFUSED });
    }
  });
});

test('a page that sends browsers on by its markup sends the reader nowhere', async () => {
  const to = `http://127.0.0.1:${trap.port}/`;
  routes['/markup'] =
    `<meta http-equiv="refresh" content="0;url=${to}"><script>location='${to}'</script><iframe src="${to}">`;
  expect(await reasonOf(`${web.origin}/markup`, true)).not.toBe('readable');
  expect(trap.connections).toBe(0);
});

test('an archived copy is held to the same addresses as a page', async () => {
  const gone = { urlStatus: 'usurped' } as const;
  for (const archiveUrl of ['http://169.254.169.254/', 'http://loopback.example/', 'http://[::ffff:10.0.0.1]/']) {
    const source = await readerOf(false).read(cite('https://gone.example/', { ...gone, archiveUrl }), signal);
    expect([archiveUrl, source]).toEqual([archiveUrl, expect.objectContaining({ reason: REFUSED })]);
  }
});

describe('a name that changes its mind', () => {
  test('between robots.txt and the page is refused at the page', async () => {
    let asked = 0;
    answers['rebinding.example'] = () => (asked++ < 2 ? ['127.0.0.1'] : ['10.0.0.1']);
    expect(await reasonOf(`http://rebinding.example:${web.port}/ferry`, true)).toBe(REFUSED);
  });

  test('at each question is asked once a connection: what was checked is what is connected to', async () => {
    names.asked.length = 0;
    answers['flipping.example'] = () => ['127.0.0.1'];
    expect(await reasonOf(`http://flipping.example:${web.port}/ferry`, true)).toBe('readable');
    // A and AAAA, for robots.txt and for the page: nobody looks a second time between check and connection
    expect(names.asked.filter((name) => name === 'flipping.example')).toHaveLength(4);
  });

  test('with an allowed and a refused address at once is connected to at the allowed one alone', async () => {
    answers['both.example'] = ['127.0.0.1', '198.51.100.7', '10.0.0.1'];
    expect(await reasonOf(`http://both.example:${trap.port}/`)).not.toBe('readable');
    expect(trap.connections).toBe(0);
  });
});

test('what the operator names is asked at whatever address it has: a gateway', async () => {
  const asked: string[] = [];
  const gateway = await startWeb({
    [`/fetch?url=${encodeURIComponent('http://169.254.169.254/latest')}`]: (request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(302, { location: `http://127.0.0.1:${trap.port}/` }).end();
    },
  });
  const settings = { userAgent: 'Test/1.0', allowLoopback: false, waybackUrl: 'https://archive.example' };
  const reader = createReader({ ...settings, gateway: `http://127.0.0.1:${gateway.port}/fetch?url={url}` });
  const source = await reader.read(cite('http://169.254.169.254/latest'), signal);
  await gateway.close();
  // it decides what it fetches, and is not followed anywhere
  expect([asked.length, source.kind, trap.connections]).toEqual([1, 'unavailable', 0]);
});

test('no header goes into a request from an address', async () => {
  let headers: Record<string, unknown> = {};
  routes['/x%0d%0aX-Injected:%201'] = (request, response) => {
    headers = request.headers;
    response.end(articlePage);
  };
  await read(`${web.origin}/x%0d%0aX-Injected:%201`, true);
  await read(`${web.origin}/x\r\nX-Injected: 1`, true);
  expect(headers).toHaveProperty('user-agent');
  expect(headers).not.toHaveProperty('x-injected');
});

test('a host name that is longer than any may be is no host', async () => {
  const reasons = await Promise.all(
    [`${'a'.repeat(64)}.example`, `${'a.'.repeat(200)}example`, `${'a'.repeat(10_000)}.example`].map((host) =>
      reasonOf(`http://${host}/`),
    ),
  );
  for (const reason of reasons) expect(['invalid_url', 'unreachable']).toContain(reason);
});

interface Trap {
  port: number;
  connections: number;
  close(): Promise<void>;
}

/** What would answer, were it connected to. */
async function openTrap(): Promise<Trap> {
  const opened: Trap = { port: 0, connections: 0, close: async () => undefined };
  const server: Server = createServer((socket) => {
    opened.connections += 1;
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // a server that listens on TCP has an AddressInfo
  opened.port = (server.address() as AddressInfo).port;
  opened.close = () => new Promise((resolve) => server.close(() => resolve()));
  return opened;
}
