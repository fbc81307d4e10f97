/**
 * From where one may ask, beside who asks (session/). In: a request. Out: nothing, or RequestError. Kept out is a strange web page
 * that a person has open in the same browser.
 */
import type { FastifyRequest } from 'fastify';
import { RequestError } from '../../shared/errors.ts';
import { parseUrl } from '../../shared/url.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Origin at which people reach the service, whatever a proxy makes of the request. */
    publicOrigin: string;
  }
}

/**
 * A page that has its own name resolve to loopback (DNS rebinding) still sends that name. Only `Host` counts: such a page may put
 * what it likes into `X-Forwarded-Host`.
 */
export function refuseStrangeHost(request: FastifyRequest): void {
  if (LOOPBACK.test(request.headers.host ?? '') || request.headers.host === hostOf(request.publicOrigin)) return;
  throw new RequestError('wrong_host', 'The review service does not answer to this name.');
}

const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i;

/** A form is taken only from a page of ours: browsers say where a post comes from, and scripts can't change that. */
export function refuseStrangeForm(request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site === 'same-origin' || (site === undefined && origin !== undefined && isOwn(request, origin))) return;
  throw new RequestError('forbidden', 'This form was not sent from the review page. Open the finding and try again.');
}

/** A page of ours, a configured wiki, or a program that is no browser and so sends no origin. */
export function refuseStrangeOrigin(request: FastifyRequest, wikiOrigins: readonly string[]): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  const isProgram = origin === undefined && (site === undefined || site === 'none');
  const isOurs = origin === undefined ? site === 'same-origin' : isOwn(request, origin);
  if (isProgram || isOurs || (origin !== undefined && wikiOrigins.includes(origin))) return;
  throw new RequestError('forbidden', `${origin ?? 'This page'} may not ask for that.`);
}

/** An address of ours from the slash on; null for any other, so that nobody is led off the site. */
export function ownPath(request: FastifyRequest, address: string | undefined): string | null {
  const url = address === undefined ? null : parseUrl(address, request.publicOrigin);
  if (url === null) return null;
  const { origin, pathname, search, hash } = url;
  // `//host` names a host again
  return isOwn(request, origin) && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : null;
}

function isOwn(request: FastifyRequest, origin: string): boolean {
  return origin === request.publicOrigin || origin === `http://${request.headers.host}`;
}

function hostOf(origin: string): string {
  return new URL(origin).host;
}
