/** The review service over HTTP: JSON for the gadget and programs, pages for people. Listens to nothing by itself. */
import helmet from '@fastify/helmet';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { readAssets } from './assets.ts';
import type { Findings } from './findings.ts';
import { refuseStrangeHost } from './guard.ts';
import { apiRoutes, sendFailure } from './routes/api.ts';
import { assetRoutes } from './routes/assets.ts';
import type { GivenDependencies } from './routes/given.ts';
import { pageRoutes } from './routes/pages.ts';
import { WIKIMEDIA_INDEX } from './views/address.ts';

export interface ReviewServerOptions {
  findings: Findings;
  log: FastifyBaseLogger;
  /** Origins of the wikis whose gadget may ask, which is also where their articles are: `https://en.wikipedia.org`. */
  wikiOrigins: readonly string[];
  /** Path of those wikis' index.php; default: where Wikimedia's have it. */
  indexPath?: string;
  /** Takes texts of sources that can't be fetched; default: takes none. */
  texts?: GivenDependencies;
}

/** The caller listens, on a loopback address, and closes. */
export function createReviewServer(options: ReviewServerOptions): FastifyInstance {
  const { findings, log, wikiOrigins, indexPath = WIKIMEDIA_INDEX, texts } = options;
  const server = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 64 * 1024,
  });
  server.addHook('onRequest', async (request) => refuseStrangeHost(request));
  server.addHook('preClose', async () => {
    setTimeout(() => server.server.closeAllConnections(), LAST_REQUESTS_MS).unref();
  });
  server.register(helmet, SECURITY);
  server.setErrorHandler<Error>(sendFailure);
  const assets = readAssets();
  server.register(assetRoutes({ assets }));
  server.get('/healthz', async () => ({ ok: true }));
  server.register(apiRoutes({ findings, wikiOrigins }), { prefix: '/api' });
  server.register(pageRoutes({ findings, wikiOrigins, indexPath, assets, texts }));
  return server;
}

/** Browsers open connections ahead and ask nothing on them: without an end, closing would wait for a minute. */
const LAST_REQUESTS_MS = 1000;

/** Nothing from other origins, nothing inline. No HSTS: this is plain HTTP on loopback. */
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
