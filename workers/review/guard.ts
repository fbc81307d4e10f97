/**
 * Who may ask. In: a request. Out: nothing, or RequestError. There is no sign-in yet and so no cookie to forge; what is kept
 * out is a strange web page that a person has open in the same browser.
 */
import type { FastifyRequest } from 'fastify';
import { RequestError } from '../../shared/errors.ts';

/** A page that has its own name resolve to loopback (DNS rebinding) still sends that name. */
export function refuseStrangeHost(request: FastifyRequest): void {
  if (LOOPBACK.has(request.hostname)) return;
  throw new RequestError('wrong_host', 'The review service answers to loopback addresses only.');
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** A form is taken only from a page of ours: browsers say where a post comes from, and scripts can't change that. */
export function refuseStrangeForm(request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site === 'same-origin' || (site === undefined && origin === ownOrigin(request))) return;
  throw new RequestError('forbidden', 'This form was not sent from the review page. Open the finding and try again.');
}

/** A page of ours, a configured wiki, or a program that is no browser and so sends no origin. */
export function refuseStrangeOrigin(request: FastifyRequest, wikiOrigins: readonly string[]): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  const isProgram = origin === undefined && (site === undefined || site === 'none');
  if (isProgram || origin === ownOrigin(request) || (origin !== undefined && wikiOrigins.includes(origin))) return;
  throw new RequestError('forbidden', `${origin ?? 'This page'} may not decide on findings.`);
}

function ownOrigin(request: FastifyRequest): string {
  return `${request.protocol}://${request.host}`;
}
