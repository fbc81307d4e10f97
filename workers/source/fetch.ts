/**
 * HTTP GET of pages that strangers chose. In: a URL. Out: a response, or a coded reason why there is none; nothing that a
 * remote does is thrown. Bounded in time, bytes (after decompression) and redirects; private addresses are refused.
 */

import { Agent, request } from 'undici';
import { TransientError } from '../../shared/errors.ts';
import { retryAfterMs } from '../../shared/retry-after.ts';
import { parseHttpUrl, parseUrl } from '../../shared/url.ts';
import { guardedLookup, isRefusedHost, isRefusedPort } from './address.ts';
import { type Failure, toFailure, unavailable } from './failure.ts';
import { discard, field, type Response, readLocation, receive } from './receive.ts';
import type { Turns } from './turns.ts';

export { type Failure, unavailable } from './failure.ts';

export interface FetchSettings {
  userAgent: string;
  /** Sources on this machine may be read. */
  allowLoopback: boolean;
  /** `http://host/fetch?url={url}`: everything is asked of it, at whatever address the operator gave. */
  gateway: string | null;
  limits?: Partial<Limits>;
  /** `address:port` of DNS servers; default: the system's. */
  nameServers?: readonly string[];
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
  const agent = createAgent(
    limits,
    gateway === null ? guardedLookup(settings.allowLoopback, settings.nameServers) : undefined,
  );
  return async (url, options) => {
    const deadline = createDeadline(limits.totalMs, options.signal);
    const get: Get = (target, signal) =>
      orAborted(
        request(target, { dispatcher: agent, signal, headers: { ...options.headers, ...headers(settings.userAgent) } }),
        signal,
      );
    const asked =
      gateway === null
        ? follow(url, options, { ...limits, get, deadline, turns, allowLoopback: settings.allowLoopback })
        : deadline.run((signal) => askGateway(gateway, url, (target) => get(target, signal), limits));
    const outcome = await asked.catch(toFailure);
    if (outcome.kind === 'response') return outcome;
    if (options.signal.aborted) throw new TransientError(`stopped while fetching ${url}`);
    return deadline.isOver() ? unavailable('timeout', `${limits.totalMs} ms`) : outcome;
  };
}

/** Follows no redirect, unpacks nothing. */
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
  const start = parseHttpUrl(first);
  if (start === null) return unavailable('invalid_url', first);
  let url = start;
  const redirects: Redirect[] = [];
  for (let hop = 0; hop <= following.redirects; hop += 1) {
    const isRefused = isRefusedHost(url, following.allowLoopback) || isRefusedPort(url);
    if (isRefused) return unavailable('refused_address', url.host);
    const refusal = await options.admit?.(url, options.signal);
    if (refusal) return refusal;
    url.username = ''; // names and passwords go to no stranger
    url.password = '';
    const answer = await takeHop(url, options, following);
    if (!('location' in answer)) return arrivedBy(redirects, answer);
    const { location, status } = answer;
    redirects.push({ url: url.href, status, location });
    const next = parseUrl(location, url.href);
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
  let pause = pauseMs?.(url) ?? 0;
  try {
    return await deadline.run(async (limited) => {
      const response = await get(url, limited);
      pause = Math.max(pause, pauseAsked(response));
      const status = response.statusCode;
      const location = REDIRECTS.has(status) ? readLocation(response) : '';
      if (location === '') return receive(response, url.href, bodyBytes);
      discard(response);
      return { location, status };
    });
  } finally {
    await turn?.end(pause);
  }
}

/** A host that is asked too often, or is down, may say for how long it wants to be left alone, whichever page was asked for. */
function pauseAsked(response: Response): number {
  if (!REFUSALS.has(response.statusCode)) return 0;
  return Math.min(retryAfterMs(field(response, 'retry-after'), Date.now()) ?? 0, LONGEST_PAUSE_MS);
}

async function askGateway(gateway: string, url: string, get: (url: string) => Promise<Response>, limits: Limits) {
  const response = await get(gateway.replaceAll('{url}', () => encodeURIComponent(url)));
  const finalUrl = field(response, 'x-final-url');
  return receive(response, parseUrl(finalUrl) === null ? url : finalUrl, limits.bodyBytes);
}

/** undici looks at the signal only once a connection stands. */
function orAborted<T>(asked: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    asked.then(resolve, reject);
  });
}

function headers(userAgent: string): Record<string, string> {
  return {
    'user-agent': userAgent,
    'accept-encoding': 'gzip, deflate, br',
    'accept-language': '*',
    accept: 'text/html,application/xhtml+xml,application/pdf,text/plain;q=0.9,*/*;q=0.5',
  };
}

const LIMITS: Limits = { totalMs: 20_000, silenceMs: 10_000, bodyBytes: 15 * 1024 * 1024, redirects: 5 };
/** As long as a worker may wait for a turn; the page itself waits for as long as it was told (`health.ts`). */
const LONGEST_PAUSE_MS = 60_000;
const REFUSALS: ReadonlySet<number> = new Set([429, 503]);
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
