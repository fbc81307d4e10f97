/**
 * Tells each request who asks. In: a session's cookie or a bearer token. Out: `request.actor` and `request.viewer`; refused is a token
 * that does not hold (by `refuseBadTokens`), and a change that comes with a cookie but without the session's CSRF token.
 */
import cookie from '@fastify/cookie';
import csrf from '@fastify/csrf-protection';
import session from '@fastify/session';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { RequestError } from '../../../shared/errors.ts';
import type { Schema } from '../database.ts';
import { ownPath } from '../guard.ts';
import type { Actor } from './actor.ts';
import { createStanding, type Standing } from './standing.ts';
import { createSessionStore, SESSION_MS } from './store.ts';
import { refuseToken, userOfToken } from './tokens.ts';
import { actorOf, isLocal, type RoleSettings, type User, userOf } from './users.ts';

/** How people sign in: with their account of the wiki, as the one person of this machine, or not at all. */
export type SignIn = 'wiki' | 'local' | 'none';

/** What a page needs to know of who looks at it. */
export interface Viewer {
  actor: Actor | null;
  /** For the hidden field `_csrf` of forms and the header `x-csrf-token`; empty where nobody is signed in. */
  csrf: string;
  /** Address of the page, from the slash on: sign-in leads back to it. */
  path: string;
  signIn: SignIn;
}

export const NOBODY: Viewer = { actor: null, csrf: '', path: '/', signIn: 'none' };

declare module 'fastify' {
  interface FastifyRequest {
    viewer: Viewer;
    /** Why the token that came along does not hold; null: it does, or none came. */
    badToken: RequestError | null;
    /** Asks the wiki who is blocked by now, as changes do: for reading that keeps something from others. Renews `actor` and `viewer`. */
    askActor(): Promise<Actor | null>;
  }
}

export interface PeopleOptions {
  db: Kysely<Schema>;
  log: FastifyBaseLogger;
  wiki: { id: string; apiUrl: string; userAgent: string };
  roles: RoleSettings;
  signIn: SignIn;
  /** Signs cookies: 32 characters or more. */
  secret: string;
  publicUrl: string;
}

/** To be registered before the routes that ask for people, in their own scope. */
export async function addPeople(server: FastifyInstance, options: PeopleOptions): Promise<void> {
  const secure = options.publicUrl.startsWith('https:');
  await server.register(cookie);
  await server.register(session, {
    secret: options.secret,
    store: createSessionStore(options.db),
    cookieName: cookieName(options.publicUrl),
    cookie: { secure, httpOnly: true, sameSite: 'lax', path: '/', maxAge: SESSION_MS },
    saveUninitialized: false,
    rolling: false,
  });
  await server.register(csrf, { sessionPlugin: '@fastify/session', getToken: tokenOf, logLevel: 'debug' });
  const standing = createStanding(options);
  server.decorateRequest('badToken', null);
  server.decorateRequest('askActor', async function askActor(this: FastifyRequest) {
    const known = this.actor === null ? null : await userOf(options.db, this.actor.id);
    this.actor = known === null ? null : await actorAsked(this, known, standing, options.roles);
    this.viewer = { ...this.viewer, actor: this.actor };
    return this.actor;
  });
  server.addHook('onRequest', async (request, reply) => {
    try {
      request.actor = await actorOfRequest(request, standing, options);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      request.badToken = error;
    }
    request.viewer = viewerOf(request, reply, options.signIn);
  });
  server.addHook('preHandler', (request, reply, done) => {
    if (isReading(request) || request.actor?.via !== 'session') done();
    else server.csrfProtection(request, reply, done);
  });
}

/** To be called after requests are counted: else one could try tokens as often as one likes. */
export function refuseBadTokens(server: FastifyInstance): void {
  server.addHook('onRequest', async ({ badToken }) => {
    if (badToken !== null) throw badToken;
  });
}

/** `__Host-`: a browser takes it only over https, and only from this very host. */
export function cookieName(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? '__Host-sidelight' : 'sidelight';
}

async function actorOfRequest(
  request: FastifyRequest,
  standing: Standing,
  options: PeopleOptions,
): Promise<Actor | null> {
  const user = await userOfRequest(request, options);
  return user === null ? null : actorOfUser(request, user, standing, options.roles);
}

async function userOfRequest(request: FastifyRequest, { db, wiki, signIn }: PeopleOptions): Promise<User | null> {
  const token = bearerOf(request);
  const { userId, seenAt } = request.session;
  const user = token !== null ? await userOfToken(db, token) : userId === undefined ? null : await userOf(db, userId);
  if (user === null) return null;
  // of a time when only this machine reached the service, or when it served another wiki
  if (isLocal(user) ? signIn !== 'local' : user.wiki !== wiki.id) return token === null ? null : refuseToken();
  if (token === null && Date.now() - (seenAt ?? 0) > SEEN_MS) request.session.seenAt = Date.now();
  return user;
}

/** How exactly it is known when a session was used last; each time its end is put off. */
const SEEN_MS = 3600 * 1000;

async function actorOfUser(
  request: FastifyRequest,
  known: User,
  standing: Standing,
  roles: RoleSettings,
): Promise<Actor | null> {
  if (!isReading(request)) return actorAsked(request, known, standing, roles);
  return actorNow(request, known, roles);
}

async function actorAsked(
  request: FastifyRequest,
  known: User,
  standing: Standing,
  roles: RoleSettings,
): Promise<Actor | null> {
  const user = await standing(known);
  return user === null ? null : actorNow(request, user, roles);
}

function actorNow(request: FastifyRequest, user: User, roles: RoleSettings): Actor {
  const via = bearerOf(request) === null ? 'session' : 'token';
  const actor = actorOf(user, roles, via);
  if (via === 'session' || actor.roles.includes('maintainer')) return actor;
  throw new RequestError('forbidden', 'Whom this token belongs to is no maintainer any more.');
}

/** Null also for other kinds of `Authorization`, which are a proxy's business. */
function bearerOf({ headers }: FastifyRequest): string | null {
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? null;
}

function viewerOf(request: FastifyRequest, reply: FastifyReply, signIn: SignIn): Viewer {
  const { actor } = request;
  const path = isReading(request) ? request.url : (ownPath(request, request.headers.referer) ?? '/');
  return { actor, csrf: actor?.via === 'session' ? reply.generateCsrf() : '', path, signIn };
}

function isReading({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

/** Of a header (the second is that of Bull Board's scripts), else of a form; in a multipart form a field is an object with its value. */
function tokenOf({ headers, body }: FastifyRequest): string | undefined {
  const given: unknown = headers['x-csrf-token'] ?? headers['x-xsrf-token'] ?? fieldOf(body, '_csrf');
  const token = fieldOf(given, 'value') ?? given;
  return typeof token === 'string' ? token : undefined;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
