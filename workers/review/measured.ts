/** The review service, measured: its requests by route, and the decisions that are kept. In: what serves. Out: the same, counted. */
import type { FastifyInstance } from 'fastify';
import { count, observe } from '../../shared/metrics.ts';
import type { Decisions } from './decisions.ts';

/** By the pattern of the route, never by the address: `/findings/:id`. What no route has is one. */
export function measureRequests(server: FastifyInstance): void {
  server.addHook('onResponse', async ({ method, routeOptions }, reply) => {
    const labels = { route: routeOptions.url ?? 'none', method: METHODS.has(method) ? method : 'other' };
    observe('sidelight_http_seconds', { ...labels, status: String(reply.statusCode) }, reply.elapsedTime / 1000);
  });
}

export function countDecisions(decisions: Decisions): Decisions {
  const counted = async <T>(decision: string, work: Promise<T>): Promise<T> => {
    const result = await work;
    count('sidelight_decisions_total', { decision });
    return result;
  };
  return {
    ...decisions,
    decide: (id, request, person) => counted(request.decision, decisions.decide(id, request, person)),
    decideAndTakeNext: (id, request, person, filter) =>
      counted(request.decision, decisions.decideAndTakeNext(id, request, person, filter)),
    undo: (id, person) => counted('undo', decisions.undo(id, person)),
  };
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
