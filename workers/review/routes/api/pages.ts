/** What is known of an article: for the gadget on its talk page. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { Page, WikiId } from '../../../../shared/citation.ts';
import type { Schema } from '../../database.ts';
import { summarizePage } from '../../page-summary.ts';
import { Coverage, failures, VerdictCounts } from './answers.ts';

export function articleRoutes({ db }: { db: Kysely<Schema> }): FastifyPluginAsyncZod {
  return async (api) => {
    api.route({
      method: 'GET',
      url: '/pages',
      schema: {
        tags: ['pages'],
        summary: 'An article: its open findings by verdict, how much of it is checked, and when it was',
        querystring: PageQuery,
        response: { 200: Summary, ...failures(400) },
      },
      handler: async (request) =>
        summarizePage(db, request.query.wiki, request.query.title.replaceAll('_', ' ').trim()),
    });
  };
}

const PageQuery = z.object({ wiki: WikiId, title: z.string().min(1).max(512) });

const Summary = z.object({
  page: Page.nullable().describe('Null: it was not read yet'),
  coverage: Coverage.nullable(),
  counts: VerdictCounts.describe('Open findings; of one verdict no more than 1000 are counted'),
  optedOut: z.boolean(),
  checkedAt: z.iso.datetime().nullable().describe('When a claim of it was judged last'),
});
