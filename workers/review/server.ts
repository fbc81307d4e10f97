/** The review service over HTTP: JSON for the gadget and programs, pages for people. Listens to nothing by itself. */
import helmet from '@fastify/helmet';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyPluginAsync, LogController } from 'fastify';
import type { Redis } from 'ioredis';
import type { Kysely } from 'kysely';
import { type Assets, readAssets } from './assets.ts';
import type { Checks } from './checks/checks.ts';
import { type CheckLimitSettings, limitChecks } from './checks/limits.ts';
import type { Schema } from './database.ts';
import { createDecisions, type DecisionOptions, type Decisions } from './decisions.ts';
import type { Findings } from './findings.ts';
import { refuseStrangeHost } from './guard.ts';
import { type Maintenance, NO_MAINTENANCE } from './maintenance.ts';
import { countDecisions, measureRequests } from './measured.ts';
import { accountRoutes } from './routes/account.ts';
import { apiRoutes, sendFailure } from './routes/api/api.ts';
import { checkRoutes } from './routes/api/checks.ts';
import { addRules, type Rates } from './routes/api/rules.ts';
import { assetRoutes } from './routes/assets.ts';
import { blindRoutes } from './routes/blind.ts';
import { checkPages } from './routes/checks.ts';
import { decisionApi, decisionPages } from './routes/decisions.ts';
import { docsRoutes } from './routes/docs.ts';
import { newsRoutes } from './routes/feed.ts';
import type { GivenDependencies } from './routes/given.ts';
import { HEALTH_PATHS, healthRoutes } from './routes/health.ts';
import { answerInHtml } from './routes/html.ts';
import { insightsRoutes } from './routes/insights.ts';
import { listRoutes } from './routes/list.ts';
import { maintainRoutes } from './routes/maintain.ts';
import { named } from './routes/named.ts';
import { pageRoutes } from './routes/pages.ts';
import { queueBoard } from './routes/queue-board.ts';
import { savedFilterRoutes } from './routes/saved-filters.ts';
import { signInRoutes } from './routes/sign-in.ts';
import { tokenPages } from './routes/tokens.ts';
import { addPeople, NOBODY, refuseBadTokens, type SignIn } from './session/people.ts';
import type { RoleSettings } from './session/users.ts';

export interface ReviewServerOptions {
  db: Kysely<Schema>;
  findings: Findings;
  log: FastifyBaseLogger;
  wiki: ReviewWiki;
  /** Origins of the wikis whose gadget may ask, which is also where their articles are: `https://en.wikipedia.org`. */
  wikiOrigins: readonly string[];
  /** Where people reach the service; of it only the origin counts. */
  publicUrl: string;
  signIn: SignInOptions;
  /** How long a finding stays with who opened it; default: 10 minutes. */
  leases?: DecisionOptions;
  /** Takes texts of sources that can't be fetched; default: takes none. */
  texts?: GivenDependencies;
  /** What maintainers do with queues; default: there are none. */
  maintenance?: Maintenance;
  /** What people ask to have checked; default: nothing is. */
  checks?: { checks: Checks; limits: CheckLimitSettings };
  /** How often one may ask; default: as often as one likes. */
  rates?: Rates;
  /** Where requests and checks are counted for all processes together, a connection of role `counter`; default: in this one. */
  counters?: Redis;
  /** Queues that maintainers may look into, a connection of role `producer`; default: none. */
  queueRedis?: Redis;
  /** Names of what it needs and does not have; default: nothing is needed. */
  ready?: () => Promise<string[]>;
}

/** The wiki whose accounts sign in. */
export interface ReviewWiki {
  /** As findings have it: host and port. */
  id: string;
  origin: string;
  /** Path of index.php. */
  indexPath: string;
  apiUrl: string;
  restUrl: string;
  userAgent: string;
}

export interface SignInOptions extends RoleSettings {
  /** As registered on the wiki. Null: on this machine one person decides, elsewhere nobody does. */
  client: { id: string; secret: string | null } | null;
  /** Signs cookies: 32 characters or more. */
  secret: string;
}

/** The caller listens, on a loopback address or behind a proxy at `publicUrl`, and closes. */
export function createReviewServer(options: ReviewServerOptions): FastifyInstance {
  const { log, publicUrl } = options;
  const server = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 64 * 1024,
    requestTimeout: WHOLE_REQUEST_MS,
    trustProxy: isLoopback(publicUrl) ? false : PROXIES,
  });
  server.decorateRequest('publicOrigin', new URL(publicUrl).origin);
  server.decorateRequest('actor', null);
  server.decorateRequest('viewer');
  server.addHook('onRequest', async (request) => {
    request.viewer = NOBODY;
    // not every proxy says that it was reached over https, and without it no session would be kept
    if (publicUrl.startsWith('https:')) request.headers['x-forwarded-proto'] ??= 'https';
    if (!HEALTH_PATHS.has(request.url)) refuseStrangeHost(request);
  });
  server.addHook('preClose', async () => {
    setTimeout(() => server.server.closeAllConnections(), LAST_REQUESTS_MS).unref();
  });
  measureRequests(server);
  server.register(helmet, SECURITY);
  server.setErrorHandler<Error>(sendFailure);
  const assets = readAssets();
  server.register(named(assetRoutes({ assets })));
  server.register(healthRoutes(options.ready));
  server.register(
    named(
      serviceRoutes({ ...options, assets, decisions: countDecisions(createDecisions(options.db, options.leases)) }),
    ),
  );
  return server;
}

interface ServiceOptions extends ReviewServerOptions {
  assets: Assets;
  decisions: Decisions;
}

/** Where checks are taken: what takes them, and how often. */
type Checked = Omit<ServiceOptions, 'checks'> & { checks: Checks; limit: Awaited<ReturnType<typeof limitChecks>> };

/** All that asks who asks: for programs, then for people. */
function serviceRoutes(options: ServiceOptions): FastifyPluginAsync {
  return async (service) => {
    await addPeople(service, { ...options, ...people(options) });
    const methodsAt = await addRules(service, options);
    refuseBadTokens(service);
    service.register(named(apiRoutes(options, methodsAt)), { prefix: '/api' });
    service.register(named(decisionApi(options)), { prefix: '/api' });
    service.register(named(newsRoutes(options)));
    if (options.queueRedis) service.register(named(queueBoard({ redis: options.queueRedis, assets: options.assets })));
    const limits = options.checks && (await limitChecks(service, options.checks.limits));
    const checked = options.checks && limits && { ...options, checks: options.checks.checks, limit: limits };
    if (checked) service.register(named(checkRoutes(checked)), { prefix: '/api' });
    service.register(named(siteRoutes(options, checked)));
  };
}

function siteRoutes(options: ServiceOptions, checked: Checked | undefined): FastifyPluginAsync {
  const { assets, wiki, maintenance = NO_MAINTENANCE } = options;
  const page = { ...options, indexPath: wiki.indexPath, texts: options.texts };
  return async (site) => {
    await answerInHtml(site, { assets });
    site.register(named(signInRoutes(page)));
    site.register(named(accountRoutes(page)));
    site.register(named(listRoutes(page)));
    site.register(named(savedFilterRoutes(page)));
    site.register(named(pageRoutes(page)));
    site.register(named(decisionPages(page)));
    if (checked) site.register(named(checkPages({ ...page, ...checked })));
    site.register(named(blindRoutes(page)));
    site.register(named(insightsRoutes(page)));
    site.register(named(docsRoutes(page)));
    site.register(named(tokenPages(page)));
    site.register(named(maintainRoutes({ assets, maintenance })));
  };
}

function people({ signIn, publicUrl }: ReviewServerOptions): { roles: RoleSettings; signIn: SignIn; secret: string } {
  const way = signIn.client !== null ? 'wiki' : isLoopback(publicUrl) ? 'local' : 'none';
  return { roles: signIn, signIn: way, secret: signIn.secret };
}

function isLoopback(url: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
}

/** Of this machine and of its private network, which is where a tool's proxy is. */
const PROXIES = ['loopback', 'linklocal', 'uniquelocal'];

/** Until all of a request is there: a PDF over a slow line is; who sends a byte a minute to hold a connection is not waited for. */
const WHOLE_REQUEST_MS = 5 * 60_000;

/** Browsers open connections ahead and ask nothing on them: without an end, closing would wait for a minute. */
const LAST_REQUESTS_MS = 1000;

/** Nothing from other origins, nothing inline. No HSTS: this is plain HTTP, and its proxy's own decision. */
const SECURITY = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      styleSrc: ["'self'"],
      scriptSrc: ["'self'"],
      connectSrc: ["'self'"],
      imgSrc: ["'self'"],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  strictTransportSecurity: false,
  // with no-referrer a browser would send `Origin: null` along with our own form
  referrerPolicy: { policy: 'same-origin' },
} as const;
