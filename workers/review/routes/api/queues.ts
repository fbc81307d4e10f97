/** What waits and what failed, for maintainers. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { FailedJob, Waiting } from '../../../requeue/waiting.ts';
import type { Maintenance } from '../../maintenance.ts';
import { failures } from './answers.ts';
import { BY_MAINTAINER } from './document.ts';
import { maintainersOnly } from './maintainers.ts';

export function queueRoutes({ maintenance }: { maintenance: Maintenance }): FastifyPluginAsyncZod {
  return async (api) => {
    api.route({
      method: 'GET',
      url: '/queues',
      preParsing: maintainersOnly,
      schema: {
        tags: ['queues'],
        summary: 'Jobs by queue, by who asked for them, and why jobs failed',
        security: BY_MAINTAINER,
        response: { 200: Queues, ...failures(401, 403, 503) },
      },
      handler: async () => maintenance.queues(),
    });
  };
}

const Queues = z.object({
  queues: z.array(
    z.object({
      queue: z.string(),
      open: z.int().nonnegative(),
      done: z.int().nonnegative().describe('Of the last day, 10,000 at most'),
      failed: z.int().nonnegative().describe('Of the last week'),
      workers: z.int().nonnegative().describe('How many processes drain it now'),
    }),
  ),
  waiting: z.array(Waiting).describe('The most first'),
  failures: z.array(FailedJob).describe('The newest 20'),
});
