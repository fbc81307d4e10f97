/**
 * How a process is, over HTTP: /healthz (it lives), /readyz (it can do its work), /metrics. For probes and Prometheus, never for
 * the public. In: where to listen. Out: a handle that is told what is served, and when it stops.
 */
import { createServer, type Server, type ServerResponse } from 'node:http';
import { RefuseToStart } from '../../shared/errors.ts';
import { readMetrics } from '../../shared/metrics.ts';

export interface Ops {
  port: number;
  /** From now on it is ready while nothing is waited for. `ready`: names of what does not answer. */
  began(ready: () => Promise<string[]>): void;
  /** From now on it is not ready any more, and lives. */
  stopping(): void;
  close(): Promise<void>;
}

/** Throws RefuseToStart where the port is taken or the address is not of this machine. Port 0: any free one. */
export async function serveOps({ host, port }: { host: string; port: number }): Promise<Ops> {
  let ready = async () => ['start'];
  const server = createServer((request, response) => {
    const answer = ANSWERS[new URL(request.url ?? '/', 'http://ops').pathname];
    if (answer === undefined || request.method !== 'GET') return send(response, 404, 'Not found.\n');
    answer(response, ready).catch(() => response.destroy()); // a scrape that fails is seen as one
  });
  server.requestTimeout = 10_000;
  await listen(server, host, port);
  server.unref();
  return {
    port: portOf(server),
    began(ask) {
      ready = ask;
    },
    stopping() {
      ready = async () => ['stopping'];
    },
    close: () => closeServer(server),
  };
}

const ANSWERS: Record<string, (response: ServerResponse, ready: () => Promise<string[]>) => Promise<void>> = {
  '/healthz': async (response) => sendJson(response, 200, { ok: true }),
  '/readyz': async (response, ready) => {
    const waiting = await ready();
    sendJson(response, waiting.length === 0 ? 200 : 503, { waiting });
  },
  '/metrics': async (response, ready) => {
    await ready(); // `sidelight_need_up` is set by asking
    const { contentType, text } = await readMetrics();
    send(response, 200, text, contentType);
  },
};

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  send(response, status, `${JSON.stringify(body)}\n`, 'application/json');
}

function send(response: ServerResponse, status: number, text: string, type = 'text/plain'): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(new RefuseToStart(`OPS_PORT: can't listen at ${host} port ${port} (${cause.code})`, { cause }));
    });
    server.listen(port, host, resolve);
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
