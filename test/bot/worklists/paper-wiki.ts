/**
 * The API of a wiki with as many articles as a test needs, made up as they are asked for: "Mill 17" is page 17 at revision 1017.
 * What it was asked is counted. No MediaWiki has ten thousand articles within seconds.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PaperWiki {
  origin: string;
  /** Titles or page ids of each request. */
  asked: number[];
  /** Page → what the wiki says of it besides. */
  about: Map<number, object>;
  /** Answers with 503 until it is set back. */
  away: boolean;
  close(): Promise<void>;
}

export async function startPaperWiki(): Promise<PaperWiki> {
  const server = createServer((request, response) => {
    const query = new URL(request.url ?? '/', 'http://wiki.example').searchParams;
    if (wiki.away) response.writeHead(503).end();
    else response.setHeader('content-type', 'application/json').end(JSON.stringify(answer(query, wiki)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // a server that listens on TCP has an AddressInfo
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const wiki: PaperWiki = { origin, asked: [], about: new Map(), away: false, close: () => close(server) };
  return wiki;
}

function answer(query: URLSearchParams, wiki: PaperWiki): object {
  if (query.get('meta') === 'siteinfo') return { query: { general: { wikiid: 'paperwiki' } } };
  if (query.get('list') === 'search') return search(Number(query.get('sroffset') ?? 0));
  const titles = query.get('titles')?.split('\u001f').slice(1);
  const ids = titles?.map((title) => Number(/^Mill (\d+)$/.exec(title)?.[1])) ?? numbers(query.get('pageids'));
  wiki.asked.push(ids.length);
  return { query: { pages: ids.map((id, at) => pageOf(id, titles?.[at] ?? '', wiki)) } };
}

/** Finds 50 articles, 20 at a time. */
function search(from: number): object {
  const found = Array.from({ length: Math.min(20, 50 - from) }, (_, at) => ({ ns: 0, title: `Mill ${from + at + 1}` }));
  const more = from + 20 < 50 ? { continue: { sroffset: from + 20, continue: '-||' } } : {};
  return { ...more, query: { search: found } };
}

function pageOf(id: number, title: string, { about }: PaperWiki): object {
  if (Number.isNaN(id)) return { ns: 0, title, missing: true };
  return { pageid: id, ns: 0, title: `Mill ${id}`, lastrevid: 1000 + id, ...about.get(id) };
}

function numbers(ids: string | null): number[] {
  return (ids ?? '').split('|').map(Number);
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
