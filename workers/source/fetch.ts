/**
 * HTTP GET of pages that strangers chose. In: a URL. Out: a response, or a coded reason why there is none; nothing that a
 * remote does is thrown. Bounded in time, bytes (after decompression) and redirects; private addresses are refused.
 */
import { Agent, type Response, fetch as request } from 'undici';
import type { UnavailableReason } from '../../shared/citation.ts';
import { TransientError } from '../../shared/errors.ts';
import { guardedLookup, isRefusedHost, REFUSED_ADDRESS } from './address.ts';
import type { Turns } from './turns.ts';

export interface FetchSettings {
  userAgent: string;
  /** Sources on this machine may be read. */
  allowLoopback: boolean;
  /** `http://host/fetch?url={url}`: everything is asked of it, at whatever address the operator gave. */
  gateway: string | null;
  limits?: Partial<Limits>;
}

export interface Limits {
  /** From the first connection to the last byte, redirects included, waiting for turns not. Milliseconds. */
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
  /** As sent, by lower-case name. */
  headers: Readonly<Record<string, string>>;
  /** Empty unless the status is 2xx. */
  body: Buffer;
  /** The hops that led there, in their order. Absent: none. */
  redirects?: readonly Redirect[];
  /** ISO time at which it came. Absent: now. */
  receivedAt?: string;
}

/** A hop: where it was asked, and what it answered. */
export interface Redirect {
  url: string;
  status: number;
  location: string;
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
  /** How long the host asks to be left alone after a hop, milliseconds. */
  pauseMs?: (url: URL) => number;
  /** Sent with each hop beside our own: what makes a request conditional. */
  headers?: Readonly<Record<string, string>>;
}

/** Throws TransientError if the caller's signal aborts, Busy if the host's turn is far off, and nothing else. */
export type Fetch = (url: string, options: FetchOptions) => Promise<FetchResponse | Failure>;

/** `turns`: taken before each hop and ended after it; default: none are kept. A gateway keeps its own. */
export function createFetch(settings: FetchSettings, turns?: Turns): Fetch {
  const limits = { ...LIMITS, ...settings.limits };
  const { gateway } = settings;
  const agent = createAgent(limits, gateway === null ? guardedLookup(settings.allowLoopback) : undefined);
  return async (url, options) => {
    const deadline = createDeadline(limits.totalMs, options.signal);
    const get: Get = (target, signal) =>
      request(target, {
        dispatcher: agent,
        redirect: 'manual',
        signal,
        headers: { ...options.headers, ...headers(settings.userAgent) },
      });
    const asked =
      gateway === null
        ? follow(url, options, { get, deadline, turns, ...limits, ...settings })
        : deadline.run((signal) => askGateway(gateway, url, (target) => get(target, signal), limits));
    const outcome = await asked.catch(toFailure);
    if (outcome.kind === 'response') return outcome;
    if (options.signal.aborted) throw new TransientError(`stopped while fetching ${url}`);
    return deadline.isOver() ? unavailable('timeout', `${limits.totalMs} ms`) : outcome;
  };
}

export function unavailable(reason: UnavailableReason, detail: string): Failure {
  return { kind: 'unavailable', reason, detail: detail.slice(0, 500) };
}

type Get = (url: string | URL, signal: AbortSignal) => Promise<Response>;

type Deadline = ReturnType<typeof createDeadline>;

/** Runs only while a host is being asked. */
function createDeadline(totalMs: number, outer: AbortSignal) {
  let leftMs = totalMs;
  return {
    async run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
      const begun = performance.now();
      const signal = AbortSignal.any([outer, AbortSignal.timeout(Math.max(Math.ceil(leftMs), 0))]);
      try {
        return await work(signal);
      } finally {
        leftMs -= performance.now() - begun;
      }
    },
    isOver: () => leftMs <= 0,
  };
}

/** No connection is kept for later (`pipelining: 0`): sources lie on many hosts, and nothing is left to close. */
function createAgent(limits: Limits, lookup?: ReturnType<typeof guardedLookup>): Agent {
  return new Agent({
    pipelining: 0,
    headersTimeout: limits.silenceMs,
    bodyTimeout: limits.silenceMs,
    connect: { timeout: limits.silenceMs, ...(lookup && { lookup }) },
  });
}

interface Following extends Limits {
  get: Get;
  deadline: Deadline;
  turns: Turns | undefined;
  allowLoopback: boolean;
}

async function follow(first: string, options: FetchOptions, following: Following) {
  let url = new URL(first);
  const redirects: Redirect[] = [];
  for (let hop = 0; hop <= following.redirects; hop += 1) {
    if (isRefusedHost(url, following.allowLoopback)) return unavailable('refused_address', url.hostname);
    const refusal = await options.admit?.(url, options.signal);
    if (refusal) return refusal;
    url.username = ''; // fetch refuses URLs with credentials, and none of ours go to strangers
    url.password = '';
    const answer = await takeHop(url, options, following);
    if (!('location' in answer)) return arrivedBy(redirects, answer);
    const { location, status } = answer;
    redirects.push({ url: url.href, status, location });
    const next = URL.canParse(location, url.href) ? new URL(location, url) : null;
    if (next === null || !/^https?:$/.test(next.protocol)) return unavailable('refused_address', location);
    url = next;
  }
  return unavailable('too_many_redirects', `more than ${following.redirects}`);
}

function arrivedBy(redirects: readonly Redirect[], answer: FetchResponse | Failure) {
  return answer.kind === 'response' && redirects.length > 0 ? { ...answer, redirects } : answer;
}

/** One request, in the host's turn. */
async function takeHop(url: URL, { signal, pauseMs }: FetchOptions, { get, deadline, turns, bodyBytes }: Following) {
  const turn = await turns?.take(url.host, signal);
  try {
    return await deadline.run(async (limited) => {
      const response = await get(url, limited);
      const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null;
      if (location === null) return receive(response, url.href, bodyBytes);
      await response.body?.cancel();
      return { location, status: response.status };
    });
  } finally {
    await turn?.end(pauseMs?.(url));
  }
}

async function askGateway(gateway: string, url: string, get: (url: string) => Promise<Response>, limits: Limits) {
  const response = await get(gateway.replaceAll('{url}', () => encodeURIComponent(url)));
  const finalUrl = response.headers.get('x-final-url') ?? '';
  return receive(response, URL.canParse(finalUrl) ? finalUrl : url, limits.bodyBytes);
}

async function receive(response: Response, finalUrl: string, maxBytes: number): Promise<FetchResponse | Failure> {
  const contentType = response.headers.get('content-type') ?? '';
  const headers = Object.fromEntries(response.headers);
  const answer = { kind: 'response', finalUrl, status: response.status, contentType, headers } as const;
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

/** undici wraps the socket's error, sometimes twice: the innermost code decides. What is no remote's doing is thrown on. */
function toFailure(error: unknown): Failure {
  if (error instanceof TransientError) throw error;
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
