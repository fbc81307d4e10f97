/** The real review server on a free port over a real database, for one test; and people who are signed in there. */
import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import cookie from '@fastify/cookie';
import { pino } from 'pino';
import type { Finding } from '../../../shared/citation.ts';
import { createReviewServer, type ReviewServerOptions } from '../../../workers/review/server.ts';
import type { Role } from '../../../workers/review/session/actor.ts';
import { cookieName } from '../../../workers/review/session/people.ts';
import { hashSecret } from '../../../workers/review/session/secret.ts';
import { SESSION_MS } from '../../../workers/review/session/store.ts';
import { keepUser } from '../../../workers/review/session/users.ts';
import { onFreePort } from '../../support/port.ts';
import { openStore, type Store } from './store.ts';

export const WIKI_ORIGIN = 'http://wiki.example:8143';

export interface Served extends Store {
  /** `http://127.0.0.1:port` */
  origin: string;
  port: number;
  /** All that is served, as the server itself says. */
  routes: readonly Route[];
  /** What listens. */
  server: Server;
  /** A person with a session of their own; no wiki is asked. Without roles: somebody who is blocked. Default: a patroller. */
  signIn(name: string, roles?: readonly Role[]): Promise<SignedIn>;
}

export interface Route {
  method: string;
  /** With its parameters: `/findings/:id`. */
  url: string;
}

export interface SignedIn {
  /** Of the table `users`. */
  id: number;
  name: string;
  /** Of JSON requests and of forms alike: cookie, CSRF token, and what a browser says of a page of ours. */
  headers: Record<string, string>;
  /** For forms: the field `_csrf`. */
  csrf: string;
  /** For `context.addCookies` of a browser. */
  cookies: { name: string; value: string; url: string }[];
}

export type ServeOptions = Partial<Omit<ReviewServerOptions, 'db' | 'findings'>>;

/** `serve()`, `serve(finding, …)`, or `serve({ publicUrl: … }, finding, …)`. */
export async function serve(first?: ServeOptions | Finding, ...others: Finding[]): Promise<Served> {
  const isFinding = first !== undefined && 'claim' in first;
  const store = await openStore();
  for (const finding of isFinding ? [first, ...others] : others) await store.findings.record(finding);
  const served = await serveStore(store, isFinding ? {} : first);
  return {
    ...store,
    ...served,
    async close() {
      await served.close();
      await store.close();
    },
  };
}

/** Over a store that stays; on a free port, or again on one that is known. */
export async function serveStore(
  { db, findings }: Pick<Store, 'db' | 'findings'>,
  options: ServeOptions = {},
  port?: number,
): Promise<Omit<Served, keyof Store> & { close(): Promise<void> }> {
  const listen = async (at: number) => {
    const server = createReviewServer({ db, findings, ...DEFAULTS, publicUrl: `http://127.0.0.1:${at}`, ...options });
    const routes: Route[] = [];
    server.addHook('onRoute', ({ method, url }) => {
      routes.push(...[method].flat().map((each) => ({ method: each, url })));
    });
    return { server, routes, origin: await server.listen({ host: '127.0.0.1', port: at }), port: at };
  };
  const { server, routes, origin, port: chosen } = await (port === undefined ? onFreePort(listen) : listen(port));
  return {
    origin,
    port: chosen,
    routes,
    server: server.server,
    signIn: (name, roles = ['patroller']) => signIn(db, origin, name, roles, { ...DEFAULTS, ...options }),
    close: () => server.close(),
  };
}

const DEFAULTS = {
  log: pino({ level: 'silent' }),
  wiki: {
    id: new URL(WIKI_ORIGIN).host,
    origin: WIKI_ORIGIN,
    indexPath: '/mediawiki/index.php',
    apiUrl: `${WIKI_ORIGIN}/mediawiki/api.php`,
    restUrl: `${WIKI_ORIGIN}/mediawiki/rest.php`,
    userAgent: 'Sidelight/0.1 (test)',
  },
  wikiOrigins: [WIKI_ORIGIN],
  signIn: {
    client: null,
    maintainers: [],
    maintainerGroups: ['sysop'],
    patrollerGroups: null,
    secret: 'a secret of tests that signs the cookies',
  },
};

/** At a server that runs over this database. */
export async function signIn(
  db: Store['db'],
  origin: string,
  name: string,
  roles: readonly Role[],
  {
    wiki,
    signIn: { secret },
    publicUrl = origin,
  }: { wiki: { id: string }; signIn: { secret: string }; publicUrl?: string },
): Promise<SignedIn> {
  const groups = roles.includes('maintainer') ? ['sysop', 'user'] : ['user'];
  const account = { wiki: wiki.id, subject: hashSecret(name), name, groups, blocked: roles.length === 0 };
  const userId = await keepUser(db, account);
  const session = randomBytes(24).toString('base64url');
  await db
    .insertInto('sessions')
    .values({
      id: hashSecret(session),
      user_id: userId,
      data: JSON.stringify({ userId, startedAt: Date.now(), seenAt: Date.now() }),
      expires_at: Date.now() + SESSION_MS,
    })
    .execute();
  const value = new cookie.Signer(secret).sign(session);
  const sent = { cookie: `${cookieName(publicUrl)}=${encodeURIComponent(value)}` };
  const page = await (await fetch(`${origin}/account`, { headers: sent })).text();
  const csrf = /<meta name="csrf-token" content="([^"]+)"/.exec(page)?.[1];
  if (csrf === undefined) throw new Error(`no session for ${name}`);
  return {
    id: userId,
    name,
    headers: { ...sent, 'x-csrf-token': csrf, 'sec-fetch-site': 'same-origin' },
    csrf,
    cookies: [{ name: cookieName(publicUrl), value: encodeURIComponent(value), url: origin }],
  };
}
