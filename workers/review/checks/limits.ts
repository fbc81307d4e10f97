/** How many checks may be asked for in an hour: by one address or account, and of one page as a whole by all together. Kept in memory. */
import rateLimit, { normalizeIP } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RequestError } from '../../../shared/errors.ts';
import type { CheckRequest } from './check.ts';

export interface CheckLimitSettings {
  hourly: number;
  pageHourly: number;
}

/** Throws RequestError `too_many_requests` for one too many. Maintainers are not counted. */
export type LimitChecks = (request: FastifyRequest, asked: CheckRequest) => Promise<void>;

export async function limitChecks(
  server: FastifyInstance,
  { hourly, pageHourly }: CheckLimitSettings,
): Promise<LimitChecks> {
  if (!server.hasDecorator('createRateLimit')) await server.register(rateLimit, { global: false });
  const ofAddress = server.createRateLimit({
    max: hourly,
    timeWindow: HOUR_MS,
    keyGenerator: ({ actor, ip }) => (actor === null ? normalizeIP(ip) : `account ${actor.id}`),
  });
  const pages = new WeakMap<FastifyRequest, string>();
  const ofPage = server.createRateLimit({
    max: pageHourly,
    timeWindow: HOUR_MS,
    keyGenerator: (request) => pages.get(request) ?? '',
  });
  return async (request, asked) => {
    if (request.actor?.roles.includes('maintainer')) return;
    if (await isExceeded(ofAddress(request))) throw tooMany('You have asked for many checks in the last hour.');
    if (asked.kind !== 'page') return;
    pages.set(request, asked.title.replaceAll('_', ' '));
    if (await isExceeded(ofPage(request))) throw tooMany('This page was checked as a whole several times just now.');
  };
}

/** The library's answer has no `isExceeded` for whom it does not count. */
async function isExceeded(counted: Promise<{ isAllowed: boolean; isExceeded?: boolean }>): Promise<boolean> {
  return (await counted).isExceeded === true;
}

function tooMany(what: string): RequestError {
  return new RequestError('too_many_requests', `${what} Try again later.`);
}

const HOUR_MS = 3600_000;
