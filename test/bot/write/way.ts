/** A real proxy in front of a wiki's API, by which a test changes what is asked on the way, or answers in the wiki's place. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  /** Of the query and of the form together. */
  params: URLSearchParams;
  headers: IncomingHttpHeaders;
}

export interface Answered {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** `before`: may change what is asked, or answer; `after`: may change the answer. */
export interface Detour {
  before?(asked: Asked): Promise<Answered | undefined> | Answered | undefined;
  after?(asked: Asked, answered: Answered): Answered;
}

export interface Way {
  apiUrl: string;
  /** What was asked, in order. */
  asked: Asked[];
  /** Null: everything goes straight through. */
  detour: Detour | null;
  close(): Promise<void>;
}

export async function openWay(apiUrl: string): Promise<Way> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const answered = await pass(way, apiUrl, {
      params: await paramsOf(request.url ?? '', request.headers, Buffer.concat(chunks)),
      headers: request.headers,
    });
    if (answered === null) request.socket.destroy();
    else response.writeHead(answered.status, answered.headers).end(answered.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a server that listens on TCP has an AddressInfo
  const way: Way = {
    apiUrl: `http://127.0.0.1:${port}/w/api.php`,
    asked: [],
    detour: null,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
  return way;
}

/** An answer as api.php gives it. */
export function apiError(code: string, more: Partial<Answered> & { error?: object } = {}): Answered {
  const body = JSON.stringify({ error: { code, info: 'said by a test', ...more.error } });
  return { status: 200, body, ...more, headers: { 'content-type': 'application/json', ...more.headers } };
}

/** Null: the connection is cut. */
async function pass(way: Way, apiUrl: string, asked: Asked): Promise<Answered | null> {
  way.asked.push(asked);
  const { detour } = way;
  const instead = await detour?.before?.(asked);
  if (instead !== undefined) return instead.status === 0 ? null : instead;
  const answered = await ask(apiUrl, asked);
  const changed = detour?.after?.(asked, answered) ?? answered;
  return changed.status === 0 ? null : changed;
}

async function ask(apiUrl: string, { params, headers }: Asked): Promise<Answered> {
  const { cookie } = headers;
  const response = await fetch(apiUrl, {
    method: 'POST',
    body: params,
    headers: { 'user-agent': 'test', ...(cookie === undefined ? {} : { cookie }) },
  });
  const kept = ['content-type', 'retry-after', 'set-cookie'].flatMap((name) => {
    const values = name === 'set-cookie' ? response.headers.getSetCookie() : [response.headers.get(name) ?? []].flat();
    return values.length === 0 ? [] : [[name, name === 'set-cookie' ? values : values.join()] as const];
  });
  // node takes a list where a header stands several times, as cookies do
  const passed = Object.fromEntries(kept) as Record<string, string>;
  return { status: response.status, headers: passed, body: await response.text() };
}

async function paramsOf(url: string, headers: IncomingHttpHeaders, body: Buffer): Promise<URLSearchParams> {
  const params = new URL(url, 'http://way').searchParams;
  if (body.length === 0) return params;
  const form = await new Response(new Uint8Array(body), {
    headers: { 'content-type': headers['content-type'] ?? '' },
  }).formData();
  for (const [name, value] of form) params.set(name, String(value));
  return params;
}
