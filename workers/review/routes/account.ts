/** A person's own page: who they are here, and signing out, here or everywhere. */
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { RequestError } from '../../../shared/errors.ts';
import type { Assets } from '../assets.ts';
import type { Schema } from '../database.ts';
import { refuseStrangeForm } from '../guard.ts';
import { releaseAll } from '../leases.ts';
import type { Actor } from '../session/actor.ts';
import { endSessions, openSessions } from '../session/sessions.ts';
import { accountPage } from '../views/account.ts';
import { sendHtml } from './html.ts';

export interface AccountOptions {
  db: Kysely<Schema>;
  assets: Assets;
  wiki: { id: string };
}

export function accountRoutes({ db, assets, wiki }: AccountOptions): FastifyPluginAsync {
  return async (server) => {
    server.get('/account', async (request, reply) => {
      const actor = inSession(request);
      const sessions = await openSessions(db, actor.id, request.session.sessionId);
      const where = request.viewer.signIn === 'local' ? null : wiki.id;
      return sendHtml(reply, accountPage({ assets, viewer: { ...request.viewer, actor }, wiki: where, sessions }));
    });
    server.post('/sign-out', async (request, reply) => {
      refuseStrangeForm(request);
      const { id } = inSession(request);
      await releaseAll(db, id);
      await request.session.destroy();
      return reply.redirect('/', 303);
    });
    server.post('/sign-out/everywhere', async (request, reply) => {
      refuseStrangeForm(request);
      const { id } = inSession(request);
      await releaseAll(db, id);
      await endSessions(db, id);
      await request.session.destroy();
      return reply.redirect('/', 303);
    });
  };
}

/** A token has no page and no session to end. */
function inSession({ actor }: FastifyRequest): Actor {
  if (actor?.via === 'session') return actor;
  throw new RequestError('not_signed_in', 'Nobody is signed in in this browser.');
}
