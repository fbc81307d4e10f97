/**
 * The sample wiki and the loopback web its articles cite, filled and with the gadget installed. In: folder and ports. Out:
 * handles. The bot, the workers and the review page are started elsewhere and treat it like any wiki.
 */
import { join } from 'node:path';
import { createWiki } from '../../bot/wiki.ts';
import { bareCitation } from '../../shared/bare-citation.ts';
import type { Config } from '../../shared/config.ts';
import { type Next, PRIORITY } from '../../shared/pipeline.ts';
import type { Publisher } from '../../shared/queue.ts';
import { createReader } from '../../workers/source/read.ts';
import { openSourceStore } from '../../workers/source/store.ts';
import { buildGadget } from '../gadget/build.ts';
import { openInterface } from '../gadget/editor.ts';
import { publishGadget } from '../gadget/publish.ts';
import { loadArticles } from '../sample/articles.ts';
import type { EditName } from '../sample/edits.ts';
import { editSample, seedWiki } from '../sample/seed.ts';
import { createSampleWeb, type SampleWeb } from '../sample/web.ts';
import { ACCOUNTS, type Account, apiLogin } from '../wiki/accounts.ts';
import { installWiki, type RunningWiki, serveWiki } from '../wiki/wiki.ts';
import type { Ports } from './settings.ts';

export interface Sample {
  wiki: RunningWiki;
  web: SampleWeb;
}

export async function startSampleWiki(dataDir: string, ports: Ports): Promise<RunningWiki> {
  const folder = join(dataDir, 'wiki');
  await installWiki(folder);
  return serveWiki({ dataDir: folder, port: ports.wiki, feedUrl: null });
}

export function startSampleWeb(ports: Ports): Promise<SampleWeb> {
  return createSampleWeb({ port: ports.web });
}

/** Templates, articles and the gadget. What is there already is left alone. */
export async function fillSampleWiki(config: Config, ports: Ports): Promise<void> {
  await seedWiki(login(config, ACCOUNTS.admin), { port: ports.web });
  const review = config.review.url;
  await publishGadget(
    await openInterface(config.wiki, { kind: 'bot_password', ...apiLogin(ACCOUNTS.admin) }),
    await buildGadget(review),
  );
}

/** One of the sample editor's edits. False if it has been made before. */
export async function makeSampleEdit(config: Config, ports: Ports, name: EditName): Promise<boolean> {
  const revision = await editSample(login(config, ACCOUNTS.editor), name, { port: ports.web });
  return revision !== null;
}

/** Every page of the loopback web joins the corpus, as any page does that was fetched once. */
export async function fillSampleCorpus(config: Config, web: SampleWeb, publisher: Publisher): Promise<void> {
  const store = await openSourceStore(config.databases.sources, config.sources);
  const reader = createReader(config.sources, store);
  const jobs: Next[] = [];
  for (const url of web.pages) {
    const known = await store.fresh(url, Number.POSITIVE_INFINITY);
    const source = known?.source ?? (await reader.read(bareCitation(url, url), new AbortController().signal));
    const sourceKey = known?.key ?? (await store.put(source));
    if (source.kind === 'readable') {
      jobs.push({ stage: 'corpus', input: { sourceKey, contentHash: source.contentHash } });
    }
  }
  await store.close();
  await publisher.publish(jobs, PRIORITY.patrol);
}

/** Newest revision of each article, by page id. */
export async function latestRevisions(config: Config, ports: Ports): Promise<Map<number, number>> {
  const wiki = createWiki(config.wiki);
  const articles = await loadArticles(ports.web);
  const latest = await Promise.all(articles.map(({ title }) => wiki.latestRevision(title)));
  return new Map(latest.flatMap((found) => (found === null ? [] : [[found.page.id, found.revision]])));
}

function login(config: Config, account: Account) {
  return { apiUrl: config.wiki.apiUrl, userAgent: config.wiki.userAgent, account: apiLogin(account) };
}
