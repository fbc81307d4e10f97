/** A server of server-sent events that keeps its events and resumes as EventStreams does, and fails as a test asks. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StreamRequest {
  lastEventId: string | null;
  since: string | null;
  userAgent: string | null;
}

/** How one connection goes. Default: to the end, and stay open. */
export type Turn =
  | { status: number; retryAfter?: number | string }
  | {
      events: number;
      /** After so many events: it is cut in the middle of one, ended in good order, left open without another byte, or kept alive by comments. */
      ends: 'cut' | 'well' | 'silently' | 'chattering';
      /** So many of the events before its position are sent again. */
      again?: number;
    };

export interface EventStreamServer {
  url: string;
  requests: StreamRequest[];
  /** An event, or a text that stands in its place. */
  send(...events: (object | string)[]): void;
  /** All that was sent so far: nobody may ask for it again. */
  forget(): void;
  stop(): Promise<void>;
}

/** One turn a connection, in order; after them every connection stays. */
export async function startEventStream(turns: Turn[] | { shift(): Turn } = [], port = 0): Promise<EventStreamServer> {
  const events: Kept[] = [];
  const requests: StreamRequest[] = [];
  const open = new Set<() => void>();
  const server = createServer((request, response) => {
    requests.push(parseRequest(request));
    const turn = turns.shift() ?? { events: Number.POSITIVE_INFINITY, ends: 'silently' };
    if ('status' in turn) refuse(response, turn);
    else open.add(serve(response, events, Math.max(firstOffset(request, events) - (turn.again ?? 0), 0), turn));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2/stream/recentchange`, // bound to a port above
    requests,
    send(...sent) {
      for (const event of sent) events.push(keep(event, events.length));
      for (const flush of open) flush();
    },
    forget: () => void events.fill(FORGOTTEN),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function refuse(response: ServerResponse, { status, retryAfter }: Extract<Turn, { status: number }>): void {
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
  response.writeHead(status).end('no');
}

/** An event as it is written, and the time in its `meta`: milliseconds, NaN of none. */
interface Kept {
  message: string;
  time: number;
}

const FORGOTTEN: Kept = { message: '', time: 0 };

function keep(event: object | string, offset: number): Kept {
  const data = typeof event === 'string' ? event : JSON.stringify(event);
  const time = Date.parse(/"dt":"([^"]+)"/.exec(data)?.[1] ?? '');
  return { message: `event: message\nid: [{"topic":"t","offset":${offset}}]\ndata: ${data}\n\n`, time };
}

/** Writes what is there from `offset` on; call what it returns when there is more. */
function serve(response: ServerResponse, events: Kept[], offset: number, turn: Extract<Turn, { events: number }>) {
  const end = offset + turn.events;
  let next = offset;
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.write(':ok\n\n');
  const flush = () => {
    const ready = events.slice(next, Math.min(events.length, end, next + 500));
    next += ready.length;
    if (ready.length > 0) response.write(ready.map(({ message }) => message).join(''), () => setImmediate(flush));
    else if (next === end) close(response, turn.ends);
  };
  flush();
  return flush;
}

function close(response: ServerResponse, how: Extract<Turn, { events: number }>['ends']): void {
  if (how === 'well') response.end();
  if (how === 'cut') response.write('id: [{"top', () => response.destroy());
  if (how === 'chattering' && !response.destroyed) {
    const chatter = setInterval(() => response.write(':\n\n'), 5);
    response.once('close', () => clearInterval(chatter));
  }
}

/** Behind the last event's id, or the first of the time that is asked for: dates in `meta` are in order. */
function firstOffset(request: IncomingMessage, events: Kept[]): number {
  const id = request.headers['last-event-id'];
  if (typeof id === 'string') return Number(/"offset":(\d+)/.exec(id)?.[1]) + 1;
  const from = Date.parse(parseRequest(request).since ?? '');
  const first = events.findIndex(({ time }) => !(time < from));
  return first < 0 ? events.length : first;
}

function parseRequest(request: IncomingMessage): StreamRequest {
  return {
    lastEventId: request.headers['last-event-id']?.toString() ?? null,
    since: new URL(request.url ?? '/', 'http://localhost').searchParams.get('since'),
    userAgent: request.headers['user-agent'] ?? null,
  };
}
