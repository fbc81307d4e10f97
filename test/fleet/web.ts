/**
 * The web that a fleet's articles cite: every page of a seed under as many host names as there are sites, and an archive that has
 * nothing. In: seed, address. Out: a server, which can fail as a fault asks. It keeps nothing.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findPage, type SourcePage } from './articles.ts';

/** How it answers every page. `error`: 500; `hang`: not at all; `lie`: less than Content-Length says. */
export type WebMood = 'well' | 'error' | 'hang' | 'lie';

export interface FleetWebOptions {
  seed: number;
  /** 0: any that is free. */
  port: number;
  host?: string;
  /** What host names end in: default `localhost`, which leads to this machine. */
  domain?: string;
  /** The page at an address; default: `findPage`. */
  find?: typeof findPage;
}

export interface FleetWeb {
  port: number;
  /** Of a page of `articles.ts`. */
  address(page: Pick<SourcePage, 'site' | 'path'>): string;
  /** For WAYBACK_URL. */
  waybackUrl: string;
  mood: WebMood;
  /** How many pages were asked for. */
  asked: number;
  close(): Promise<void>;
}

export async function startFleetWeb({
  seed,
  port,
  host = '127.0.0.1',
  domain = 'localhost',
  find = findPage,
}: FleetWebOptions): Promise<FleetWeb> {
  const server = createServer((request, response) =>
    answer(request, response, (site, path) => find(seed, site, path), web),
  );
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  // a server that listens on TCP has an AddressInfo
  const { port: bound } = server.address() as AddressInfo;
  const end = bound === 80 ? domain : `${domain}:${bound}`;
  const web: FleetWeb = {
    port: bound,
    address: ({ site, path }) => addressOf({ site, path }, end),
    waybackUrl: `http://archive.${end}`,
    mood: 'well',
    asked: 0,
    close: () => closeServer(server),
  };
  return web;
}

/** `end`: what all host names end in, with the port. */
export function addressOf({ site, path }: Pick<SourcePage, 'site' | 'path'>, end: string): string {
  return `http://${site}.${end}${path}`;
}

export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  find: (site: string, path: string) => SourcePage | null,
  web: FleetWeb,
): void {
  const path = request.url ?? '/';
  const [site = ''] = (request.headers.host ?? '').split('.');
  if (path === '/robots.txt') refuse(response, 404);
  else if (site === 'archive') answerArchive(path, response);
  else {
    web.asked += 1;
    answerPage(find(site, path), response, web.mood);
  }
}

/** It knows no copy of anything. */
function answerArchive(path: string, response: ServerResponse): void {
  const knows = path.startsWith('/wayback/available') ? '{"archived_snapshots":{}}' : '';
  response.writeHead(200, { 'content-type': 'application/json' }).end(knows);
}

function answerPage(page: SourcePage | null, response: ServerResponse, mood: WebMood): void {
  if (mood === 'hang') return;
  if (mood === 'error' || page?.condition === 'broken') refuse(response, 500);
  else if (page === null || page.condition === 'dead') refuse(response, 404);
  else send(response, render(page), mood === 'lie');
}

function send(response: ServerResponse, { type, body }: Rendered, lies: boolean): void {
  response.writeHead(200, { 'content-type': type, 'content-length': lies ? body.byteLength * 2 : body.byteLength });
  if (lies) response.write(body, () => response.destroy());
  else response.end(body);
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'text/plain' }).end(`${status}`);
}

interface Rendered {
  type: string;
  body: Buffer;
}

function render({ title, condition, paragraphs }: SourcePage): Rendered {
  if (condition === 'scanned') return { type: 'application/pdf', body: SCAN };
  const shown = condition === 'paywall' ? PAYWALL : paragraphs.map((text) => `<p>${text}</p>`).join('');
  const locked = condition === 'paywall' ? LOCKED : '';
  const head = `<meta charset="utf-8"><title>${title}</title>${locked}`;
  const html = `<!doctype html><html lang="en"><head>${head}</head><body><main><h1>${title}</h1>${shown}</main></body></html>`;
  return { type: 'text/html; charset=utf-8', body: Buffer.from(html) };
}

/** https://schema.org/isAccessibleForFree */
const LOCKED =
  '<script type="application/ld+json">{"@context":"https://schema.org","@type":"NewsArticle","isAccessibleForFree":false}</script>';
const PAYWALL = '<p>Subscribe to read the whole story. Already a subscriber? Sign in.</p>';
/** One page with nothing on it, as a scanner without recognition leaves it. */
const SCAN = makeScan();

function makeScan(): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>',
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(text + table + trailer);
}
