/** The bot of a test: its settings, and a clock that passes at once and notes how long was waited. */

import type { Clock } from '../../../bot/write/turn.ts';
import { ACCOUNTS, apiLogin } from '../../../deploy/wiki/accounts.ts';
import { type Config, parseConfig } from '../../../shared/config.ts';
import { createLogger } from '../../../shared/logger.ts';

export function botConfig(at: { origin: string; apiUrl: string; dataDir: string }): Config {
  const { username, password } = apiLogin(ACCOUNTS.bot);
  const settings = { BOT_USERNAME: username, BOT_PASSWORD: password, BOT_EDIT_INTERVAL: '0' };
  const config = parseConfig({ WIKI: at.origin, DATA_DIR: at.dataDir, ...settings });
  return { ...config, wiki: { ...config.wiki, apiUrl: at.apiUrl } };
}

export interface TestClock extends Clock {
  waited: number[];
}

export function quickClock(): TestClock {
  const waited: number[] = [];
  let passed = 0;
  return {
    waited,
    now: () => 1_800_000_000_000 + passed,
    async wait(ms, signal) {
      signal?.throwIfAborted();
      waited.push(ms);
      passed += ms;
    },
  };
}

export const silent = createLogger('silent', 'test');
