/**
 * The sample web's own archive, which answers as the Wayback Machine does: https://archive.org/help/wayback_api.php
 * In: a request to archive.localhost. Out: the nearest snapshot, or where it is. Archives nothing.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalUrl } from '../../shared/url.ts';
import { type Manifest, onPort, type Snapshot, WEB_DIR } from './manifest.ts';
import { type Answer, inLayout } from './render.ts';

export const ARCHIVE_HOST = 'archive.localhost';

/** `/wayback/available?url=&timestamp=`, `/web/<timestamp>/<url>` and, without the archive's banner, `/web/<timestamp>id_/<url>`. */
export async function answerFromArchive(manifest: Manifest, request: URL): Promise<Answer> {
  if (request.pathname === '/wayback/available') return available(manifest, request);
  const [, timestamp = '', raw, url = ''] = SNAPSHOT.exec(request.pathname + request.search) ?? [];
  const snapshot = nearest(manifest, url, timestamp);
  if (snapshot === undefined)
    return { status: 404, type: 'text/html', body: '<h1>No copy of this page is kept here.</h1>' };
  if (snapshot.timestamp !== timestamp) {
    const location = addressOf(snapshot, request.port, raw);
    return { status: 302, type: 'text/html', body: '', location };
  }
  const page = await pageOf(manifest, snapshot, request.port);
  return {
    status: 200,
    type: 'text/html',
    body: raw === undefined ? page.replace(/<body[^>]*>/, `$&${BANNER}`) : page,
  };
}

const SNAPSHOT = /^\/web\/(\d{4,14})(id_)?\/(.+)$/;
const BANNER = '<div id="archive-banner">This is a copy of a page, kept by the archive of the sample web.</div>';

function available(manifest: Manifest, request: URL): Answer {
  const url = request.searchParams.get('url') ?? '';
  const snapshot = nearest(manifest, url, request.searchParams.get('timestamp') ?? '99999999999999');
  const closest = snapshot && {
    available: true,
    url: addressOf(snapshot, request.port),
    timestamp: snapshot.timestamp,
    status: '200',
  };
  const body = JSON.stringify({ url, archived_snapshots: closest === undefined ? {} : { closest } });
  return { status: 200, type: 'application/json', body };
}

function nearest(manifest: Manifest, url: string, timestamp: string): Snapshot | undefined {
  const wanted = canonicalUrl(url);
  const distance = (snapshot: Snapshot) => Math.abs(Number(snapshot.timestamp) - Number(timestamp.padEnd(14, '0')));
  return manifest.snapshots
    .filter((snapshot) => canonicalUrl(snapshot.url) === wanted)
    .sort((a, b) => distance(a) - distance(b))[0];
}

function addressOf({ timestamp, url }: Snapshot, port: string, raw = ''): string {
  return `http://${ARCHIVE_HOST}:${port}/web/${timestamp}${raw}/${url}`;
}

async function pageOf(manifest: Manifest, snapshot: Snapshot, port: string): Promise<string> {
  const article = await readFile(join(WEB_DIR, snapshot.file), 'utf8');
  return inLayout(manifest, new URL(snapshot.url).hostname, onPort(article, Number(port)));
}
