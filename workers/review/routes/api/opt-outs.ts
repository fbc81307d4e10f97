/** Pages that patrol leaves alone and whose findings are not shown, for maintainers: listed, added, removed. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { WikiId } from '../../../../shared/citation.ts';
import type { Maintenance } from '../../maintenance.ts';
import { OptOut } from '../../opt-outs.ts';
import { requireRole } from '../../session/actor.ts';
import { failures } from './answers.ts';
import { BY_MAINTAINER } from './document.ts';
import { maintainersOnly, signalOf } from './maintainers.ts';

export const OptOutRequest = z.strictObject({
  title: z.string().trim().min(1, 'is empty').max(512),
  comment: z.string().trim().max(500).optional().describe('Why, for other maintainers'),
});

const OptOuts = z.object({ optOuts: z.array(OptOut).describe('The newest first') });

export function optOutRoutes({ maintenance }: { maintenance: Maintenance }): FastifyPluginAsyncZod {
  return async (api) => {
    api.route({
      method: 'GET',
      url: '/opt-outs',
      preParsing: maintainersOnly,
      schema: {
        tags: ['opt-outs'],
        summary: 'Pages that opted out',
        security: BY_MAINTAINER,
        response: { 200: OptOuts, ...failures(401, 403) },
      },
      handler: async () => ({ optOuts: await maintenance.optOuts() }),
    });
    api.route({
      method: 'POST',
      url: '/opt-outs',
      preParsing: maintainersOnly,
      schema: {
        tags: ['opt-outs'],
        summary: 'Leave a page alone; what a person asks for is still checked',
        security: BY_MAINTAINER,
        body: OptOutRequest,
        response: { 200: OptOuts, ...failures(400, 401, 403, 404, 413, 415, 503) },
      },
      handler: async (request, reply) => {
        const { title, comment } = request.body;
        const by = { userId: requireRole(request, 'maintainer').id, comment: comment || null };
        await maintenance.optOut(title, by, signalOf(reply));
        return { optOuts: await maintenance.optOuts() };
      },
    });
    api.route({
      method: 'DELETE',
      url: '/opt-outs/:wiki/:page',
      preParsing: maintainersOnly,
      schema: {
        tags: ['opt-outs'],
        summary: 'Patrol a page again',
        security: BY_MAINTAINER,
        params: z.object({ wiki: WikiId, page: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER) }),
        response: { 200: OptOuts, ...failures(400, 401, 403, 404, 503) },
      },
      handler: async ({ params }) => {
        await maintenance.optIn(params.wiki, params.page);
        return { optOuts: await maintenance.optOuts() };
      },
    });
  };
}
