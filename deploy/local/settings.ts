/** The settings of the embedded default: everything on this machine's loopback. In: the environment. Out: one with them in it. */
import { SAMPLE_PORT } from '../sample/manifest.ts';
import { OAUTH_CLIENTS } from '../wiki/oauth.ts';

type Environment = Record<string, string | undefined>;

export interface Ports {
  wiki: number;
  /** The loopback web that the sample articles cite. */
  web: number;
  redis: number;
  review: number;
}

/** Four ports in a row, from the wiki's on. */
export function portsFrom(first: number): Ports {
  return { wiki: first, web: first + 1, review: first + 2, redis: first + 3 };
}

export const FIRST_PORT = SAMPLE_PORT - 1;

/** Without WIKI the sample wiki is followed, from its first edit on; its web and archive are on loopback. */
export function localEnvironment(given: Environment, ports: Ports): Environment {
  const servers = {
    REDIS_URL: given.REDIS_URL ?? `redis://127.0.0.1:${ports.redis}/0`,
    REVIEW_PORT: given.REVIEW_PORT ?? String(ports.review),
    STOP_SECONDS: '2.5', // a person who pressed Ctrl-C waits for it
  };
  if (given.WIKI !== undefined) return { ...given, ...servers };
  return {
    ...given,
    ...servers,
    WIKI: `http://127.0.0.1:${ports.wiki}`,
    SINCE: '2001-01-15T00:00:00Z',
    ALLOW_LOOPBACK_SOURCES: '1',
    SOURCE_PAUSE: '0', // our own web on loopback need not be spared
    DEBOUNCE: given.DEBOUNCE ?? '1', // whoever tries it out waits for what an edit leads to
    OAUTH_CLIENT_ID: given.OAUTH_CLIENT_ID ?? OAUTH_CLIENTS.review.id,
    OAUTH_CLIENT_SECRET: given.OAUTH_CLIENT_SECRET ?? OAUTH_CLIENTS.review.secret ?? undefined,
    WAYBACK_URL: `http://archive.localhost:${ports.web}`,
  };
}
