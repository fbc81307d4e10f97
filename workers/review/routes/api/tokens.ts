/** Tokens for programs: a maintainer makes them, sees what they are called, and revokes them. Their secret is said once. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Schema } from '../../database.ts';
import { requireRole } from '../../session/actor.ts';
import { listTokens, makeToken, revokeToken, Token, TokenName } from '../../tokens.ts';
import { failures, IdParams } from './answers.ts';
import { BY_MAINTAINER } from './document.ts';
import { maintainersOnly } from './maintainers.ts';

export interface TokenOptions {
  db: Kysely<Schema>;
}

const Tokens = z.object({ tokens: z.array(Token).describe('Your own that hold, the newest first') });

export function tokenRoutes({ db }: TokenOptions): FastifyPluginAsyncZod {
  return async (api) => {
    api.route({
      method: 'GET',
      url: '/tokens',
      preParsing: maintainersOnly,
      schema: {
        tags: ['tokens'],
        summary: 'Your tokens',
        security: BY_MAINTAINER,
        response: { 200: Tokens, ...failures(401, 403) },
      },
      handler: async (request) => ({ tokens: await listTokens(db, requireRole(request, 'maintainer').id) }),
    });
    api.route({
      method: 'POST',
      url: '/tokens',
      preParsing: maintainersOnly,
      schema: {
        tags: ['tokens'],
        summary: 'Make a token',
        security: BY_MAINTAINER,
        body: z.strictObject({ name: TokenName }),
        response: { 201: Made, ...failures(400, 401, 403, 409, 413, 415) },
      },
      handler: async (request, reply) => {
        const made = await makeToken(db, requireRole(request, 'maintainer').id, request.body.name);
        return reply.code(201).header('cache-control', 'no-store').send(made);
      },
    });
    api.route({
      method: 'DELETE',
      url: '/tokens/:id',
      preParsing: maintainersOnly,
      schema: {
        tags: ['tokens'],
        summary: 'Revoke a token: it holds no more from the next request on',
        security: BY_MAINTAINER,
        params: IdParams,
        response: { 200: Tokens, ...failures(400, 401, 403, 404) },
      },
      handler: async (request) => {
        const { id } = requireRole(request, 'maintainer');
        await revokeToken(db, id, request.params.id);
        return { tokens: await listTokens(db, id) };
      },
    });
  };
}

const Made = z.object({ token: Token, secret: z.string().describe('Send it as bearer token; it is not said again') });
