/**
 * Servers that are not the Elasticsearch that is wanted: an older one, another product, and a real one behind a guard that asks
 * for credentials and speaks TLS (the one of the tests has no security). Out: addresses.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { repositoryRoot } from '../../../../shared/root.ts';

/** Of 127.0.0.1, signed by itself, for a hundred years: its key is no secret. */
export const CERTIFICATE = `${repositoryRoot()}/test/workers/retrieval/sparse/loopback.cert.pem`;

export interface Stand {
  url: string;
  close(): Promise<void>;
}

/** Answers every request alike, as one of another version or product does to its first. */
export function serveAnswer(status: number, headers: Record<string, string>, body: unknown): Promise<Stand> {
  return listen(
    createServer((_, response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
    }),
    'http',
  );
}

/** Passes on what carries this Authorization header, and refuses the rest as Elasticsearch's security does. */
export function serveGuarded(
  origin: string,
  authorization: string,
  protocol: 'http' | 'https' = 'http',
): Promise<Stand> {
  const guard = (incoming: IncomingMessage, response: ServerResponse) => {
    if (incoming.headers.authorization === authorization) return passOn(origin, incoming, response);
    const error = { type: 'security_exception', reason: 'unable to authenticate' };
    const headers = { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' };
    response.writeHead(401, headers).end(JSON.stringify({ error, status: 401 }));
  };
  if (protocol === 'http') return listen(createServer(guard), protocol);
  const tls = { key: readFileSync(CERTIFICATE.replace('.cert.', '.key.')), cert: readFileSync(CERTIFICATE) };
  return listen(createTlsServer(tls, guard), protocol);
}

function passOn(origin: string, incoming: IncomingMessage, response: ServerResponse): void {
  const { url, method = 'GET', headers } = incoming;
  const passed = request(`${origin}${url}`, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  incoming.pipe(passed);
}

async function listen(server: Server, protocol: string): Promise<Stand> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  return {
    url: `${protocol}://127.0.0.1:${address.port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
