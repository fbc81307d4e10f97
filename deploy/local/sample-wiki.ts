/**
 * Lets a command ask the sample wiki, and read the loopback web that it cites, started just for it where they are not running.
 * Any other wiki is left to itself.
 */
import { type Config, parseConfig } from '../../shared/config.ts';
import { isFree } from '../servers/port.ts';
import { startSampleWeb, startSampleWiki } from './sample.ts';
import { FIRST_PORT, localEnvironment, portsFrom } from './settings.ts';

/** Runs `ask` with a wiki that answers; stops what it started. */
export async function withSampleWiki<T>(config: Config, ask: (config: Config) => Promise<T>): Promise<T> {
  const ports = portsFrom(FIRST_PORT);
  if (!isSample(config)) return ask(config);
  const started: { stop(): Promise<void> }[] = [];
  try {
    if (await isFree(ports.wiki)) started.push(await startSampleWiki(config.dataDir, ports));
    if (await isFree(ports.web)) started.push(await startSampleWeb(ports));
    return await ask(config);
  } finally {
    for (const server of started) await server.stop();
  }
}

/** As `start` has it: only for the sample's own articles, since whoever wrote other text would choose what is read here. */
export function readingSampleWeb(config: Config): Config {
  if (!isSample(config) || config.sources.gateway !== null) return config;
  const { allowLoopback, waybackUrl } = parseConfig(localEnvironment({}, portsFrom(FIRST_PORT))).sources;
  return { ...config, sources: { ...config.sources, allowLoopback, waybackUrl } };
}

function isSample(config: Config): boolean {
  return config.wiki.origin === parseConfig({}).wiki.origin;
}
