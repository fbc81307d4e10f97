/** A real web server on loopback that answers as a test says. Whoever starts it closes it; open connections are cut. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Web {
  /** `http://name.localhost:port` */
  origin: string;
  port: number;
  /** Paths that were asked for, in order, without robots.txt. */
  requested: string[];
  close(): Promise<void>;
}

/** By path with query; `null` and a missing path answer 404. A string is sent as HTML. */
export type Routes = Record<string, string | null | ((request: IncomingMessage, response: ServerResponse) => void)>;

export async function startWeb(routes: Routes): Promise<Web> {
  const requested: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    if (path !== '/robots.txt') requested.push(path);
    const route = Object.hasOwn(routes, path) ? routes[path] : null;
    if (typeof route === 'function') route(request, response);
    else if (typeof route === 'string') response.setHeader('content-type', 'text/html; charset=utf-8').end(route);
    else response.writeHead(404).end('not here');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // a server that listens on TCP has an AddressInfo
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  };
  return { origin: `http://pages.localhost:${port}`, port, requested, close };
}
