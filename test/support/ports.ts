/** Ports for a whole stack of its own. */
import { type Ports, portsFrom } from '../../deploy/local/settings.ts';
import { freePort, isFree } from '../../deploy/servers/port.ts';

/** Four free ports in a row, as `start --port` takes them. */
export async function freePorts(): Promise<{ first: number; ports: Ports }> {
  for (;;) {
    const first = await freePort();
    const ports = portsFrom(first);
    const free = await Promise.all(Object.values(ports).map((port) => port < 65_536 && isFree(port)));
    if (free.every(Boolean)) return { first, ports };
  }
}

/** This process's environment, mark and all, without what chooses another wiki or Redis. */
export function stackEnvironment(dataDir: string, modelsDir: string): Record<string, string | undefined> {
  const { WIKI, REDIS_URL, SOURCE_GATEWAY, ...environment } = process.env;
  return { ...environment, DATA_DIR: dataDir, MODELS_DIR: modelsDir };
}
