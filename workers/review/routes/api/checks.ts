/**
 * Checks for the gadget and for programs: asked for, followed by Server-Sent Events, cancelled with their key. Asking needs no account.
 * What people say of a row that was found needs a patroller.
 */
import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { RequestId } from '../../../../shared/pipeline.ts';
import { Check, CheckRequest } from '../../checks/check.ts';
import type { Canceller, Checks } from '../../checks/checks.ts';
import { FeedbackRequest, giveFeedback } from '../../checks/feedback.ts';
import type { LimitChecks } from '../../checks/limits.ts';
import type { Schema } from '../../database.ts';
import { refuseStrangeOrigin } from '../../guard.ts';
import { requireRole } from '../../session/actor.ts';
import { failures } from './answers.ts';
import { createCheckStreams } from './check-streams.ts';
import { SIGNED_IN } from './document.ts';

export interface CheckApiOptions {
  db: Kysely<Schema>;
  checks: Checks;
  limit: LimitChecks;
  wikiOrigins: readonly string[];
}

const Params = z.object({ id: RequestId });

/** Under /api, where the configured wikis' origins are let in. */
export function checkRoutes({ db, checks, limit, wikiOrigins }: CheckApiOptions): FastifyPluginAsyncZod {
  return async (api) => {
    const streams = createCheckStreams(checks);
    api.addHook('preClose', async () => streams.close());
    api.route({
      method: 'POST',
      url: '/checks',
      schema: {
        tags: ['checks'],
        summary: 'Ask for a check; who asks for the same while it runs gets the same check, and a key of their own',
        body: CheckRequest,
        response: {
          202: z.object({ check: Check, key: z.string().describe('Says, in x-check-key, that one waits no longer') }),
          ...failures(400, 403, 503),
        },
      },
      async handler(request, reply) {
        refuseStrangeOrigin(request, wikiOrigins);
        const admitPage = await limit(request, request.body);
        return reply.code(202).send(await checks.start(request.body, admitPage));
      },
    });
    api.route({
      method: 'GET',
      url: '/checks/:id',
      schema: {
        tags: ['checks'],
        summary: 'How far a check is',
        params: Params,
        response: { 200: Check, ...failures(404) },
      },
      async handler(request, reply) {
        reply.header('cache-control', 'no-store');
        return checks.get(request.params.id);
      },
    });
    api.route({
      method: 'GET',
      url: '/checks/:id/events',
      schema: {
        tags: ['checks'],
        summary:
          'The same as it goes on: Server-Sent Events named `check`, the check as data; 204 for one that is over',
        params: Params,
        response: {
          200: { content: { 'text/event-stream': { schema: z.string() } } },
          204: z.undefined().describe('It is over'),
          ...failures(404, 503),
        },
      },
      async handler(request, reply) {
        await streams.open(request, reply, request.params.id);
        return reply;
      },
    });
    api.route({
      method: 'DELETE',
      url: '/checks/:id',
      schema: {
        tags: ['checks'],
        summary: 'Wait no longer; it is cancelled when nobody waits, or when a maintainer says so',
        params: Params,
        response: { 200: Check, ...failures(403, 404) },
      },
      async handler(request) {
        refuseStrangeOrigin(request, wikiOrigins);
        return checks.cancel(request.params.id, cancellerOf(request, request.headers['x-check-key']));
      },
    });
    api.route({
      method: 'POST',
      url: '/checks/:id/feedback',
      schema: {
        tags: ['checks'],
        summary:
          'Say whether a row that was found has the right label, and whether it is relevant; the last word counts',
        security: SIGNED_IN,
        params: Params,
        body: FeedbackRequest,
        response: { 200: FeedbackRequest, ...failures(400, 401, 403, 404) },
      },
      async handler(request) {
        refuseStrangeOrigin(request, []);
        const person = requireRole(request, 'patroller');
        await giveFeedback(db, await checks.get(request.params.id), request.body, person);
        return request.body;
      },
    });
  };
}

/** By a key, or else as a maintainer. */
export function cancellerOf(request: FastifyRequest, key: string | string[] | undefined): Canceller {
  if (typeof key === 'string') return { key };
  return request.actor?.roles.includes('maintainer') ? 'maintainer' : { key: '' };
}
