/** The wiki of a fleet as a process on its host. In: one JSON argument. Out: the wiki on port 80, and `control.ts` on 81. */
import { serveControl } from './control.ts';
import { addressOf } from './web.ts';
import { startFleetWiki } from './wiki.ts';

export interface WikiArgument {
  seed: number;
  articles: number;
  host: string;
  /** Of the web. */
  domain: string;
}

async function main(): Promise<void> {
  // written by fleet.ts, as this type
  const { seed, articles, host, domain } = JSON.parse(process.argv[2] ?? '{}') as WikiArgument;
  const address = (page: Parameters<typeof addressOf>[0]) => addressOf(page, domain);
  const wiki = await startFleetWiki({ seed, articles, port: 80, host, address });
  await serveControl(host, ({ announce }) => ({ left: wiki.announce(Number(announce ?? 0)) }));
}

await main();
