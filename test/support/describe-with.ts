/**
 * `describe` for tests that need a real server or program. Where it can't be had they are skipped, with the reason printed;
 * in CI that is a failure.
 */
import { hostsUnavailable } from '../fleet/hosts.ts';
import { chromiumUnavailable } from './chromium.ts';
import { elasticsearchUnavailable } from './elasticsearch.ts';
import { mariaDbUnavailable } from './mariadb.ts';
import { findProgram } from './program.ts';
import { redisUnavailable } from './redis.ts';
import { wikiUnavailable } from './wiki.ts';

const REASONS = {
  redis: redisUnavailable,
  wiki: wikiUnavailable,
  chromium: chromiumUnavailable,
  elasticsearch: elasticsearchUnavailable,
  mariadb: mariaDbUnavailable,
  hosts: hostsUnavailable,
  promtool: () => (findProgram('promtool') === null ? 'no promtool: apt-get install prometheus' : null),
} as const;
export type Need = keyof typeof REASONS;

export function describeWith(needs: readonly Need[], name: string, body: () => void): void {
  const missing = needs.flatMap((need) => REASONS[need]() ?? []).join('; ');
  if (missing === '') describe(name, body);
  else if (process.env.CI === 'true') describe(name, () => test('can run', () => Promise.reject(new Error(missing))));
  else skip(name, missing, body);
}

/** Jest prints the names of tests only where a single file is run. */
function skip(name: string, reason: string, body: () => void): void {
  process.stderr.write(`skipped: ${name} (${reason})\n`);
  describe.skip(name, body);
}
