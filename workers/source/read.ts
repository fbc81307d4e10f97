/**
 * One citation → the text of its source, or a coded reason why there is none: fetch, archive if need be, extract, judge
 * whether it can be read. Whatever a remote does is an outcome; only the caller's abort is thrown.
 */
import type { Citation, ReadableSource, Source, UnavailableReason } from '../../shared/citation.ts';
import { parseHttpUrl } from '../../shared/url.ts';
import { measureFetch } from '../measured.ts';
import type { Extract } from './extract/extract.ts';
import { createFetch, type Failure, type Fetch, type FetchOptions, type FetchSettings, unavailable } from './fetch.ts';
import type { Links } from './health-store.ts';
import { createLook, type LookAt } from './look.ts';
import { toPage, toUnavailable } from './page.ts';
import type { Responses } from './responses.ts';
import { createReplay, createRevisits } from './revisit.ts';
import { createRobots } from './robots.ts';
import type { Turns } from './turns.ts';
import {
  createWayback,
  originalOfArchiveToday,
  parseSnapshot,
  type Snapshot,
  type Wayback,
  withoutArchiveToday,
} from './wayback.ts';

export { readFileSource } from './page.ts';

export interface SourceReader {
  /** Throws TransientError if `signal` aborts, Busy if a host is to be asked later, and nothing else. */
  read(citation: Citation, signal: AbortSignal): Promise<Source>;
}

export interface LinkReader extends SourceReader {
  /** The page's own address alone, never a copy of it. Throws as `read` does. */
  look(url: string, signal: AbortSignal): Promise<Source>;
}

export interface ReaderSettings extends FetchSettings {
  waybackUrl: string;
}

/** What a reader works with beside the web; default: nothing is remembered, no host is spared, texts are extracted in this thread. */
export interface Means {
  turns?: Turns;
  extract?: Extract;
  /** Makes requests conditional. */
  responses?: Responses;
  links?: Links;
  /** Milliseconds since 1970; default: the clock. */
  now?: () => number;
}

export function createReader(settings: ReaderSettings, means: Means = {}): LinkReader {
  const { turns, extract, responses, links, now = Date.now } = means;
  const bare = withoutArchiveToday(measureFetch(createFetch(settings, turns)));
  const fetch = responses === undefined ? bare : createRevisits(bare, responses, now);
  const robots = settings.gateway === null ? createRobots({ fetch: bare, userAgent: settings.userAgent }) : {};
  const live = (url: string, options: Pick<FetchOptions, 'signal'>) => fetch(url, { ...options, ...robots });
  const look = createLook({ fetch: live, links, extract, now });
  const copy = readCopyAs(live, extract);
  return settings.gateway === null
    ? toReader(
        fromWeb({ look, copy, extract, wayback: createWayback({ fetch, waybackUrl: settings.waybackUrl }) }),
        look,
      )
    : toReader(fromGateway({ look, copy }), look);
}

/** Reads what was fetched before, as if it came now, and asks nobody: a check can be repeated on what was seen. */
export function createOfflineReader(
  { waybackUrl, gateway }: Pick<ReaderSettings, 'waybackUrl' | 'gateway'>,
  responses: Pick<Responses, 'get'>,
): SourceReader {
  const fetch = withoutArchiveToday(createReplay(responses));
  const look = createLook({ fetch, links: undefined, extract: undefined, now: Date.now });
  const copy = readCopyAs(fetch, undefined);
  const web = { look, copy, extract: undefined, wayback: createWayback({ fetch, waybackUrl }) };
  return toReader(gateway === null ? fromWeb(web) : fromGateway(web), look);
}

type Cited = Citation & { url: string };
type Read = (citation: Cited, signal: AbortSignal) => Promise<ReadableSource | Failure>;

interface Ways {
  look: LookAt;
  /** A copy as it is given: in no archive that is asked in its own way. */
  copy: LookAt;
}

function toReader(read: Read, look: LookAt): LinkReader {
  const checked = async (url: string | null, found: (url: string) => Promise<ReadableSource | Failure>) => {
    if (url === null) return toUnavailable(null, unavailable('no_url', ''));
    if (parseHttpUrl(url) === null) return toUnavailable(url, unavailable('invalid_url', url));
    const source = await found(url.replace(/^\/\//, 'https://'));
    return source.kind === 'readable' ? { ...source, url } : toUnavailable(url, source);
  };
  return {
    read: (citation, signal) =>
      checked(citation.url, async (asked) => {
        const url = originalOfArchiveToday(asked) ?? asked;
        if (originalOfArchiveToday(asked) === null) return unavailable('blocked', 'archive.today is not read');
        return read({ ...citation, url }, signal);
      }),
    look: (address, signal) => checked(address, (url) => look(url, signal)),
  };
}

function readCopyAs(
  fetch: (url: string, options: Pick<FetchOptions, 'signal'>) => ReturnType<Fetch>,
  extract: Extract | undefined,
): LookAt {
  return async (address, signal) => toPage(await fetch(address, { signal }), address, parseSnapshot(address), extract);
}

/** The gateway is asked for each address as it is cited, the archived copy included; it serves what it has. */
function fromGateway({ look, copy }: Ways): Read {
  return async (citation, signal) => {
    const { url } = citation;
    const archive = archiveOf(citation);
    const addresses = isGone(citation) ? [archive, url] : [url, archive];
    let found: ReadableSource | Failure = NO_COPY;
    for (const address of addresses.filter((each) => each !== null)) {
      const isPage = address === url && parseSnapshot(url) === null;
      found = await (isPage ? look : copy)(address, signal);
      if (found.kind === 'readable') return found;
    }
    return found;
  };
}

/** The page itself, or its archived copy: first where the citation says that the page is gone, else where it fails. */
function fromWeb({ look, copy, extract, wayback }: Ways & { extract: Extract | undefined; wayback: Wayback }): Read {
  return async (citation, signal) => {
    const { url } = citation;
    if (parseSnapshot(url) !== null) return archived(citation, signal);
    if (isGone(citation)) {
      const kept = await archived(citation, signal);
      // what is called dead may be there again; what has another owner, or other content, is not what was cited
      return kept.kind === 'readable' || citation.urlStatus !== 'dead' ? kept : look(url, signal);
    }
    const source = await look(url, signal);
    if (source.kind === 'readable' || !ARCHIVE_HELPS.has(source.reason)) return source;
    const kept = await archived(citation, signal);
    return kept.kind === 'readable' ? kept : source;
  };

  /** The copy that is cited, else the one nearest to when the page was read. */
  async function archived(citation: Cited, signal: AbortSignal): Promise<ReadableSource | Failure> {
    const archive = archiveOf(citation);
    const cited = parseSnapshot(citation.url) ?? (archive === null ? null : parseSnapshot(archive));
    const first = cited !== null ? await readSnapshot(cited) : archive !== null ? await copy(archive, signal) : NO_COPY;
    if (first.kind === 'readable') return first;
    const closest = await wayback.closest(cited?.url ?? citation.url, citation.accessDate, signal);
    return closest === null ? first : readSnapshot(closest);

    async function readSnapshot(snapshot: Snapshot) {
      const { outcome, snapshot: found } = await wayback.read(snapshot, signal);
      return toPage(outcome, citation.url, found, extract);
    }
  }
}

/** The address of the copy that is cited; null where none is, or none that is read. */
function archiveOf({ archiveUrl }: Citation): string | null {
  if (archiveUrl === null || parseHttpUrl(archiveUrl) === null) return null;
  const address = archiveUrl.replace(/^\/\//, 'https://');
  return originalOfArchiveToday(address) === undefined ? address : null;
}

/** What stands at the address now is not what was cited. */
export function isGone({ urlStatus }: Pick<Citation, 'urlStatus'>): boolean {
  return urlStatus !== null && urlStatus !== 'live';
}

const NO_COPY = unavailable('not_found', 'no archive has a copy');
const ARCHIVE_HELPS: ReadonlySet<UnavailableReason> = new Set([
  'dead',
  'not_found',
  'timeout',
  'unreachable',
  'blocked',
]);
