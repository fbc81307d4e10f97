/** JSON for the gadget and for programs. Errors are `{ error: code, message }` with a status that fits. */
import cors from '@fastify/cors';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { RequestError } from '../../../shared/errors.ts';
import { DecisionRequest } from '../decide.ts';
import { failureOf } from '../failure.ts';
import type { Findings } from '../findings.ts';
import { refuseStrangeOrigin } from '../guard.ts';
import { parse, parseId, parseList } from '../request.ts';

export interface ApiOptions {
  findings: Findings;
  wikiOrigins: readonly string[];
}

export function apiRoutes({ findings, wikiOrigins }: ApiOptions): FastifyPluginAsync {
  return async (api) => {
    // with text/plain a page of another origin could post without asking first
    api.removeContentTypeParser('text/plain');
    await api.register(cors, { origin: [...wikiOrigins], methods: ['GET', 'POST'], allowedHeaders: ['content-type'] });
    api.setNotFoundHandler(async (request) => {
      throw new RequestError('not_found', `There is nothing at ${request.url}.`);
    });
    api.get('/findings', async (request) => {
      const { filter, slice } = parseList(request.query);
      return { coverage: await findings.coverage(filter), findings: await findings.list(filter, slice) };
    });
    api.get('/findings/:id', async (request) => findings.get(parseId(request.params)));
    api.get('/findings/:id/decisions', async (request) => ({
      decisions: await findings.history(parseId(request.params)),
    }));
    api.post('/findings/:id/decision', async (request) => {
      refuseStrangeOrigin(request, wikiOrigins);
      return findings.decide(parseId(request.params), parse(DecisionRequest, request.body));
    });
  };
}

/** For every route that does not answer with a page. */
export async function sendFailure(error: Error, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { status, code, message } = failureOf(error, request);
  return reply.code(status).send({ error: code, message });
}
