/**
 * Server-sent events in the manner of EventStreams: what was told is kept, and a reader goes on behind `Last-Event-ID` or from
 * `since`. In: events. Out: open connections. Positions are offsets: they hold as long as the process.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface WikiEvent {
  /** ms since 1970, never less than that of the event before. */
  time: number;
  data: {
    meta: { domain: string; dt: string; id: string };
    type: 'new' | 'edit';
    title: string;
    namespace: number;
    bot: boolean;
    minor: boolean;
    timestamp: number;
    server_name: string;
    revision: { new: number; old: number | null };
    length: { old: number | null; new: number };
    user: string;
    comment: string;
  };
}

export function createStream() {
  const events: WikiEvent[] = [];
  const open = new Set<() => void>();
  return {
    events,
    tell(more: readonly WikiEvent[]): void {
      events.push(...more);
      for (const flush of open) flush();
    },
    connect(request: IncomingMessage, response: ServerResponse): void {
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      response.write(':ok\n\n');
      const flush = createFlush(response, events, positionOf(request, events));
      const living = setInterval(() => response.write(`event: message\ndata: ${CANARY}\n\n`), CANARY_MS);
      open.add(flush);
      response.once('close', () => {
        open.delete(flush);
        clearInterval(living);
      });
      flush();
    },
  };
}

/** Writes what is there, as fast as it is read. */
function createFlush(response: ServerResponse, events: readonly WikiEvent[], from: number): () => void {
  let next = from;
  let waits = false;
  const flush = () => {
    while (!waits && next < events.length) {
      const batch = events.slice(next, next + TOGETHER).map((event, at) => write(event, next + at));
      next += batch.length;
      waits = !response.write(batch.join(''));
    }
  };
  response.on('drain', () => {
    waits = false;
    flush();
  });
  return flush;
}

function write({ time, data }: WikiEvent, offset: number): string {
  const id = JSON.stringify([{ topic: 'mediawiki.recentchange', partition: 0, offset, timestamp: time }]);
  return `event: message\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
}

function positionOf(request: IncomingMessage, events: readonly WikiEvent[]): number {
  const id = /"offset":(\d+)/.exec(String(request.headers['last-event-id'] ?? ''))?.[1];
  if (id !== undefined) return Number(id) + 1;
  const since = Date.parse(new URL(request.url ?? '/', 'http://wiki.invalid').searchParams.get('since') ?? '');
  if (Number.isNaN(since)) return events.length;
  const first = events.findIndex(({ time }) => time >= since);
  return first < 0 ? events.length : first;
}

const TOGETHER = 200;
/** Made up, so that a reader sees that the stream lives (T266798). */
const CANARY = JSON.stringify({
  meta: { domain: 'canary', dt: '2026-01-01T00:00:00Z' },
  server_name: 'canary',
  type: 'edit',
});
const CANARY_MS = 30_000;
