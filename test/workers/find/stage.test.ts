/** A sentence through real queues: two hosts, of which one holds the dense shard; real models and a real generation of the corpus. */
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { checkName } from '../../../shared/check-name.ts';
import type { Claim } from '../../../shared/citation.ts';
import type { Found } from '../../../shared/found.ts';
import { hashClaim } from '../../../shared/hash.ts';
import { createLogger } from '../../../shared/logger.ts';
import { type Handlers, type Next, PRIORITY } from '../../../shared/pipeline.ts';
import { createPublisher, openQueues, type Publisher, type Queues } from '../../../shared/queue.ts';
import { connectRedis } from '../../../shared/redis.ts';
import { type Runner, run } from '../../../shared/runner.ts';
import { find } from '../../../workers/find/find.ts';
import { createFind } from '../../../workers/find/stage.ts';
import { createDense } from '../../../workers/retrieval/dense/retrieve.ts';
import { noExpansion } from '../../../workers/retrieval/expansion/expander.ts';
import { createSparse } from '../../../workers/retrieval/sparse/retrieve.ts';
import { createRanker } from '../../../workers/suggestion/rank.ts';
import { openReliabilityStore, type ReliabilityStore } from '../../../workers/suggestion/reliability/store.ts';
import { loadModels, type Models } from '../../../workers/verification/verifier.ts';
import { deferred } from '../../support/deferred.ts';
import { describeWith } from '../../support/describe-with.ts';
import { type RunningRedis, startRedis } from '../../support/redis.ts';
import { openTestGeneration, type TestGeneration } from '../suggestion/generation.ts';

const log = createLogger('silent', 'test');
const wiki = 'wiki.example';
const PAGES = [
  {
    url: 'https://bridges.example/corran',
    title: 'Corran suspension bridge',
    text: 'The Corran suspension bridge was opened to traffic on 4 June 1938.\nIt had cost 90,000 pounds to build.',
  },
  {
    url: 'https://annals.example/corran',
    title: 'Annals of Corran',
    text: 'The Corran suspension bridge opened to traffic on 4 June 1941.\nThe mayor cut a ribbon.',
  },
  {
    url: 'https://lights.example/skarn',
    title: 'Skarn lighthouse',
    text: 'The lighthouse on Skarn Head was first lit on 12 March 1854.\nIts lamp was visible for 18 miles.',
  },
];
const bridge = 'The Corran suspension bridge opened to traffic on 4 June 1938.';

describeWith(['redis'], 'stage find', () => {
  let server: RunningRedis;
  let redis: Redis;
  let models: Models;
  let generation: TestGeneration;
  let publisher: Publisher;
  let queues: Queues;
  let reliability: ReliabilityStore;
  const runners: Runner[] = [];

  beforeAll(async () => {
    [server, models] = await Promise.all([startRedis(), loadModels('workers/models')]);
    redis = await connectRedis(server.url, 'worker');
    publisher = createPublisher(redis);
    queues = openQueues(redis);
    generation = openTestGeneration(models.encoder);
    await generation.add(...PAGES);
    reliability = await openReliabilityStore(join(generation.dataDir, 'reliability.sqlite'));
  });
  afterEach(async () => {
    await Promise.all(runners.splice(0).map((runner) => runner.stop(100)));
  });
  afterAll(async () => {
    await Promise.all([publisher?.close(), queues?.close()]);
    redis?.disconnect();
    await reliability?.close();
    await generation?.remove();
    await server?.stop();
  });

  /** What the review stage is told. */
  function startJudging(has: { corpus?: 'none' | 'dropped' } = {}): Promise<Found> {
    const told = deferred<Found>();
    const ranker = createRanker(models.crossEncoder);
    start({
      find: createFind({
        ranker,
        exclusions: async () => ({ reliability: await reliability.current(), allowUserGenerated: false }),
        current: async () => (has.corpus === 'none' ? null : generation.manifest),
        openCorpus: async () => (has.corpus === 'dropped' ? null : generation.corpus),
      }),
      review: async (input) => {
        if (input.kind === 'found') told.resolve(input.found);
        return { answer: null, next: [] };
      },
    });
    return told.promise;
  }

  function startWords(): void {
    const open = async () => ({ index: await generation.opened.sparse(), corpus: generation.corpus });
    start({ 'retrieval-sparse': createSparse({ expander: noExpansion, open }) });
  }

  function startMeaning(): void {
    const open = async (_: string, shard: number) => generation.opened.held(shard);
    start({ 'retrieval-dense': createDense({ encoder: models.encoder, open }) }, [0]);
  }

  function start(handlers: Handlers, shards: number[] = []): void {
    const runner = run({ handlers, redis, publisher, log });
    for (const shard of shards) runner.attend(shard);
    runners.push(runner);
  }

  async function ask(text: string): Promise<string> {
    const request = checkName(new Date());
    await publisher.publish([job(text, request)], PRIORITY.gadget);
    return request;
  }

  test('shards that other hosts hold answer, and what is found is what the command finds', async () => {
    const told = startJudging();
    startWords();
    startMeaning();
    await ask(bridge);
    const found = await told;
    expect(found).toMatchObject({ verdict: 'disputed', generation: generation.manifest.generation });
    expect(found.searched).toEqual({ shardsAsked: 2, shardsAnswered: 2, missing: [] });
    const exclusions = { reliability: await reliability.current(), allowUserGenerated: false };
    const ranker = createRanker(models.crossEncoder);
    const parts = { ...generation, ranker, generation: found.generation, wiki, exclusions };
    const claim = { text: bridge, title: '', section: [], context: '' };
    expect(found).toEqual(await find(claim, parts, new AbortController().signal));
  });

  test("a mirror on the wiki's own list stands in no column and disputes nothing", async () => {
    const told = startJudging();
    startWords();
    startMeaning();
    const list = { home: wiki, title: 'Project:Mirrors', revision: 12, timestamp: '2026-05-03T08:00:00Z' };
    const entry = { domain: 'annals.example', path: '', status: 'wiki_mirror' as const, userGenerated: false };
    await reliability.replace(wiki, 'mirrors', [
      { ...list, kind: 'mirrors', entries: [entry], patterns: [], skipped: [] },
    ]);
    await ask(bridge);
    const found = await told;
    await reliability.keepOnly(wiki, []);
    expect(found).toMatchObject({ verdict: 'supported', refutes: [] });
    expect([...found.supports, ...found.other].map(({ url }) => url)).not.toContain('https://annals.example/corran');
  });

  test('a lost shard gives a partial answer that says so', async () => {
    const told = startJudging();
    startWords();
    await ask(bridge);
    await until(async () => (await queues.count()).get('retrieval-dense-0')?.open === 1);
    await queues.giveUpUnattended(0);
    await queues.giveUpUnattended(0);
    const found = await told;
    expect(found.searched).toEqual({ shardsAsked: 2, shardsAnswered: 1, missing: ['retrieval-dense-0'] });
    expect(found.supports[0]?.url).toBe('https://bridges.example/corran');
  });

  test('a corpus that was dropped since, and one that there is not yet, are said to be not searched', async () => {
    startWords();
    startMeaning();
    const dropped = startJudging({ corpus: 'dropped' });
    await ask(bridge);
    expect(await dropped).toMatchObject({
      verdict: 'not_searched',
      searched: { shardsAsked: 2, shardsAnswered: 0, missing: ['corpus'] },
    });
    await Promise.all(runners.splice(0).map((runner) => runner.stop(100)));
    const none = startJudging({ corpus: 'none' });
    await ask(bridge);
    expect(await none).toMatchObject({ verdict: 'not_searched', generation: '', searched: { shardsAsked: 0 } });
  });

  test('a sentence in a language in which the engine was not measured is not searched for', async () => {
    const told = startJudging();
    await ask('Die alte Mühle wurde nach dem großen Hochwasser geschlossen und von den Besitzern verkauft.');
    expect(await told).toMatchObject({ verdict: 'unsupported_language', searched: { shardsAsked: 0 } });
  });

  test('what waits of a search is taken out with its name', async () => {
    const request = await ask(bridge);
    await ask('The lighthouse on Skarn Head was first lit on 12 March 1854.');
    expect(await queues.holds(request)).toBe(true);
    await queues.cancel(request);
    expect(await queues.holds(request)).toBe(false);
    expect((await queues.count()).get('find')?.open).toBe(1);
  });
});

function job(text: string, request: string): Next {
  const claim: Claim = {
    ...{ hash: hashClaim(text), text, markerOffset: text.length, context: '', section: [], title: '' },
    ...{ kind: 'sentence', trigger: null },
  };
  return { stage: 'find', input: { wiki, claim, request } };
}

/** Polls a condition; jest's own time limit is the deadline. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}
