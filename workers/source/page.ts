/** A response → a page that can be read, or why it can't. Fetches nothing. In: what came, and what was asked for. */
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { ReadableSource, Source, UnavailableSource } from '../../shared/citation.ts';
import { hashText } from '../../shared/hash.ts';
import { type Extract, extract as extractHere } from './extract/extract.ts';
import { ownAddress } from './extract/metadata.ts';
import { type Failure, type FetchResponse, unavailable } from './fetch.ts';
import { fitsPacked } from './packed-text.ts';
import { reasonOfPage, reasonOfStatus } from './unavailable.ts';
import { archivedAt, copiedAt, parseSnapshot, type Snapshot } from './wayback.ts';

/** `page`: what could be read of it all the same, where a text came that seems to be none of a source. */
export type Unread = Failure & { page?: ReadableSource };

/** `requestedUrl` is compared with where the response came from; for a copy, the page that was copied is. */
export async function toPage(
  outcome: FetchResponse | Failure,
  requestedUrl: string,
  snapshot: Snapshot | null,
  extract: Extract = extractHere,
): Promise<ReadableSource | Unread> {
  if (outcome.kind === 'unavailable') return outcome;
  const status = reasonOfStatus(outcome.status, outcome.headers);
  if (status !== null) return unavailable(status, `HTTP ${outcome.status}`);
  const extracted = await extract(outcome.body, outcome.contentType);
  if ('kind' in extracted) return extracted;
  const { marks, canonical, ...read } = extracted;
  if (!(await fitsPacked(read.text))) return unavailable('too_large', `${read.text.length} characters`);
  const [from, to] = [parseSnapshot(requestedUrl)?.url ?? requestedUrl, snapshot?.url ?? outcome.finalUrl];
  const canonicalUrl = ownAddress(canonical, to);
  const page: ReadableSource = {
    kind: 'readable',
    url: requestedUrl,
    finalUrl: outcome.finalUrl,
    ...read,
    contentHash: hashText(read.text),
    fetchedAt: outcome.receivedAt ?? new Date().toISOString(),
    archivedAt: snapshot === null ? copiedAt(outcome) : archivedAt(snapshot),
    ...(canonicalUrl !== null && { canonicalUrl }),
  };
  const reason = reasonOfPage({ requestedUrl: from, finalUrl: to, title: read.title, text: read.text, marks });
  if (reason !== null) return { ...unavailable(reason, read.title), ...(read.text !== '' && { page }) };
  return read.text === '' ? unavailable('unsupported_type', 'no text') : page;
}

export function toUnavailable(url: string | null, { reason, detail }: Failure): UnavailableSource {
  return { kind: 'unavailable', url, reason, detail, fetchedAt: new Date().toISOString() };
}

/** A file on this machine, for the command line: HTML, PDF or text by what it shows. Throws what reading the file throws. */
export async function readFileSource(path: string): Promise<Source> {
  const finalUrl = pathToFileURL(path).href;
  const body = await readFile(path);
  const came = { kind: 'response', finalUrl, status: 200, contentType: typeOfFile(path), headers: {}, body } as const;
  const source = await toPage(came, finalUrl, null);
  return source.kind === 'readable' ? source : toUnavailable(finalUrl, source);
}

/** By its name; what it holds counts more (`extract.ts`). */
export function typeOfFile(path: string): string {
  return /\.x?html?$/i.test(path) ? 'text/html' : /\.pdf$/i.test(path) ? 'application/pdf' : 'text/plain';
}
