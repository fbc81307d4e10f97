/** JSON for the gadget and for programs, under /api. Errors are `{ error: code, message }` with a status that fits. */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { RequestError } from '../../../../shared/errors.ts';
import { failureOf } from '../../failure.ts';
import { type Maintenance, NO_MAINTENANCE } from '../../maintenance.ts';
import { named } from '../named.ts';
import { type FindingsOptions, findingRoutes } from './findings.ts';
import { openapiRoutes } from './openapi.ts';
import { optOutRoutes } from './opt-outs.ts';
import { articleRoutes } from './pages.ts';
import { queueRoutes } from './queues.ts';
import { requeueRoutes } from './requeues.ts';
import type { MethodsAt } from './rules.ts';
import { createStreams } from './stream.ts';
import { type TokenOptions, tokenRoutes } from './tokens.ts';
import { worklistActRoutes, worklistRoutes } from './worklists.ts';

export interface ApiOptions extends Omit<FindingsOptions, 'streams'>, TokenOptions {
  /** Default: there are no queues here, and maintainers are told so. */
  maintenance?: Maintenance;
}

/** `methodsAt`: as `addRules` gives it. */
export function apiRoutes(options: ApiOptions, methodsAt: MethodsAt): FastifyPluginAsync {
  const { db, maintenance = NO_MAINTENANCE } = options;
  return async (api) => {
    const streams = createStreams(db);
    api.addHook('preClose', async () => streams.close());
    api.setNotFoundHandler(async (request, reply) => refuseUnknown(request, reply, methodsAt));
    api.register(named(findingRoutes({ ...options, streams })));
    api.register(named(articleRoutes({ db })));
    api.register(named(requeueRoutes({ maintenance })));
    api.register(named(queueRoutes({ maintenance })));
    api.register(named(worklistRoutes({ maintenance })));
    api.register(named(worklistActRoutes({ maintenance })));
    api.register(named(optOutRoutes({ maintenance })));
    api.register(named(tokenRoutes({ db })));
    api.register(named(openapiRoutes()));
  };
}

async function refuseUnknown(request: FastifyRequest, reply: FastifyReply, methodsAt: MethodsAt): Promise<never> {
  const methods = methodsAt(request.url);
  if (methods.length === 0) throw new RequestError('not_found', `There is nothing at ${request.url}.`);
  reply.header('allow', methods.join(', '));
  throw new RequestError(
    'method_not_allowed',
    `${request.method} is not for ${request.url}: use ${methods.join(' or ')}.`,
  );
}

/** For every route that does not answer with a page. */
export async function sendFailure(error: Error, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { status, code, message } = failureOf(error, request);
  return reply.code(status).send({ error: code, message });
}
