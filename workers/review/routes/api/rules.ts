/**
 * What holds for all that is asked over HTTP: how often, from which wikis' pages, in which types; and the document that describes
 * it. In: a scope whose requests know who asks. To be called before any route is registered there.
 */
import cors from '@fastify/cors';
import rateLimit, { normalizeIP } from '@fastify/rate-limit';
import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifyRequest, FastifySchemaValidationError } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import type { Redis } from 'ioredis';
import { RequestError } from '../../../../shared/errors.ts';
import { PREFIX } from '../../../../shared/redis.ts';
import { documentOf } from './document.ts';

export interface RuleOptions {
  /** Of wikis whose pages' scripts may ask, without saying who they are. */
  wikiOrigins: readonly string[];
  /** Default: as often as one likes. */
  rates?: Rates;
  /** Where requests and checks are counted, for all processes together, of role `counter`; default: in this process. */
  counters?: Redis;
  publicUrl: string;
}

/** Requests a minute: of an address for reading and for what changes something; of an account for both. */
export interface Rates {
  reads: number;
  writes: number;
  account: number;
}

/** Methods that there are at an address: where another one is asked for, that is said. */
export type MethodsAt = (path: string) => string[];

export async function addRules(server: FastifyInstance, options: RuleOptions): Promise<MethodsAt> {
  server.setValidatorCompiler(validatorCompiler);
  server.setSerializerCompiler(serializerCompiler);
  server.setSchemaErrorFormatter((errors, part) => misfit(errors[0], part));
  // with text/plain a page of another origin could post without asking first
  server.removeContentTypeParser('text/plain');
  await server.register(cors, { delegator: (request, done) => done(null, mayAsk(request.url ?? '', options)) });
  const store = storeOf(options.counters);
  await server.register(rateLimit, { global: false, ...store, ...(options.rates && limits(options.rates)) });
  // by a hook of the scope, not of each route: what there is nothing at is asked for too
  if (options.rates !== undefined) server.addHook('onRequest', server.rateLimit());
  await server.register(swagger, documentOf(options.publicUrl));
  return noteMethods(server);
}

/** Where Redis is away, nobody is kept from reading: nothing is counted until it is back. */
function storeOf(redis: Redis | undefined) {
  return redis === undefined ? {} : { redis, nameSpace: `${PREFIX}:asked:`, skipOnError: true };
}

function misfit(error: FastifySchemaValidationError | undefined, part: string): RequestError {
  const field = (error?.instancePath ?? '').slice(1).replaceAll('/', '.');
  return new RequestError('invalid', `${field || part}: ${error?.message ?? 'does not parse'}`);
}

/** Nobody's cookie goes along: what scripts of a wiki ask for, they ask as nobody. */
function mayAsk(url: string, { wikiOrigins }: RuleOptions) {
  if (!url.startsWith('/api/')) return { origin: false };
  return {
    origin: [...wikiOrigins],
    methods: ['GET', 'POST', 'DELETE'],
    allowedHeaders: ['content-type', 'x-check-key'],
    exposedHeaders: ['retry-after'],
    maxAge: 600,
  };
}

/** Behind a proxy that hides addresses, as Toolforge's does, all who are not signed in are one address: set the limits higher there. */
function limits({ reads, writes, account }: Rates) {
  return {
    timeWindow: 60_000,
    keyGenerator: (request: FastifyRequest) =>
      request.actor === null
        ? `${isReading(request) ? 'reads' : 'writes'} ${normalizeIP(request.ip)}`
        : `account ${request.actor.id}`,
    max: (request: FastifyRequest) => (request.actor !== null ? account : isReading(request) ? reads : writes),
    errorResponseBuilder: (_: FastifyRequest, { after }: { after: string }) =>
      new RequestError('too_many_requests', `Too many requests. Try again in ${after}.`),
  };
}

function isReading({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

function noteMethods(server: FastifyInstance): MethodsAt {
  const routes: { parts: string[]; methods: string[] }[] = [];
  server.addHook('onRoute', ({ url, method }) => {
    routes.push({ parts: url.split('/'), methods: [method].flat() });
  });
  return (path) => {
    const asked = (path.split('?')[0] ?? '').split('/');
    const there = routes.filter(({ parts }) => isAt(parts, asked));
    return [...new Set(there.flatMap(({ methods }) => methods))];
  };
}

function isAt(parts: readonly string[], asked: readonly string[]): boolean {
  return (
    parts.length === asked.length &&
    parts.every((part, at) => part === asked[at] || (part.startsWith(':') && asked[at] !== ''))
  );
}
