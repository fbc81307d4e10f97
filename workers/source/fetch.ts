/**
 * HTTP GET of pages that strangers chose. In: a URL. Out: a response, or a coded reason why there is none; nothing that a
 * remote does is thrown. Bounded in time, bytes (after decompression) and redirects; private addresses are refused.
 */
import { Agent, type Response, fetch as request } from 'undici';
import type { UnavailableReason } from '../../shared/citation.ts';
import { TransientError } from '../../shared/errors.ts';
import { guardedLookup, isRefusedHost, REFUSED_ADDRESS } from './address.ts';

export interface FetchSettings {
  userAgent: string;
  /** Sources on this machine may be read. */
  allowLoopback: boolean;
  /** `http://host/fetch?url={url}`: everything is asked of it, at whatever address the operator gave. */
  gateway: string | null;
  limits?: Partial<Limits>;
}

export interface Limits {
  /** From the first connection to the last byte, redirects included. Milliseconds. */
  totalMs: number;
  /** Until a connection stands, until headers have come, between two pieces of the body. Milliseconds. */
  silenceMs: number;
  /** Bytes of the body after decompression. */
  bodyBytes: number;
  redirects: number;
}

export interface FetchResponse {
  kind: 'response';
  finalUrl: string;
  status: number;
  /** As sent, '' if the header is missing. */
  contentType: string;
  /** Empty unless the status is 2xx. */
  body: Buffer;
}

/** `detail` is for a maintainer: 'HTTP 404', 'ECONNREFUSED'. */
export interface Failure {
  kind: 'unavailable';
  reason: UnavailableReason;
  detail: string;
}

export interface FetchOptions {
  signal: AbortSignal;
  /** Asked before each hop; a failure that it gives ends the fetch. */
  admit?: (url: URL, signal: AbortSignal) => Promise<Failure | null>;
}

/** Throws TransientError if the caller's signal aborts, and nothing else. */
export type Fetch = (url: string, options: FetchOptions) => Promise<FetchResponse | Failure>;

export function createFetch(settings: FetchSettings): Fetch {
  const limits = { ...LIMITS, ...settings.limits };
  const { gateway } = settings;
  const agent = createAgent(limits, gateway === null ? guardedLookup(settings.allowLoopback) : undefined);
  return async (url, options) => {
    const signal = AbortSignal.any([options.signal, AbortSignal.timeout(limits.totalMs)]);
    const get: Get = (target) =>
      request(target, { dispatcher: agent, redirect: 'manual', signal, headers: headers(settings.userAgent) });
    const asked =
      gateway === null
        ? follow(url, { ...options, signal }, get, { ...limits, ...settings })
        : askGateway(gateway, url, get, limits);
    const outcome = await asked.catch(toFailure);
    if (outcome.kind === 'response' || !signal.aborted) return outcome;
    if (options.signal.aborted) throw new TransientError(`stopped while fetching ${url}`);
    return unavailable('timeout', `${limits.totalMs} ms`);
  };
}

export function unavailable(reason: UnavailableReason, detail: string): Failure {
  return { kind: 'unavailable', reason, detail: detail.slice(0, 500) };
}

type Get = (url: string | URL) => Promise<Response>;

/** No connection is kept for later (`pipelining: 0`): sources lie on many hosts, and nothing is left to close. */
function createAgent(limits: Limits, lookup?: ReturnType<typeof guardedLookup>): Agent {
  return new Agent({
    pipelining: 0,
    headersTimeout: limits.silenceMs,
    bodyTimeout: limits.silenceMs,
    connect: { timeout: limits.silenceMs, ...(lookup && { lookup }) },
  });
}

async function follow(first: string, options: FetchOptions, get: Get, settings: Limits & { allowLoopback: boolean }) {
  let url = new URL(first);
  for (let hop = 0; hop <= settings.redirects; hop += 1) {
    if (isRefusedHost(url, settings.allowLoopback)) return unavailable('refused_address', url.hostname);
    const refusal = await options.admit?.(url, options.signal);
    if (refusal) return refusal;
    url.username = ''; // fetch refuses URLs with credentials, and none of ours go to strangers
    url.password = '';
    const response = await get(url);
    const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null;
    if (location === null) return receive(response, url.href, settings.bodyBytes);
    await response.body?.cancel();
    const next = URL.canParse(location, url.href) ? new URL(location, url) : null;
    if (next === null || !/^https?:$/.test(next.protocol)) return unavailable('refused_address', location);
    url = next;
  }
  return unavailable('too_many_redirects', `more than ${settings.redirects}`);
}

async function askGateway(gateway: string, url: string, get: Get, limits: Limits) {
  const response = await get(gateway.replaceAll('{url}', () => encodeURIComponent(url)));
  const finalUrl = response.headers.get('x-final-url') ?? '';
  return receive(response, URL.canParse(finalUrl) ? finalUrl : url, limits.bodyBytes);
}

async function receive(response: Response, finalUrl: string, maxBytes: number): Promise<FetchResponse | Failure> {
  const contentType = response.headers.get('content-type') ?? '';
  const answer = { kind: 'response', finalUrl, status: response.status, contentType } as const;
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    return { ...answer, body: Buffer.alloc(0) };
  }
  const body = await readBody(response.body, maxBytes);
  return Buffer.isBuffer(body) ? { ...answer, body } : body;
}

/** A body that breaks off is no page: half a page would count as "does not support". */
async function readBody(stream: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer | Failure> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      size += chunk.byteLength;
      if (size > maxBytes) return unavailable('too_large', `more than ${maxBytes} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    const failure = toFailure(error);
    return failure.reason === 'timeout' ? failure : unavailable('truncated', failure.detail);
  }
  return Buffer.concat(chunks);
}

/** undici wraps the socket's error, sometimes twice: the innermost code decides. */
function toFailure(error: unknown): Failure {
  const codes = causes(error).flatMap((cause) =>
    'code' in cause && typeof cause.code === 'string' ? [cause.code] : [cause.name],
  );
  const detail = codes.at(-1) ?? 'error';
  if (codes.includes(REFUSED_ADDRESS)) return unavailable('refused_address', detail);
  return unavailable(codes.some((code) => TIMEOUTS.has(code)) ? 'timeout' : 'unreachable', detail);
}

function causes(error: unknown): Error[] {
  if (typeof error !== 'object' || error === null || !('name' in error)) return [];
  const cause = error as Error; // Node's errors may come from another realm, where instanceof fails
  return [cause, ...causes(cause.cause)];
}

function headers(userAgent: string): Record<string, string> {
  return {
    'user-agent': userAgent,
    accept: 'text/html,application/xhtml+xml,application/pdf,text/plain;q=0.9,*/*;q=0.5',
  };
}

const LIMITS: Limits = { totalMs: 20_000, silenceMs: 10_000, bodyBytes: 15 * 1024 * 1024, redirects: 5 };
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const TIMEOUTS: ReadonlySet<string> = new Set([
  'TimeoutError',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);
