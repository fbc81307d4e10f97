/**
 * A wiki as a program: the action API as far as Sidelight asks it, revisions as Parsoid HTML, recent changes as EventStreams tells
 * them. In: a seed, how many articles, where their sources lie. Out: a server. Nobody can edit it: `announce` tells what is there.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FleetArticle, type FleetRevision, indexOfRevision, makeArticle, type SourcePage } from './articles.ts';
import { renderRevision } from './parsoid.ts';
import { createStream, type WikiEvent } from './stream.ts';
import { closeServer } from './web.ts';
import { answerApi, MAINTAINER } from './wiki-api.ts';

export interface FleetWikiOptions {
  seed: number;
  /** How many there are; those that were not announced can be asked for as well. */
  articles: number;
  /** 0: any that is free. */
  port: number;
  host?: string;
  /** Where a cited page lies: `FleetWeb.address`. */
  address: (page: SourcePage) => string;
  /** ms since 1970, of the first event; default: now. */
  begunAt?: number;
}

export interface FleetWiki {
  /** For WIKI, with WIKI_SCRIPT_PATH as it is by default. */
  origin: string;
  /** For EVENTSTREAMS_URL, with FEED=eventstreams. */
  eventStreamsUrl: string;
  /**
   * Tells of the next edits, in their order: every article's first revision, and after all of them the later ones. Returns how many
   * were left to tell.
   */
  announce(edits: number): number;
  /** How many edits there are, and how many were told. */
  edits: number;
  announced: number;
  close(): Promise<void>;
}

export async function startFleetWiki(options: FleetWikiOptions): Promise<FleetWiki> {
  const { host = '127.0.0.1', port } = options;
  const revisions = listRevisions(options);
  const stream = createStream();
  const world: FleetWorld = { ...options, names: { server: '' }, events: stream.events };
  const server = createServer((request, response) => void serve(request, response, world, stream.connect));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  // a server that listens on TCP has an AddressInfo
  const { port: bound } = server.address() as AddressInfo;
  world.names.server = bound === 80 ? host : `${host}:${bound}`;
  const begunAt = options.begunAt ?? Date.now();
  const wiki: FleetWiki = {
    origin: `http://${world.names.server}`,
    eventStreamsUrl: `http://${world.names.server}/v2/stream/mediawiki.recentchange`,
    edits: revisions.length,
    announced: 0,
    announce(edits) {
      const told = revisions.slice(wiki.announced, wiki.announced + edits);
      stream.tell(told.map((revision) => toEvent(revision, world, Math.max(Date.now(), begunAt))));
      wiki.announced += told.length;
      return revisions.length - wiki.announced;
    },
    close: () => closeServer(server),
  };
  return wiki;
}

export interface FleetWorld extends FleetWikiOptions {
  /** `server_name` of events: host, and port where it is not 80. */
  names: { server: string };
  events: readonly WikiEvent[];
}

/** An article with one of its revisions; null if there is none. */
export function findRevision(
  { seed, articles }: Pick<FleetWorld, 'seed' | 'articles'>,
  id: number,
): { article: FleetArticle; revision: FleetRevision } | null {
  const index = indexOfRevision(id);
  if (index < 0 || index >= articles) return null;
  const article = makeArticle(seed, index);
  const revision = article.revisions.find((each) => each.id === id);
  return revision === undefined ? null : { article, revision };
}

function listRevisions({ seed, articles }: FleetWikiOptions): number[] {
  const all = Array.from({ length: articles }, (_, index) => makeArticle(seed, index).revisions.map(({ id }) => id));
  return [...all.map(([first]) => first), ...all.map(([, ...later]) => later)].flat().filter((id) => id !== undefined);
}

function toEvent(id: number, world: FleetWorld, time: number): WikiEvent {
  const found = findRevision(world, id);
  if (found === null) throw new RangeError(`no revision ${id}`);
  const { article, revision } = found;
  return {
    time,
    data: {
      meta: { domain: world.names.server, dt: new Date(time).toISOString(), id: `event-${id}` },
      type: revision.previous === null ? 'new' : 'edit',
      title: article.title,
      namespace: 0,
      bot: false,
      minor: false,
      timestamp: Math.floor(time / 1000),
      server_name: world.names.server,
      revision: { new: id, old: revision.previous },
      length: { old: revision.previous === null ? null : 400, new: 800 },
      user: 'Somebody',
      comment: '',
    },
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  world: FleetWorld,
  connect: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://wiki.invalid');
  if (url.pathname.startsWith('/v2/stream/')) connect(request, response);
  else if (url.pathname === '/w/api.php') {
    const params = request.method === 'POST' ? await readForm(request) : url.searchParams;
    send(response, 200, 'application/json', JSON.stringify(answerApi(params, world)));
  } else if (url.pathname.startsWith(OAUTH)) serveOAuth(url, response);
  else serveHtml(url.pathname, response, world);
}

/** Everybody is the same maintainer, and agrees to be known at once. */
function serveOAuth({ pathname, searchParams }: URL, response: ServerResponse): void {
  if (pathname === `${OAUTH}authorize`) {
    const back = new URL(searchParams.get('redirect_uri') ?? 'http://nowhere.invalid');
    back.searchParams.set('code', 'agreed');
    back.searchParams.set('state', searchParams.get('state') ?? '');
    response.writeHead(302, { location: back.href }).end();
  } else {
    const body = pathname === `${OAUTH}access_token` ? TOKEN : { sub: 1, username: MAINTAINER.name, ...MAINTAINER };
    send(response, 200, 'application/json', JSON.stringify(body));
  }
}

function serveHtml(path: string, response: ServerResponse, world: FleetWorld): void {
  const found = findRevision(world, Number(/^\/w\/rest\.php\/v1\/revision\/(\d+)\/html$/.exec(path)?.[1]));
  if (found === null) send(response, 404, 'application/json', '{}');
  else {
    const html = renderRevision(found.article.title, found.revision, world.address);
    send(response, 200, 'text/html; charset=utf-8', html);
  }
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

const OAUTH = '/w/rest.php/oauth2/';
const TOKEN = { access_token: 'fleet', token_type: 'Bearer', expires_in: 3600 };

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type }).end(body);
}
