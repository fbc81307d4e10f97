/** The review service with what maintainers need: Redis, a real wiki with two articles, worklists, and a finding on each article. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { createWiki } from '../../../bot/wiki.ts';
import { openWorklists } from '../../../bot/worklists/store.ts';
import { type Config, parseConfig } from '../../../shared/config.ts';
import { connectRedis } from '../../../shared/redis.ts';
import { type Maintenance, openMaintenance } from '../../../workers/review/maintenance.ts';
import { makeToken } from '../../../workers/review/tokens.ts';
import { signIn as signInToWiki } from '../../bot/wiki-editor.ts';
import { type RunningRedis, startRedis } from '../../support/redis.ts';
import { startWiki, type TestWiki } from '../../support/wiki.ts';
import { type ServeOptions, type SignedIn, serveStore } from './served.ts';
import { findingOf, openStore, type Store } from './store.ts';

export interface Ground {
  wiki: TestWiki;
  server: RunningRedis;
  config: Config;
  redis: Redis;
  /** Ids by title. */
  pages: Record<'Mill' | 'Quay', number>;
  close(): Promise<void>;
}

export async function startGround(): Promise<Ground> {
  const [wiki, server] = await Promise.all([startWiki(), startRedis()]);
  const folder = await mkdtemp(join(tmpdir(), 'maintained-'));
  const config = parseConfig({
    WIKI: wiki.origin,
    REDIS_URL: server.url,
    DATA_DIR: folder,
    USER_AGENT: 'Sidelight/0.1 (test)',
  });
  const redis = await connectRedis(server.url, 'producer');
  const editor = await signInToWiki(wiki);
  await editor.save('Mill', 'The mill closed in 1931. [[Category:Works]]');
  await editor.save('Quay', 'The quay is of granite.');
  const known = createWiki(config.wiki);
  const idOf = async (title: string) => (await known.latestRevision(title))?.page.id ?? 0;
  const pages = { Mill: await idOf('Mill'), Quay: await idOf('Quay') };
  await (await openWorklists(config.databases.worklists)).close();
  return {
    ...{ wiki, server, config, redis, pages },
    async close() {
      redis.disconnect();
      await Promise.all([wiki.stop(), server.stop()]);
      await rm(folder, { recursive: true });
    },
  };
}

export interface Maintained extends Store {
  origin: string;
  maintenance: Maintenance;
  maintainer: SignedIn;
  patroller: SignedIn;
  /** Headers of a maintainer's program. */
  program: Record<string, string>;
}

/** An empty Redis, and a database with a finding on each article. */
export async function openMaintained(
  { config, redis, pages }: Ground,
  options: ServeOptions = {},
): Promise<Maintained> {
  await redis.flushall();
  const store = await openStore();
  for (const [title, id] of Object.entries(pages)) {
    await store.findings.record(findingOf(`Of the ${title}.`, { wiki: config.wiki.id, page: { id, title } }));
  }
  const maintenance = openMaintenance(config, store.db, redis);
  const served = await serveStore(store, { maintenance, ...options });
  const maintainer = await served.signIn('Mia', ['patroller', 'maintainer']);
  const { secret } = await makeToken(store.db, maintainer.id, 'nightly');
  return {
    ...store,
    origin: served.origin,
    maintenance,
    maintainer,
    patroller: await served.signIn('Pat'),
    program: { authorization: `Bearer ${secret}` },
    async close() {
      await served.close();
      await maintenance.close();
      await store.close();
    },
  };
}
