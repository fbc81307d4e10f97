/**
 * How many checks may be asked for in an hour: by one address or account, and of one page as a whole by all together. Counted where all
 * requests are (routes/api/rules.ts).
 */
import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RequestError } from '../../../shared/errors.ts';
import type { AdmitPage } from './begin.ts';
import type { CheckRequest } from './check.ts';

export interface CheckLimitSettings {
  hourly: number;
  pageHourly: number;
}

/**
 * Gives what is to be asked once the wiki has said which page it is: a title can be written in many ways. Both throw RequestError
 * `too_many_requests` for one too many. Maintainers are not counted.
 */
export type LimitChecks = (request: FastifyRequest, asked: CheckRequest) => Promise<AdmitPage>;

export async function limitChecks(
  server: FastifyInstance,
  { hourly, pageHourly }: CheckLimitSettings,
): Promise<LimitChecks> {
  const ofAddress = server.createRateLimit({
    max: hourly,
    timeWindow: HOUR_MS,
    keyGenerator: ({ actor, ip }) => `checks of ${actor === null ? normalizeIP(ip) : `account ${actor.id}`}`,
  });
  const pages = new WeakMap<FastifyRequest, number>();
  const ofPage = server.createRateLimit({
    max: pageHourly,
    timeWindow: HOUR_MS,
    keyGenerator: (request) => `checks of page ${pages.get(request)}`,
  });
  return async (request, asked) => {
    if (request.actor?.roles.includes('maintainer')) return ADMIT;
    if (await isExceeded(ofAddress(request))) throw tooMany('You have asked for many checks in the last hour.');
    if (asked.kind !== 'page') return ADMIT;
    return async (pageId) => {
      pages.set(request, pageId);
      if (await isExceeded(ofPage(request))) throw tooMany('This page was checked as a whole several times just now.');
    };
  };
}

const ADMIT: AdmitPage = async () => undefined;

/** The library's answer has no `isExceeded` for whom it does not count. */
async function isExceeded(counted: Promise<{ isAllowed: boolean; isExceeded?: boolean }>): Promise<boolean> {
  return (await counted).isExceeded === true;
}

function tooMany(what: string): RequestError {
  return new RequestError('too_many_requests', `${what} Try again later.`);
}

const HOUR_MS = 3600_000;
