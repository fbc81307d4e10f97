/**
 * Fetching what was fetched before. `createRevisits`: asks whether a page has changed, and takes what is kept where it has not.
 * `createReplay`: asks nobody, and gives what is kept. Both are a `Fetch`.
 */
import { type Fetch, type FetchOptions, unavailable } from './fetch.ts';
import type { KeptResponse, Responses } from './responses.ts';

/** Keeps every response. `fetch` is asked once, or twice where the page that has not changed is another one by now. */
export function createRevisits(fetch: Fetch, responses: Responses, now: () => number): Fetch {
  const keep = async (url: string, options: FetchOptions) => {
    const outcome = await fetch(url, options);
    if (outcome.kind === 'unavailable' || outcome.status === 304) return outcome;
    await responses.put(url, { ...outcome, receivedAt: new Date(now()).toISOString() });
    return outcome;
  };
  return async (url, options) => {
    const known = await responses.get(url);
    const conditions = known === null ? null : conditionsOf(known);
    if (known === null || conditions === null) return keep(url, options);
    const outcome = await keep(url, { ...options, headers: { ...options.headers, ...conditions } });
    if (outcome.kind === 'unavailable' || outcome.status !== 304) return outcome;
    // a redirect may lead to another page since, whose version has the same name
    if (outcome.finalUrl !== known.finalUrl) return keep(url, options);
    await responses.confirm(url, now());
    const { receivedAt: _, ...unchanged } = known; // it was seen now
    return unchanged;
  };
}

/** What is not kept is `unreachable`. */
export function createReplay(responses: Pick<Responses, 'get'>): Fetch {
  return async (url) => (await responses.get(url)) ?? unavailable('unreachable', 'not kept here');
}

/** https://www.rfc-editor.org/rfc/rfc9110#section-13.1: both are sent where both are known. */
function conditionsOf({ status, headers }: KeptResponse): Record<string, string> | null {
  if (status !== 200) return null;
  const { etag, 'last-modified': lastModified } = headers;
  const conditions = {
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
  };
  return Object.keys(conditions).length === 0 ? null : conditions;
}
