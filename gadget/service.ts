/**
 * The review service, as the gadget asks it: one origin, no keys, no cookies, and nothing before the reader has agreed. Its
 * answers are shown as text, never as HTML.
 */
import type { Check } from './check.ts';
import type { Answer, Row, Summary } from './state.ts';

/** Whose findings: of a title, a user or a project. */
export type Whose = { page: string } | { user: string } | { project: string };

export type CheckWish =
  | { kind: 'page'; wiki: string; title: string }
  | { kind: 'claims'; wiki: string; title: string; anchors: readonly { claim: string; citations: string }[] }
  | { kind: 'sentence'; wiki: string; title: string; text: string };

/** All reject with ServiceError. */
export interface Service {
  readonly origin: string;
  /** What is to be mended, or decided: all that is not simply supported. At most `limit`. */
  findings(wiki: string, whose: Whose, limit: number): Promise<Omit<Answer, 'summary'>>;
  /** How many there are of each verdict. */
  counts(wiki: string, whose: Whose): Promise<Summary['counts']>;
  finding(id: number): Promise<Row>;
  summary(wiki: string, title: string): Promise<Summary>;
  start(wish: CheckWish): Promise<{ check: Check; key: string }>;
  check(id: string): Promise<Check>;
  cancel(id: string, key: string): Promise<Check>;
  /** Where a check's events come from. */
  eventsUrl(id: string): string;
}

/** What came instead of an answer. `code` and `message` are the service's own, '' where it said none. */
export class ServiceError extends Error {
  /** 0: none came, or not in time. */
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** `mayAsk`: asked before each request; where it says no, none is made. */
export function createService(origin: string, mayAsk: () => boolean): Service {
  const at = (path: string) => `${origin}/api${path}`;
  const ask = async <T>(url: string, init: RequestInit = {}): Promise<T> => {
    if (!mayAsk()) throw new ServiceError(0, 'not_agreed', '');
    return (await answerOf(url, init)) as T; // the service's own schemas made it
  };
  return {
    origin,
    async findings(wiki, whose, limit) {
      const query = new URLSearchParams({ wiki, ...whose, state: 'unmended', limit: String(limit) });
      const body = await ask<FindingsAnswer>(at(`/findings?${query}`));
      const { findings: rows, coverage, next } = body;
      return { rows, coverage, hasMore: next !== null };
    },
    async counts(wiki, whose) {
      const query = new URLSearchParams({ wiki, ...whose, state: 'unmended' });
      return (await ask<{ counts: Summary['counts'] }>(at(`/findings/counts?${query}`))).counts;
    },
    finding: (id) => ask(at(`/findings/${id}`)),
    summary: (wiki, title) => ask(at(`/pages?${new URLSearchParams({ wiki, title })}`)),
    start: (wish) => ask(at('/checks'), { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(wish) }),
    check: (id) => ask(at(`/checks/${id}`)),
    cancel: (id, key) => ask(at(`/checks/${id}`), { method: 'DELETE', headers: { 'x-check-key': key } }),
    eventsUrl: (id) => at(`/checks/${id}/events`),
  };
}

type FindingsAnswer = Pick<Answer, 'coverage'> & { findings: Row[]; next: number | null };

/** A service that is slower than this is as good as away: the page must not wait for it. */
export const DEADLINE_MS = 15_000;

async function answerOf(url: string, init: RequestInit): Promise<unknown> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), DEADLINE_MS);
  try {
    const response = await fetch(url, { ...init, credentials: 'omit', signal: stop.signal });
    const body: unknown = await response.json();
    if (response.ok) return body;
    throw refusalOf(response.status, body);
  } catch (error) {
    throw error instanceof ServiceError ? error : new ServiceError(0, 'unreachable', '');
  } finally {
    clearTimeout(timer);
  }
}

function refusalOf(status: number, body: unknown): ServiceError {
  const { error, message } = Object(body) as { error?: unknown; message?: unknown };
  return new ServiceError(status, String(error ?? ''), String(message ?? ''));
}

const JSON_TYPE = { 'content-type': 'application/json' };
