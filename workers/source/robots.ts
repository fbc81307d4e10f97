/**
 * robots.txt as RFC 9309 asks. In: a URL that is about to be fetched. Out: null if it may be, else the reason why not.
 * Rules are kept for an hour, for a limited number of hosts.
 */
import robotsParser from 'robots-parser';
import { type Failure, type Fetch, unavailable } from './fetch.ts';
import { reasonOfStatus } from './unavailable.ts';

export type Admit = (url: URL, signal: AbortSignal) => Promise<Failure | null>;

interface Rules {
  /** The host itself can't be reached: then its pages can't either (RFC 9309, section 2.3.1.4). */
  failure: Failure | null;
  text: string;
  readAt: number;
}

export interface Robots {
  admit: Admit;
  /** `Crawl-delay` of a host whose rules are known, milliseconds, bounded; 0 where it has none. */
  pauseMs(url: URL): number;
}

export function createRobots({ fetch, userAgent }: { fetch: Fetch; userAgent: string }): Robots {
  const hosts = new Map<string, Rules>();
  return {
    async admit(url, signal) {
      const address = addressOf(url);
      const known = hosts.get(address);
      const rules = known && Date.now() - known.readAt < MAX_AGE_MS ? known : await readRules(address, fetch, signal);
      if (rules.failure !== null) return rules.failure;
      keep(hosts, address, rules);
      const allowed = parseRobots(address, rules.text).isAllowed(url.href, userAgent) ?? true;
      return allowed ? null : unavailable('robots', address);
    },
    pauseMs(url) {
      const address = addressOf(url);
      const seconds = parseRobots(address, hosts.get(address)?.text ?? '').getCrawlDelay(userAgent) ?? 0;
      return Math.min(Math.max(seconds, 0) * 1000, LONGEST_PAUSE_MS);
    },
  };
}

function addressOf(url: URL): string {
  return `${url.origin}/robots.txt`;
}

/** 4xx: no rules; 5xx or no answer: as if everything were disallowed. */
async function readRules(address: string, fetch: Fetch, signal: AbortSignal): Promise<Rules> {
  const outcome = await fetch(address, { signal });
  const readAt = Date.now();
  if (outcome.kind === 'response') {
    const down = outcome.status >= 500 ? reasonOfStatus(outcome.status) : null;
    const failure = down === null ? null : unavailable(down, `HTTP ${outcome.status} for robots.txt`);
    return { failure, text: outcome.body.toString('utf8', 0, MAX_BYTES), readAt };
  }
  return { failure: HOST_FAILURES.has(outcome.reason) ? outcome : null, text: '', readAt };
}

function keep(hosts: Map<string, Rules>, address: string, rules: Rules): void {
  hosts.delete(address);
  hosts.set(address, rules);
  const oldest = hosts.keys().next();
  if (hosts.size > MAX_HOSTS && !oldest.done) hosts.delete(oldest.value);
}

// a CommonJS function that its types declare as an ES module's default
const parseRobots = robotsParser as unknown as typeof robotsParser.default;
const HOST_FAILURES: ReadonlySet<Failure['reason']> = new Set(['unreachable', 'timeout', 'refused_address']);
const MAX_AGE_MS = 3600 * 1000;
const MAX_HOSTS = 1000;
/** Whatever a host asks for. */
const LONGEST_PAUSE_MS = 30_000;
/** RFC 9309, section 2.5: at least 500 KiB are to be parsed. */
const MAX_BYTES = 500 * 1024;
