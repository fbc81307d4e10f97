/** `sidelight status`: reads how an installation is, and prints it. In: Config. Out: an exit code. */
import type { Config } from '../../shared/config.ts';
import { createLogger } from '../../shared/logger.ts';
import { type Advice, advise } from '../status/advice.ts';
import { readStatus } from '../status/read.ts';
import { screen } from '../status/screen.ts';

/** Returns 0 where all is fine, 1 where something needs a look, 2 where something is broken. */
export async function status(config: Config, { json }: { json: boolean }): Promise<0 | 1 | 2> {
  const seen = await readStatus(config, createLogger('silent', 'status'));
  const advice = advise(seen);
  const text = json ? JSON.stringify({ ...seen, state: stateOf(advice), advice }) : screen(seen, advice);
  process.stdout.write(`${text}\n`);
  return EXIT[stateOf(advice)];
}

function stateOf(advice: readonly Advice[]): keyof typeof EXIT {
  return advice.some(({ how }) => how === 'broken') ? 'broken' : advice.length > 0 ? 'look' : 'fine';
}

const EXIT = { fine: 0, look: 1, broken: 2 } as const;
