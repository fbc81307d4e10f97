/** Findings are checked again, for maintainers: chosen by what is known of them, counted first if so asked, and cancelled. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { UnavailableReason, Verdict } from '../../../../shared/citation.ts';
import { RequestId } from '../../../../shared/pipeline.ts';
import type { Maintenance } from '../../maintenance.ts';
import { failures } from './answers.ts';
import { BY_MAINTAINER } from './document.ts';
import { maintainersOnly, signalOf } from './maintainers.ts';

export const Criteria = z
  .strictObject({
    articles: z.array(z.string().trim().min(1).max(512)).min(1).max(50).optional().describe('Titles'),
    category: z.string().trim().min(1).max(512).optional(),
    depth: z.int().min(0).max(10).default(0).describe('Levels of its subcategories'),
    citation: z.string().trim().min(1).max(2000).optional().describe('URL that is cited'),
    reason: UnavailableReason.optional().describe('Why a citation could not be read'),
    verdict: Verdict.optional(),
    model: z.string().trim().min(1).max(100).optional().describe('Version; other: any but the one that judges now'),
    olderThan: z.int().min(0).max(36_500).optional().describe('Days since it was judged'),
    readAgain: z.boolean().default(false).describe('Sources that were read before are read again'),
  })
  .describe('All that is given must hold, and something must be given');
export type Criteria = z.infer<typeof Criteria>;

export function requeueRoutes({ maintenance }: { maintenance: Maintenance }): FastifyPluginAsyncZod {
  return async (api) => {
    api.route({
      method: 'POST',
      url: '/requeues',
      preParsing: maintainersOnly,
      schema: {
        tags: ['requeues'],
        summary: 'Check findings again, or only count them',
        security: BY_MAINTAINER,
        body: Criteria.extend({ dryRun: z.boolean().default(false).describe('Only count') }),
        response: { 200: Requeued, ...failures(400, 401, 403, 404, 413, 415, 503) },
      },
      handler: async (request, reply) => {
        const { dryRun, ...criteria } = request.body;
        return maintenance.requeue(criteria, { dryRun, signal: signalOf(reply) });
      },
    });
    api.route({
      method: 'DELETE',
      url: '/requeues/:request',
      preParsing: maintainersOnly,
      schema: {
        tags: ['requeues'],
        summary: 'Take out what still waits of a requeue; what runs goes on',
        security: BY_MAINTAINER,
        params: z.object({ request: RequestId }),
        response: { 200: z.object({ request: RequestId, jobs: Jobs }), ...failures(400, 401, 403, 404, 503) },
      },
      handler: async ({ params }) => ({
        request: params.request,
        jobs: await maintenance.cancelRequeue(params.request),
      }),
    });
  };
}

const Jobs = z.int().nonnegative().describe('How many jobs were taken out');

const Requeued = z.object({
  request: RequestId.nullable().describe('By which it is cancelled; null where nothing was begun'),
  articles: z.int().nonnegative(),
  findings: z.int().nonnegative(),
  left: z.int().nonnegative().describe('Articles left out: no article stands there now'),
});
