/**
 * A bot without a wiki: events of a stream → claims in the queues of a real Redis. HTML comes from memory. In: pages. Out: what
 * was handed on, and when.
 */
import { createArticles } from '../../../bot/articles.ts';
import { openClaimsApart } from '../../../bot/claims/apart.ts';
import { createCursorStore } from '../../../bot/cursor.ts';
import { createDebounce } from '../../../bot/debounce.ts';
import { createFollow } from '../../../bot/follow.ts';
import { createListen } from '../../../bot/listen.ts';
import { createEventStreams } from '../../../bot/recent-changes/event-streams.ts';
import type { Described } from '../../../bot/revisions.ts';
import { DEFAULT_RULES } from '../../../bot/rules.ts';
import { BUNDLED } from '../../../bot/vocabulary/bundled.ts';
import type { Known } from '../../../bot/vocabulary/known.ts';
import { createLogger } from '../../../shared/logger.ts';
import type { Handler } from '../../../shared/pipeline.ts';
import { createPublisher } from '../../../shared/queue.ts';
import { connectRedis } from '../../../shared/redis.ts';
import { run } from '../../../shared/runner.ts';
import { startEventStream } from '../../bot/event-stream-server.ts';
import { startRedis } from '../../support/redis.ts';
import { type BenchPage, edited } from './pages.ts';

const WIKI = 'bench.example';

export interface BenchPatrol {
  /** Edits of so many of the pages in turn, and events of other wikis. */
  send(edits: number, others: number): void;
  /** Until so many changes were handed on, or revisions checked. */
  until(what: 'heard' | 'handedOn' | 'checked', count: number): Promise<void>;
  counts(): { heard: number; handedOn: number; checked: number; claims: number };
  /** Drops what was sent and heard, so that the stream's server takes no memory. */
  forget(): void;
  /** Milliseconds from an event to its being handed on, of each edit. */
  lags: number[];
  stop(): Promise<void>;
}

/** `distinct`: how many pages there seem to be; the same HTML stands for several. */
export async function startPatrol(
  pages: readonly BenchPage[],
  distinct: number,
  quietMs: number,
): Promise<BenchPatrol> {
  const server = await startRedis();
  const stream = await startEventStream();
  const log = createLogger('error', 'bench');
  const redis = await connectRedis(server.url, 'worker');
  const publisher = createPublisher(redis);
  const debounce = createDebounce(redis, publisher, quietMs);
  const sentAt = new Map<number, number>();
  const heard = new Map<string, number>();
  const counts = { handedOn: 0, checked: 0, claims: 0 };
  const lags: number[] = [];
  const pageOf = (revision: number) => pages[Math.floor(revision / 2) % pages.length] ?? { title: '', html: '' };

  /** Even: the revision before an edit; odd: after it. */
  const wiki = {
    async parsoidHtml(revision: number) {
      const page = pageOf(revision);
      return { kind: 'html' as const, html: revision % 2 === 0 ? page.html : edited(page, revision) };
    },
    currentPage: async () => null,
    pageOfLog: async () => null,
  };
  const describe = async (ids: readonly number[]) => new Map(ids.map((id) => [id, described(id)]));
  const described = (revision: number): Described => {
    const edit = Math.floor(revision / 2);
    const page = { id: (edit % distinct) + 1, title: pageOf(revision).title };
    return {
      page,
      namespace: 0,
      previous: revision - 1,
      tags: [],
      minor: false,
      redirect: false,
      protection: [],
      hidden: false,
    };
  };
  const { extract, close: closeThreads } = openClaimsApart(NO_VOCABULARY);
  const handler = createArticles({ wiki, extract, log });
  const articles: Handler<'articles'> = async (input, context) => {
    const outcome = await handler(input, context);
    counts.checked += 1;
    counts.claims += outcome.next.length - 1;
    return outcome;
  };
  const runner = run({ handlers: { articles }, redis, publisher, log });
  const listening = createListen({
    feed: createEventStreams({ url: stream.url, serverName: WIKI, userAgent: 'bench', wiki: NO_API, log }),
    follow: createFollow({ wikiId: WIKI, wiki, describe, rules: DEFAULT_RULES }),
    async publish(asked) {
      await debounce.publish(asked);
      for (const { next } of asked) {
        const job = next[0];
        if (job?.stage !== 'articles') continue;
        counts.handedOn += 1;
        lags.push(performance.now() - (sentAt.get(job.input.revision) ?? 0));
        sentAt.delete(job.input.revision);
      }
    },
    cursors: createCursorStore(redis, WIKI, 'eventstreams'),
    since: new Date(Date.now() - 3_600_000).toISOString(),
    log,
    counts: heard,
  });
  const abort = new AbortController();
  const running = listening.run(abort.signal);
  let sent = 0;
  const now = () => ({ heard: [...heard.values()].reduce((sum, count) => sum + count, 0), ...counts });
  return {
    lags,
    counts: now,
    forget: stream.forget,
    send(edits, others) {
      const events = Array.from({ length: edits + others }, (_, index) => {
        const isOurs =
          Math.floor(((index + 1) * edits) / (edits + others)) > Math.floor((index * edits) / (edits + others));
        const revision = ++sent * 2 + 1;
        if (isOurs) sentAt.set(revision, performance.now());
        return event(revision, isOurs ? WIKI : 'other.example');
      });
      stream.send(...events);
    },
    async until(what, count) {
      while (now()[what] < count) await new Promise((resolve) => setTimeout(resolve, 5));
    },
    async stop() {
      abort.abort();
      await running;
      await runner.stop(5000);
      await Promise.all([debounce.close(), publisher.close(), closeThreads()]);
      redis.disconnect();
      await Promise.all([server.stop(), stream.stop()]);
    },
  };
}

/** Of English Wikipedia, as it is bundled. */
const KNOWN: Known = { readAt: 0, names: {}, templateData: false, templates: {} };
const NO_VOCABULARY = { for: async () => BUNDLED, knownFor: async () => KNOWN };
const NO_API = { recentChanges: async () => ({ rows: [], next: null }) };

/** With all fields that EventStreams has, so that it is as long. */
function event(revision: number, serverName: string) {
  const seconds = Math.floor(Date.now() / 1000);
  return {
    $schema: '/mediawiki/recentchange/1.0.0',
    meta: {
      uri: `https://${serverName}/wiki/Place`,
      request_id: '00000000-0000-0000-0000-000000000000',
      id: `00000000-0000-0000-0000-${String(revision).padStart(12, '0')}`,
      domain: serverName,
      stream: 'mediawiki.recentchange',
      dt: new Date(seconds * 1000).toISOString(),
      topic: 'eqiad.mediawiki.recentchange',
      partition: 0,
      offset: revision,
    },
    id: revision,
    type: 'edit',
    namespace: 0,
    title: 'Place',
    title_url: `https://${serverName}/wiki/Place`,
    comment: 'An edit that says what it does, as most of them do, in some seventy letters.',
    timestamp: seconds,
    user: 'Someone',
    bot: false,
    notify_url: `https://${serverName}/w/index.php?diff=${revision}&oldid=${revision - 1}`,
    minor: false,
    patrolled: true,
    length: { old: 50_000, new: 50_100 },
    revision: { old: revision - 1, new: revision },
    server_url: `https://${serverName}`,
    server_name: serverName,
    server_script_path: '/w',
    wiki: 'bench',
    parsedcomment: 'An edit that says what it does, as most of them do, in some seventy letters.',
  };
}
