/** The real review server on a free port over a real database, for one test. */
import { pino } from 'pino';
import type { Finding } from '../../../shared/citation.ts';
import { createReviewServer } from '../../../workers/review/server.ts';
import { openStore, type Store } from './store.ts';

export const WIKI_ORIGIN = 'http://wiki.example:8143';

export interface Served extends Store {
  /** `http://127.0.0.1:port` */
  origin: string;
  port: number;
}

export async function serve(...findings: Finding[]): Promise<Served> {
  const store = await openStore();
  for (const finding of findings) await store.findings.record(finding);
  const server = createReviewServer({
    findings: store.findings,
    log: pino({ level: 'silent' }),
    wikiOrigins: [WIKI_ORIGIN],
    indexPath: '/mediawiki/index.php',
  });
  const origin = await server.listen({ host: '127.0.0.1', port: 0 });
  return {
    ...store,
    origin,
    port: Number(new URL(origin).port),
    async close() {
      await server.close();
      await store.close();
    },
  };
}
