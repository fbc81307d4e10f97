/** What a fleet reads is what is meant: its wiki, its web and its stream, asked by the real bot and the real reader. */

import { extractClaims } from '../../bot/claims/extract.ts';
import { createEventStreams } from '../../bot/recent-changes/event-streams.ts';
import type { Step } from '../../bot/recent-changes/feed.ts';
import { createDescribeRevisions } from '../../bot/revisions.ts';
import { createAsk, createWiki } from '../../bot/wiki.ts';
import { parseConfig } from '../../shared/config.ts';
import { createLogger } from '../../shared/logger.ts';
import { createReader } from '../../workers/source/read.ts';
import { type Condition, type FleetArticle, makeArticle, makePlace } from './articles.ts';
import { type FleetWeb, startFleetWeb } from './web.ts';
import { type FleetWiki, startFleetWiki } from './wiki.ts';

const ARTICLES = 200;
const SEED = 7;
let web: FleetWeb;
let wiki: FleetWiki;
beforeAll(async () => {
  web = await startFleetWeb({ seed: SEED, port: 0 });
  wiki = await startFleetWiki({ seed: SEED, articles: ARTICLES, port: 0, address: web.address });
});
afterAll(async () => {
  await Promise.all([web.close(), wiki.close()]);
});

const config = () => parseConfig({ WIKI: wiki.origin, ALLOW_LOOPBACK_SOURCES: '1', WAYBACK_URL: web.waybackUrl });
const articles = (): FleetArticle[] => Array.from({ length: ARTICLES }, (_, index) => makeArticle(SEED, index));

test('every revision has exactly the claims that are meant, each with its page', async () => {
  const { parsoidHtml } = createWiki(config().wiki);
  const revisions = articles().flatMap(({ title, revisions }) => revisions.map((revision) => ({ title, revision })));
  for (const { title, revision } of revisions) {
    const read = await parsoidHtml(revision.id);
    const { pairs, unpaired } = extractClaims(read.kind === 'html' ? read.html : '', title);
    expect(pairs.map(({ claim, citations }) => [claim.text, citations.map(({ url }) => url)])).toEqual(
      revision.claims.map(({ text, source }) => [text, [web.address(source)]]),
    );
    expect(unpaired).toEqual([]);
  }
});

test('every page is read as its condition says', async () => {
  const { look } = createReader(config().sources);
  const pages = Array.from({ length: 60 }, (_, number) => makePlace(SEED, number).pages).flat();
  for (const page of pages) {
    const source = await look(web.address(page), AbortSignal.timeout(20_000));
    expect(source.kind === 'readable' ? null : source.reason).toBe(REASONS[page.condition]);
    if (source.kind === 'readable') for (const text of page.paragraphs) expect(source.text).toContain(text);
  }
});

const REASONS: Record<Condition, string | null> = {
  readable: null,
  dead: 'not_found',
  paywall: 'paywall',
  scanned: 'scanned_pdf',
  broken: 'unreachable',
};

test('the API knows the page of each revision, and the latest one of each title', async () => {
  const known = await createDescribeRevisions(createAsk(config().wiki))([100_000, 100_002]);
  expect([...known.values()].map(({ page }) => page.id)).toEqual([1, 2]);
  for (const { pageId, title, revisions } of articles().slice(0, 40)) {
    const latest = await createWiki(config().wiki).latestRevision(title);
    expect(latest).toMatchObject({ page: { id: pageId, title }, revision: revisions.at(-1)?.id });
  }
});

test('a reader of the stream hears every edit once, also after it went away in between', async () => {
  wiki.announce(wiki.edits);
  const heard = await follow(100, { time: new Date(Date.now() - 60_000).toISOString(), eventId: null });
  const rest = await follow(wiki.edits - 100, heard.at(-1)?.cursor ?? { time: '', eventId: null });
  const revisions = [...heard, ...rest].map((step) =>
    step.kind === 'change' && step.change.kind === 'edit' ? step.change.revision : null,
  );
  expect(new Set(revisions).size).toBe(wiki.edits);
  expect(revisions).not.toContain(null);
});

async function follow(count: number, from: Step['cursor']): Promise<Step[]> {
  const stop = new AbortController();
  const options = { url: wiki.eventStreamsUrl, serverName: new URL(wiki.origin).host, userAgent: 'test' };
  const feed = createEventStreams({ ...options, wiki: createWiki(config().wiki), log: createLogger('silent', 'test') });
  const steps: Step[] = [];
  for await (const step of feed.follow(from, stop.signal)) {
    steps.push(step);
    if (steps.length === count) break;
  }
  stop.abort();
  return steps;
}
