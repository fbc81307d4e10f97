/**
 * The loopback web that the sample's articles cite: one HTTP server, its sites told apart by host name.
 * In: web/manifest.json and the files that it names. Keeps nothing, and reads the files anew for each request.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { ARCHIVE_HOST, answerFromArchive } from './archive.ts';
import { loadManifest, type Manifest, type Page } from './manifest.ts';
import { type Answer, renderPage } from './render.ts';

export interface SampleWeb {
  /** `http://127.0.0.1:<port>`; requests are routed by their Host header. */
  origin: string;
  port: number;
  /** URLs of the pages that can be read: the corpus of the sample. */
  pages: string[];
  stop(): Promise<void>;
}

/** Starts the web on loopback; `port` 0 takes a free one, and every address in its pages follows. Rejects if the port is taken. */
export async function createSampleWeb({
  port,
  host = '127.0.0.1',
}: {
  port: number;
  host?: string;
}): Promise<SampleWeb> {
  const server = createServer();
  const bound = await listen(server, port, host);
  const manifest = await loadManifest(bound);
  server.on('request', (request, response) => void serve(manifest, request, response));
  return {
    origin: `http://${host}:${bound}`,
    port: bound,
    pages: manifest.pages.filter(isReadable).map((page) => page.url),
    stop: () => close(server),
  };
}

function isReadable(page: Page): boolean {
  return page.status === 200 && page.reason === undefined;
}

async function serve(manifest: Manifest, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const url = new URL(request.url ?? '/', `http://${request.headers.host ?? 'localhost'}`);
    const answer =
      url.hostname === ARCHIVE_HOST ? await answerFromArchive(manifest, url) : await answerFrom(manifest, url);
    send(response, answer, request.method === 'HEAD');
  } catch (error) {
    send(response, { status: 500, type: 'text/plain', body: String(error) }, false);
  }
}

async function answerFrom(manifest: Manifest, url: URL): Promise<Answer> {
  const page = manifest.pages.find((candidate) => candidate.url === url.href);
  if (page !== undefined) return renderPage(manifest, page, Number(url.port));
  if (url.pathname === '/robots.txt') return { status: 200, type: 'text/plain', body: 'User-agent: *\nAllow: /\n' };
  const missing: Page = {
    url: url.href,
    status: 404,
    type: 'text/html',
    file: null,
    bare: false,
    what: 'not in the manifest',
  };
  return renderPage(manifest, missing, Number(url.port));
}

function send(response: ServerResponse, { status, type, body, location }: Answer, headOnly: boolean): void {
  const charset = type.startsWith('text/') ? '; charset=utf-8' : '';
  response.writeHead(status, {
    'content-type': `${type}${charset}`,
    'content-length': Buffer.byteLength(body),
    ...(location === undefined ? {} : { location }),
  });
  response.end(headOnly ? undefined : body);
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
