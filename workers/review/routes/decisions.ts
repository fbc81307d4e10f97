/**
 * Findings are taken, given back, decided on, and decisions undone: as plain forms, which lead to the next free finding with the filter
 * kept, and as JSON. For patrollers; who asks is told by session/. It is answered once the transaction is on disk.
 */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { DecisionForm, DecisionRequest } from '../decide.ts';
import type { Decisions } from '../decisions.ts';
import { refuseStrangeForm, refuseStrangeOrigin } from '../guard.ts';
import { parse, parseId, parseList } from '../request.ts';
import { requireRole } from '../session/actor.ts';
import { addressOf, type Beside } from '../views/address.ts';
import { FindingRow, failures, IdParams } from './api/answers.ts';
import { SIGNED_IN } from './api/document.ts';

export interface DecisionRouteOptions {
  decisions: Decisions;
}

/** To be registered among the pages: it reads forms. */
export function decisionPages({ decisions }: DecisionRouteOptions): FastifyPluginAsync {
  return async (server) => {
    server.post('/findings/:id/decision', async (request, reply) => {
      const { person, id, filter } = ofForm(request);
      const decision = parse(DecisionForm, request.body);
      const next = await decisions.decideAndTakeNext(id, decision, person, filter);
      return goOn(request, reply, next?.id ?? null, { done: id });
    });
    server.post('/findings/:id/undo', async (request, reply) => {
      const { person, id } = ofForm(request);
      await decisions.undo(id, person);
      return goOn(request, reply, id);
    });
    server.post('/findings/:id/lease', async (request, reply) => {
      const { person, id } = ofForm(request);
      await decisions.take(id, person);
      return goOn(request, reply, id);
    });
    // the first free one of a list
    server.post('/next', async (request, reply) => {
      refuseStrangeForm(request);
      const person = requireRole(request, 'patroller');
      const next = await decisions.takeNext(parseList(request.query).filter, person);
      return goOn(request, reply, next?.id ?? null);
    });
  };
}

/** Under /api. */
export function decisionApi({ decisions }: DecisionRouteOptions): FastifyPluginAsyncZod {
  return async (api) => {
    const may = { preParsing: patrollersOnly };
    const about = { tags: ['decisions'], security: SIGNED_IN, params: IdParams };
    const refusals = failures(400, 401, 403, 404, 409);
    api.route({
      ...{ method: 'POST', url: '/findings/:id/lease', ...may },
      schema: {
        ...about,
        summary: 'Keep a finding from others while you look at it',
        response: { 200: Lease, ...refusals },
      },
      async handler(request) {
        const { until } = await decisions.take(request.params.id, requireRole(request, 'patroller'));
        return { until };
      },
    });
    api.route({
      ...{ method: 'DELETE', url: '/findings/:id/lease', ...may },
      schema: { ...about, summary: 'Give it back', response: { 204: z.null(), ...failures(400, 401, 403) } },
      async handler(request, reply) {
        await decisions.release(request.params.id, requireRole(request, 'patroller'));
        return reply.code(204).send(null);
      },
    });
    api.route({
      ...{ method: 'POST', url: '/findings/:id/decision', ...may },
      schema: {
        ...about,
        ...{ summary: 'Decide on a finding that you keep', description: DECIDING, body: DecisionRequest },
        response: { 200: FindingRow, ...refusals, ...failures(413, 415) },
      },
      handler: (request) => decisions.decide(request.params.id, request.body, requireRole(request, 'patroller')),
    });
    api.route({
      ...{ method: 'DELETE', url: '/findings/:id/decision', ...may },
      schema: { ...about, summary: 'Take your own last decision back', response: { 200: FindingRow, ...refusals } },
      handler: (request) => decisions.undo(request.params.id, requireRole(request, 'patroller')),
    });
  };
}

const Lease = z.object({ until: z.iso.datetime() });
const DECIDING = `The same decision sent twice is done once. With judged, a decision on what was judged anew since is refused. The codes of
409: no_lease, stale, decided (by whom and when), closed (what happened in the article).`;

/** Before a body is read. Decisions are made on the review page or by a program: no wiki's page may ask for them. */
async function patrollersOnly(request: FastifyRequest): Promise<void> {
  refuseStrangeOrigin(request, []);
  requireRole(request, 'patroller');
}

function ofForm(request: FastifyRequest) {
  refuseStrangeForm(request);
  const person = requireRole(request, 'patroller');
  return { person, id: parseId(request.params), filter: parseList(request.query).filter };
}

function goOn(request: FastifyRequest, reply: FastifyReply, id: number | null, also: Beside = {}): FastifyReply {
  return reply.redirect(addressOf(id, parseList(request.query).filter, also), 303);
}
