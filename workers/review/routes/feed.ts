/** News for readers of feeds: the newest findings of a filter as RSS, which a reader that has them is not sent again. */
import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { feedOf } from '../feed.ts';
import type { Filter } from '../filter.ts';
import type { Findings } from '../findings.ts';
import { FilterQuery, listOf } from '../request.ts';
import { addressOf, withQuery } from '../views/address.ts';
import { failures } from './api/answers.ts';

export interface NewsOptions {
  findings: Pick<Findings, 'list'>;
  /** Where people reach the service; of it only the origin counts. */
  publicUrl: string;
}

export function newsRoutes({ findings, publicUrl }: NewsOptions): FastifyPluginAsyncZod {
  const at = (path: string) => new URL(path, publicUrl).href;
  return async (server) => {
    server.route({
      method: 'GET',
      url: FEED_PATH,
      schema: {
        tags: ['feeds'],
        summary: 'The newest findings of a filter, as RSS',
        querystring: FilterQuery.omit({ sort: true }),
        response: { 200: RSS, ...failures(400) },
      },
      handler: async (request, reply) => {
        const { filter } = listOf({ ...request.query, ...NEWEST });
        const rows = await findings.list(filter, { limit: ITEMS });
        const { sort, ...chosen } = filter;
        const xml = feedOf(rows, {
          title: titleOf(filter),
          listUrl: at(addressOf(null, chosen)),
          feedUrl: at(withQuery(FEED_PATH, chosen)),
          findingUrl: (id) => at(addressOf(id, { state: 'open' })),
        });
        return sendUnlessKnown(request, reply, xml, rows[0]?.createdAt ?? null);
      },
    });
  };
}

export const FEED_PATH = '/feed.xml';

function titleOf({ page, project, category, worklist, user }: Filter): string {
  const what = page ?? (project === undefined ? (category ?? worklist ?? user) : `WikiProject ${project}`);
  return what === undefined ? 'Sidelight: findings' : `Sidelight: findings of ${what}`;
}

/** A finding that was decided leaves the feed, which no date tells: only the content does. */
function sendUnlessKnown(request: FastifyRequest, reply: FastifyReply, xml: string, newest: string | null) {
  const etag = `"${hash('sha256', xml, 'base64url').slice(0, 27)}"`;
  reply.header('etag', etag).header('cache-control', 'public, max-age=300');
  if (newest !== null) reply.header('last-modified', new Date(newest).toUTCString());
  const known = (request.headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (known.includes(etag) || known.includes('*')) return reply.code(304).send();
  return reply.type('application/rss+xml; charset=utf-8').send(xml);
}

const NEWEST = { sort: 'newest', limit: undefined, after: undefined, done: undefined } as const;
const ITEMS = 50;
const RSS = { content: { 'application/rss+xml': { schema: z.string() } } };
