/** Signing in: off to the wiki and back, or as the one person of this machine. In: where to go on afterwards. Out: a new session. */
import type { FastifyBaseLogger, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { RequestError } from '../../../shared/errors.ts';
import type { Assets } from '../assets.ts';
import type { Schema } from '../database.ts';
import { ownPath, refuseStrangeForm } from '../guard.ts';
import { createWikiOAuth, type WikiOAuth } from '../session/oauth.ts';
import type { PendingSignIn } from '../session/store.ts';
import { keepUser, LOCAL } from '../session/users.ts';
import { signInPage } from '../views/sign-in.ts';
import { sendHtml } from './html.ts';

export interface SignInRoutesOptions {
  db: Kysely<Schema>;
  assets: Assets;
  wiki: { id: string; origin: string; restUrl: string; userAgent: string };
  publicUrl: string;
  log: FastifyBaseLogger;
  signIn: { client: { id: string; secret: string | null } | null };
}

export function signInRoutes(options: SignInRoutesOptions): FastifyPluginAsync {
  const { db, wiki, signIn } = options;
  const redirectUri = `${new URL(options.publicUrl).origin}/oauth/callback`;
  const oauth =
    signIn.client === null ? null : createWikiOAuth({ wiki, client: signIn.client, redirectUri, log: options.log });
  return async (server) => {
    server.get('/sign-in', async (request, reply) => {
      const to = leadsTo(request, fieldOf(request.query, 'to'));
      if (request.actor !== null) return reply.redirect(to);
      return oauth === null ? showPage(request, reply, options.assets, to) : goToWiki(request, reply, oauth, to);
    });
    if (oauth === null) {
      server.post('/sign-in/local', { preHandler: server.csrfProtection }, async (request, reply) => {
        refuseStrangeForm(request);
        if (request.viewer.signIn !== 'local')
          throw new RequestError('forbidden', 'This service is not of this machine only.');
        await beginSession(request, reply, await keepUser(db, LOCAL));
        return reply.redirect(leadsTo(request, fieldOf(request.body, 'to')), 303);
      });
      return;
    }
    server.get('/oauth/callback', async (request, reply) => {
      const { pending, url } = comesBack(request);
      const account = await oauth.finish(url, pending);
      await beginSession(request, reply, await keepUser(db, account));
      return reply.redirect(pending.to);
    });
  };
}

function showPage(request: FastifyRequest, reply: FastifyReply, assets: Assets, to: string): FastifyReply {
  const csrf = request.viewer.signIn === 'local' ? reply.generateCsrf() : '';
  return sendHtml(reply, signInPage({ assets, viewer: request.viewer, csrf, to }));
}

async function goToWiki(request: FastifyRequest, reply: FastifyReply, oauth: WikiOAuth, to: string) {
  if (isElsewhere(request)) return reply.redirect(`${request.publicOrigin}/sign-in?to=${encodeURIComponent(to)}`);
  const { url, state, verifier } = await oauth.begin();
  const others = (request.session.pending ?? []).slice(1 - MOST_PENDING);
  request.session.pending = [...others, { state, verifier, to, at: Date.now() }];
  return reply.redirect(url);
}

/** A cookie is of one name, so who opened `localhost` can't come back to `127.0.0.1`. What a proxy makes of names is its own business. */
function isElsewhere({ headers, publicOrigin }: FastifyRequest): boolean {
  return publicOrigin.startsWith('http:') && `http://${headers.host}` !== publicOrigin;
}

/** Each is good for one answer of the wiki, whatever that is. */
function comesBack(request: FastifyRequest): { pending: PendingSignIn; url: URL } {
  const url = new URL(request.url, request.publicOrigin);
  const all = request.session.pending ?? [];
  const pending = all.find(({ state, at }) => state === url.searchParams.get('state') && Date.now() - at < PENDING_MS);
  if (pending === undefined) {
    throw new RequestError(
      'stale_sign_in',
      'This sign-in was not begun in this browser, or was used already. Sign in again from here. Nothing was changed.',
    );
  }
  request.session.pending = all.filter((other) => other !== pending);
  return { pending, url };
}

/** Sign-ins that one browser may have under way: one a tab. */
const MOST_PENDING = 5;
const PENDING_MS = 10 * 60 * 1000;

/** Under a new id, so that an id that somebody else has put into this browser is worth nothing. */
async function beginSession(request: FastifyRequest, reply: FastifyReply, userId: number): Promise<void> {
  await request.session.regenerate();
  const now = Date.now();
  Object.assign(request.session, { userId, startedAt: now, seenAt: now });
  reply.generateCsrf();
}

function leadsTo(request: FastifyRequest, to: unknown): string {
  const path = ownPath(request, typeof to === 'string' ? to : undefined) ?? '/';
  return /^\/(sign-in|sign-out|oauth)\b/.test(path) ? '/' : path;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
