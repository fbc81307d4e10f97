/**
 * A wiki's REST API: revision or wikitext → Parsoid HTML. Expected outcomes are values; a wiki that is away is a TransientError.
 * The HTML is not parsed here.
 */
import { fetch, type RequestInit, type Response } from 'undici';
import { TransientError } from '../shared/errors.ts';

export type RevisionHtml =
  | { kind: 'html'; html: string }
  /** No such revision, or its page was deleted. */
  | { kind: 'missing' }
  /** Its text was hidden from the public (revision deletion). */
  | { kind: 'hidden' }
  /** More HTML than the limit, or more wikitext than Parsoid takes. */
  | { kind: 'too_large' }
  /** The wiki can't render it: not wikitext. */
  | { kind: 'unrenderable' };

export interface Parsoid {
  /** https://www.mediawiki.org/wiki/API:REST_API/Reference#Get_HTML (of a revision). */
  html(revision: number, signal?: AbortSignal): Promise<RevisionHtml>;
  /** Renders wikitext as if it stood on the page `title`, which need not exist. */
  transform(title: string, wikitext: string, signal?: AbortSignal): Promise<RevisionHtml>;
}

export interface ParsoidOptions {
  restUrl: string;
  userAgent: string;
  /** Bytes of HTML, uncompressed. */
  maxBytes: number;
}

export function createParsoid({ restUrl, userAgent, maxBytes }: ParsoidOptions): Parsoid {
  const ask = async (path: string, init: RequestInit, signal: AbortSignal = NEVER): Promise<RevisionHtml> => {
    const headers = { 'user-agent': userAgent, ...JSON_BODY };
    const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    try {
      return await read(await fetch(`${restUrl}${path}`, { ...init, headers, signal: limited }), maxBytes);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof TransientError) throw error;
      throw new TransientError(`no answer from ${restUrl}${path}`, { cause: error });
    }
  };
  return {
    html: (revision, signal) => ask(`/v1/revision/${revision}/html`, {}, signal),
    transform(title, wikitext, signal) {
      const path = `/v1/transform/wikitext/to/html/${encodeURIComponent(title.replaceAll(' ', '_'))}`;
      return ask(path, { method: 'POST', body: JSON.stringify({ wikitext }) }, signal);
    },
  };
}

async function read(response: Response, maxBytes: number): Promise<RevisionHtml> {
  if (response.ok) return readLimited(response, maxBytes);
  await response.body?.cancel();
  const kind = REFUSALS.get(response.status);
  if (kind !== undefined) return { kind };
  throw new TransientError(`HTTP ${response.status} from ${response.url}`);
}

async function readLimited(response: Response, maxBytes: number): Promise<RevisionHtml> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return { kind: 'too_large' }; // leaving the loop cancels the body
    chunks.push(chunk);
  }
  return { kind: 'html', html: Buffer.concat(chunks).toString('utf8') };
}

/** Everything else that is not 2xx (5xx, 429, a proxy's 407) may be better later. */
const REFUSALS = new Map<number, Exclude<RevisionHtml['kind'], 'html'>>([
  [403, 'hidden'],
  [404, 'missing'],
  [413, 'too_large'],
  [400, 'unrenderable'],
  [406, 'unrenderable'],
  [415, 'unrenderable'],
]);
const JSON_BODY = { 'content-type': 'application/json' };
const NEVER = new AbortController().signal;
/** Parsoid itself gives up a page after a minute. */
const TIMEOUT_MS = 90_000;
