/** A server of server-sent events that keeps its events and resumes as EventStreams does, and fails as a test asks. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StreamRequest {
  lastEventId: string | null;
  since: string | null;
  userAgent: string | null;
}

/** How one connection goes. Default of both: to the end, and stay open. */
export type Turn =
  | { status: number; retryAfter?: number }
  /** After so many events: the connection is cut, ended in good order, or left open without another byte. */
  | { events: number; ends: 'cut' | 'well' | 'silently' };

export interface EventStreamServer {
  url: string;
  requests: StreamRequest[];
  /** An event, or a text that stands in its place. */
  send(event: object | string): void;
  stop(): Promise<void>;
}

/** One turn a connection, in order; after them every connection stays. */
export async function startEventStream(turns: Turn[] = [], port = 0): Promise<EventStreamServer> {
  const events: string[] = [];
  const requests: StreamRequest[] = [];
  const open = new Set<() => void>();
  const server = createServer((request, response) => {
    requests.push(parseRequest(request));
    const turn = turns.shift() ?? { events: Number.POSITIVE_INFINITY, ends: 'silently' };
    if ('status' in turn) refuse(response, turn);
    else open.add(serve(response, events, firstOffset(request), turn));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2/stream/recentchange`, // bound to a port above
    requests,
    send(event) {
      events.push(typeof event === 'string' ? event : JSON.stringify(event));
      for (const flush of open) flush();
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function refuse(response: ServerResponse, { status, retryAfter }: { status: number; retryAfter?: number }): void {
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
  response.writeHead(status).end('no');
}

/** Writes what is there from `offset` on; call what it returns when there is more. */
function serve(response: ServerResponse, events: string[], offset: number, turn: Extract<Turn, { events: number }>) {
  let [next, left] = [offset, turn.events];
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.write(':ok\n\n');
  const flush = () => {
    for (; next < events.length && left > 0; next++, left--) {
      response.write(`event: message\nid: [{"topic":"t","offset":${next}}]\ndata: ${events[next]}\n\n`);
    }
    if (left === 0) close(response, turn.ends);
  };
  flush();
  return flush;
}

function close(response: ServerResponse, how: 'cut' | 'well' | 'silently'): void {
  if (how === 'well') response.end();
  if (how === 'cut') response.write('id: [{"top', () => response.destroy());
}

function firstOffset(request: IncomingMessage): number {
  const id = request.headers['last-event-id'];
  return typeof id === 'string' ? Number(/"offset":(\d+)/.exec(id)?.[1]) + 1 : 0;
}

function parseRequest(request: IncomingMessage): StreamRequest {
  return {
    lastEventId: request.headers['last-event-id']?.toString() ?? null,
    since: new URL(request.url ?? '/', 'http://localhost').searchParams.get('since'),
    userAgent: request.headers['user-agent'] ?? null,
  };
}
