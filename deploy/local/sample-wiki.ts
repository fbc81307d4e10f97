/** Lets a command ask the sample wiki, started just for it where none is running. Any other wiki is left to itself. */
import { type Config, parseConfig } from '../../shared/config.ts';
import { isFree } from '../servers/port.ts';
import { startSampleWiki } from './sample.ts';
import { FIRST_PORT, portsFrom } from './settings.ts';

/** Runs `ask` with a wiki that answers; stops what it started. */
export async function withSampleWiki<T>(config: Config, ask: (config: Config) => Promise<T>): Promise<T> {
  const isSample = config.wiki.origin === parseConfig({}).wiki.origin;
  if (!isSample || !(await isFree(FIRST_PORT))) return ask(config);
  const wiki = await startSampleWiki(config.dataDir, portsFrom(FIRST_PORT));
  try {
    return await ask(config);
  } finally {
    await wiki.stop();
  }
}
