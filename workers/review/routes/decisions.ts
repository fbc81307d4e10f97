/**
 * Findings are taken, given back, decided on, and decisions undone: as plain forms, which lead to the next free finding with the filter
 * kept, and as JSON. For patrollers; who asks is told by session/. It is answered once the transaction is on disk.
 */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { DecisionRequest } from '../decide.ts';
import type { Decisions } from '../decisions.ts';
import { refuseStrangeForm, refuseStrangeOrigin } from '../guard.ts';
import { parse, parseId, parseList } from '../request.ts';
import { requireRole } from '../session/actor.ts';
import { addressOf, type Beside } from '../views/address.ts';

export interface DecisionRouteOptions {
  decisions: Decisions;
}

/** To be registered among the pages: it reads forms. */
export function decisionPages({ decisions }: DecisionRouteOptions): FastifyPluginAsync {
  return async (server) => {
    server.post('/findings/:id/decision', async (request, reply) => {
      const { person, id, filter } = ofForm(request);
      const decision = parse(DecisionRequest, request.body);
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
export function decisionApi({ decisions }: DecisionRouteOptions): FastifyPluginAsync {
  return async (api) => {
    // with text/plain a page of another origin could post without asking first
    api.removeContentTypeParser('text/plain');
    api.post('/findings/:id/lease', async (request) => {
      const { person, id } = ofProgram(request);
      const { until } = await decisions.take(id, person);
      return { until };
    });
    api.delete('/findings/:id/lease', async (request, reply) => {
      const { person, id } = ofProgram(request);
      await decisions.release(id, person);
      return reply.code(204).send();
    });
    api.post('/findings/:id/decision', async (request) => {
      const { person, id } = ofProgram(request);
      return decisions.decide(id, parse(DecisionRequest, request.body), person);
    });
    api.delete('/findings/:id/decision', async (request) => {
      const { person, id } = ofProgram(request);
      return decisions.undo(id, person);
    });
  };
}

function ofForm(request: FastifyRequest) {
  refuseStrangeForm(request);
  const person = requireRole(request, 'patroller');
  return { person, id: parseId(request.params), filter: parseList(request.query).filter };
}

/** Decisions are made on the review page or by a program: no wiki's page may ask for them. */
function ofProgram(request: FastifyRequest) {
  refuseStrangeOrigin(request, []);
  const person = requireRole(request, 'patroller');
  return { person, id: parseId(request.params) };
}

function goOn(request: FastifyRequest, reply: FastifyReply, id: number | null, also: Beside = {}): FastifyReply {
  return reply.redirect(addressOf(id, parseList(request.query).filter, also), 303);
}
