/** A maintainer's tokens as plain forms: made, shown once, revoked. */
import type { FastifyPluginAsync } from 'fastify';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Assets } from '../assets.ts';
import type { Schema } from '../database.ts';
import { refuseStrangeForm } from '../guard.ts';
import { parse, parseId } from '../request.ts';
import { requireRole } from '../session/actor.ts';
import { listTokens, makeToken, revokeToken, TokenName } from '../tokens.ts';
import { tokensPage } from '../views/tokens.ts';
import { sendHtml } from './html.ts';

export interface TokenPageOptions {
  db: Kysely<Schema>;
  assets: Assets;
}

/** To be registered among the pages: it reads forms. */
export function tokenPages({ db, assets }: TokenPageOptions): FastifyPluginAsync {
  return async (server) => {
    server.get(PATH, async (request, reply) => {
      const { id } = requireRole(request, 'maintainer');
      const page = { assets, viewer: request.viewer, made: null };
      return sendHtml(reply, tokensPage({ ...page, tokens: await listTokens(db, id) }));
    });
    // no redirect: what is shown once must not be in an address
    server.post(PATH, async (request, reply) => {
      refuseStrangeForm(request);
      const { id } = requireRole(request, 'maintainer');
      const { name } = parse(z.object({ name: TokenName }), request.body);
      const made = await makeToken(db, id, name);
      const page = { assets, viewer: request.viewer, made };
      return sendHtml(reply.code(201), tokensPage({ ...page, tokens: await listTokens(db, id) }));
    });
    server.post(`${PATH}/:id/revoke`, async (request, reply) => {
      refuseStrangeForm(request);
      await revokeToken(db, requireRole(request, 'maintainer').id, parseId(request.params));
      return reply.redirect(PATH, 303);
    });
  };
}

const PATH = '/account/tokens';
