/** The web of a fleet as a process on its host. In: one JSON argument. Out: pages on port 80, names on 53, and `control.ts` on 81. */
import { serveControl } from './control.ts';
import { serveNames } from './names.ts';
import { startFleetWeb, type WebMood } from './web.ts';

export interface WebArgument {
  seed: number;
  host: string;
  publicAddress: string;
  domain: string;
}

const MOODS: readonly WebMood[] = ['well', 'error', 'hang', 'lie'];

async function main(): Promise<void> {
  // written by fleet.ts, as this type
  const { seed, host, publicAddress, domain } = JSON.parse(process.argv[2] ?? '{}') as WebArgument;
  const web = await startFleetWeb({ seed, port: 80, host: publicAddress, domain });
  await serveNames({ host, domain, address: publicAddress });
  await serveControl(host, ({ mood }) => {
    web.mood = MOODS.find((known) => known === mood) ?? web.mood;
    return { asked: web.asked };
  });
}

await main();
