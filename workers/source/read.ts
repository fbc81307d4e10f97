/**
 * One citation → the text of its source, or a coded reason why there is none: fetch, archive if need be, extract, judge
 * whether it can be read. Whatever a remote does is an outcome; only the caller's abort is thrown.
 */
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { Citation, ReadableSource, Source, UnavailableReason, UnavailableSource } from '../../shared/citation.ts';
import { hashText } from '../../shared/hash.ts';
import { parseHttpUrl } from '../../shared/url.ts';
import { extract } from './extract/extract.ts';
import { createFetch, type Failure, type FetchResponse, type FetchSettings, unavailable } from './fetch.ts';
import { createRobots } from './robots.ts';
import type { Turns } from './turns.ts';
import { reasonOfPage, reasonOfStatus } from './unavailable.ts';
import { archivedAt, createWayback, originalOfArchiveToday, parseSnapshot, type Snapshot } from './wayback.ts';

export interface SourceReader {
  /** Throws TransientError if `signal` aborts, Busy if a host is to be asked later, and nothing else. */
  read(citation: Citation, signal: AbortSignal): Promise<Source>;
}

export interface ReaderSettings extends FetchSettings {
  waybackUrl: string;
}

/** `turns`: how hosts are spared; default: not at all. */
export function createReader(settings: ReaderSettings, turns?: Turns): SourceReader {
  const read = settings.gateway === null ? fromWeb(settings, turns) : fromGateway(settings);
  return {
    async read(citation, signal) {
      const { url } = citation;
      if (url === null) return toUnavailable(null, unavailable('no_url', ''));
      if (parseHttpUrl(url) === null) return toUnavailable(url, unavailable('invalid_url', url));
      const found = await read({ ...citation, url: url.replace(/^\/\//, 'https://') }, signal);
      return found.kind === 'readable' ? { ...found, url } : toUnavailable(url, found);
    },
  };
}

/** A file on this machine, for the command line: HTML, PDF or text by what it shows. Throws what reading the file throws. */
export async function readFileSource(path: string): Promise<Source> {
  const url = pathToFileURL(path).href;
  const contentType = /\.x?html?$/i.test(path) ? 'text/html' : /\.pdf$/i.test(path) ? 'application/pdf' : 'text/plain';
  const body = await readFile(path);
  const source = await toSource({ kind: 'response', finalUrl: url, status: 200, contentType, headers: {}, body }, url, null);
  return source.kind === 'readable' ? source : toUnavailable(url, source);
}

type Cited = Citation & { url: string };
type Read = (citation: Cited, signal: AbortSignal) => Promise<ReadableSource | Failure>;

/** The gateway is asked for each address as it is cited, the archived copy included; it serves what it has. */
function fromGateway(settings: ReaderSettings): Read {
  const fetch = createFetch(settings);
  return async (citation, signal) => {
    const { url, archiveUrl } = citation;
    const archive = archiveUrl !== null && isArchive(archiveUrl) ? [archiveUrl] : [];
    const addresses = isGone(citation) ? [...archive, url] : [url, ...archive];
    let failure = unavailable('no_url', '');
    for (const address of addresses) {
      const source = await toSource(await fetch(address, { signal }), address, parseSnapshot(address));
      if (source.kind === 'readable') return source;
      failure = source;
    }
    return failure;
  };
}

/** The page itself, or its archived copy: first where the citation says that the page is gone, else where it fails. */
function fromWeb(settings: ReaderSettings, turns: Turns | undefined): Read {
  const fetch = createFetch(settings, turns);
  const { admit, pauseMs } = createRobots({ fetch, userAgent: settings.userAgent });
  const archive = fromArchive(createWayback({ fetch, waybackUrl: settings.waybackUrl }));
  const live = async (url: string, signal: AbortSignal) =>
    toSource(await fetch(url, { signal, admit, pauseMs }), url, null);
  return async (citation, signal) => {
    const original = originalOfArchiveToday(citation.url);
    if (original === null) return unavailable('blocked', 'archive.today is not read');
    const url = original ?? citation.url;
    if (parseSnapshot(url) !== null || isGone(citation)) return archive(citation, url, signal);
    const source = await live(url, signal);
    if (source.kind === 'readable' || !ARCHIVE_HELPS.has(source.reason)) return source;
    const archived = await archive(citation, url, signal);
    return archived.kind === 'readable' ? archived : source;
  };
}

/** The snapshot that is cited, else the one nearest to when the page was read. */
function fromArchive(wayback: ReturnType<typeof createWayback>) {
  return async (citation: Cited, url: string, signal: AbortSignal): Promise<ReadableSource | Failure> => {
    const cited = parseSnapshot(url) ?? parseSnapshot(citation.archiveUrl ?? '');
    const first = cited === null ? unavailable('dead', 'no snapshot') : await readSnapshot(cited);
    if (first.kind === 'readable') return first;
    const closest = await wayback.closest(cited?.url ?? url, citation.accessDate, signal);
    return closest === null ? first : readSnapshot(closest);

    async function readSnapshot(snapshot: Snapshot) {
      const read = await wayback.read(snapshot, signal);
      return toSource(read.outcome, url, read.snapshot);
    }
  };
}

/** `requestedUrl` is compared with where the response came from; for a copy, the page that was copied is. */
async function toSource(
  outcome: FetchResponse | Failure,
  requestedUrl: string,
  snapshot: Snapshot | null,
): Promise<ReadableSource | Failure> {
  if (outcome.kind === 'unavailable') return outcome;
  const status = reasonOfStatus(outcome.status);
  if (status !== null) return unavailable(status, `HTTP ${outcome.status}`);
  const extracted = await extract(outcome.body, outcome.contentType);
  if ('kind' in extracted) return extracted;
  const { type, title, language, text, marks } = extracted;
  const [from, to] = [parseSnapshot(requestedUrl)?.url ?? requestedUrl, snapshot?.url ?? outcome.finalUrl];
  const reason = reasonOfPage({ requestedUrl: from, finalUrl: to, title, text, marks });
  if (reason !== null) return unavailable(reason, title);
  if (text === '') return unavailable('unsupported_type', 'no text');
  return {
    kind: 'readable',
    url: requestedUrl,
    finalUrl: outcome.finalUrl,
    title,
    text,
    contentHash: hashText(text),
    type,
    language,
    fetchedAt: new Date().toISOString(),
    archivedAt: snapshot === null ? null : archivedAt(snapshot),
  };
}

function toUnavailable(url: string | null, { reason, detail }: Failure): UnavailableSource {
  return { kind: 'unavailable', url, reason, detail, fetchedAt: new Date().toISOString() };
}

/** What stands at the address now is not what was cited. */
function isGone(citation: Citation): boolean {
  return citation.urlStatus !== null && citation.urlStatus !== 'live';
}

function isArchive(address: string): boolean {
  return parseHttpUrl(address) !== null && originalOfArchiveToday(address) === undefined;
}

const ARCHIVE_HELPS: ReadonlySet<UnavailableReason> = new Set(['dead', 'timeout', 'unreachable', 'blocked']);
