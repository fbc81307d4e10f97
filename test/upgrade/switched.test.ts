import type { Redis } from 'ioredis';
import { createLogger } from '../../shared/logger.ts';
import { type Handlers, type Next, PRIORITY, type Priority } from '../../shared/pipeline.ts';
import { createPublisher, openQueues, type Publisher, type Queues } from '../../shared/queue.ts';
import { connectRedis } from '../../shared/redis.ts';
import { type Runner, run } from '../../shared/runner.ts';
import { buildGeneration } from '../../workers/retrieval/corpus/build.ts';
import { openInput } from '../../workers/retrieval/corpus/inputs/open-input.ts';
import { createOpenGenerations } from '../../workers/retrieval/corpus/open-generations.ts';
import { createDense } from '../../workers/retrieval/dense/retrieve.ts';
import { noExpansion } from '../../workers/retrieval/expansion/expander.ts';
import { createSparse } from '../../workers/retrieval/sparse/retrieve.ts';
import { createReview } from '../../workers/review/inbox.ts';
import { openSourceStore } from '../../workers/source/store.ts';
import { describeWith } from '../support/describe-with.ts';
import { aFinding } from '../support/examples.ts';
import { type RunningRedis, startRedis } from '../support/redis.ts';
import { aLine } from '../workers/retrieval/corpus/isle.ts';
import { wordEncoder } from '../workers/retrieval/corpus/word-encoder.ts';
import { openWorkshop } from '../workers/retrieval/corpus/workshop.ts';
import { ALL, findingOf, openStore, searched } from '../workers/review/store.ts';

const log = createLogger('silent', 'test');

describeWith(['redis'], 'under load', () => {
  let server: RunningRedis;
  let redis: Redis;
  let publisher: Publisher;
  let queues: Queues;
  let runners: Runner[];

  beforeAll(async () => {
    server = await startRedis();
    redis = await connectRedis(server.url, 'worker');
    publisher = createPublisher(redis);
    queues = openQueues(redis);
  });
  beforeEach(async () => {
    runners = [];
    await redis.flushall();
  });
  afterAll(async () => {
    await Promise.all([publisher?.close(), queues?.close()]);
    redis?.disconnect();
    await server?.stop();
  });

  function start(handlers: Handlers): void {
    const runner = run({ handlers, redis, publisher, log });
    if (handlers['retrieval-dense'] !== undefined) runner.attend(0);
    runners.push(runner);
  }

  async function drained(): Promise<void> {
    await until(async () => [...(await queues.count()).values()].every(({ open }) => open === 0));
    await Promise.all(runners.map((runner) => runner.stop(5000)));
    for (const { failed } of (await queues.count()).values()) expect(failed).toBe(0);
  }

  test('the corpus is switched to another generation and back: every search is answered by both arms of the one it named', async () => {
    const workshop = openWorkshop();
    const { dataDir, engine } = workshop.dependencies;
    const store = await openSourceStore(':memory:');
    for (const [at, generation] of (['first', 'second'] as const).entries()) {
      const lines = workshop.jsonl(
        `${generation}.jsonl`,
        [1, 2, 3].map((number) => aLine(number + 10 * at)),
      );
      const inputs = [await openInput(lines, store)];
      await buildGeneration(workshop.dependencies, { generation, inputs }, new AbortController().signal);
    }
    await engine.generations.switchTo('first');
    const generations = createOpenGenerations({ dataDir, engine, log });
    const open = async (name: string) => {
      const generation = await generations.open(name);
      return { index: await generation.sparse(), corpus: generation.corpus };
    };
    const found = new Map<string, Set<string>>([
      ['first', new Set()],
      ['second', new Set()],
    ]);
    const answers: { asked: number; answered: number }[] = [];
    start({
      'retrieval-sparse': createSparse({ expander: noExpansion, open }),
      'retrieval-dense': createDense({
        encoder: wordEncoder,
        open: async (name, shard) => (await generations.open(name)).held(shard),
      }),
      suggestion: async ({ generation }, { gathered: { retrieval, coverage } }) => {
        answers.push({ asked: coverage.shardsAsked, answered: coverage.shardsAnswered });
        const { corpus } = await generations.open(generation);
        const hits = retrieval.flatMap((arm) => arm.hits.slice(0, 1));
        for (const { title } of corpus.places(hits.map(({ passageId }) => passageId)))
          found.get(generation)?.add(title);
        return { answer: null, next: [] };
      },
    });
    for (let revision = 1; revision <= 60; revision += 1) {
      if (revision % 10 === 0) await engine.generations.switchTo(revision % 20 === 0 ? 'first' : 'second');
      const current = await engine.generations.current();
      await publisher.publish([search(revision, current?.generation ?? '')], PRIORITY.patrol);
    }
    await drained();
    expect(answers).toEqual(new Array(60).fill({ asked: 2, answered: 2 }));
    expect([...(found.get('first') ?? [])].every((title) => /Island [123]$/.test(title))).toBe(true);
    expect([...(found.get('second') ?? [])].every((title) => /Island 1[123]$/.test(title))).toBe(true);
    expect([...found.values()].map(({ size }) => size > 0)).toEqual([true, true]);
    await generations.close();
    await store.close();
    workshop.remove();
  });

  test('workers of two models judge the same claims, also again for a requeue: each ends with exactly one current finding', async () => {
    const store = await openStore();
    const claims = Array.from({ length: 20 }, (_, at) => `The mill of Orrin Bay had ${at + 2} wheels.`);
    for (const model of ['scorer-1', 'scorer-2']) start(judge(model));
    start({ review: createReview({ findings: store.findings }) });
    const asked: [Priority, string | undefined][] = [
      [PRIORITY.patrol, undefined],
      [PRIORITY.requeue, 'r1_a'],
      [PRIORITY.worklist, 'w1_1'],
    ];
    for (const [priority, request] of asked) {
      await publisher.publish(
        claims.map((text) => verification(text, request)),
        priority,
      );
    }
    await drained();
    const rows = await store.findings.list(ALL, { limit: 1000 });
    const current = rows.filter(({ closedBecause }) => closedBecause !== 'superseded');
    expect(current.map(({ finding }) => finding.claim.text).sort()).toEqual([...claims].sort());
    expect(new Set(rows.map(({ finding }) => finding.model))).toEqual(new Set(['scorer-1', 'scorer-2']));
    await store.close();
  });
});

/** As a worker whose MODELS_DIR holds that version: the finding, and then the finding with what was searched. */
function judge(model: string): Handlers {
  return {
    verification: async ({ claim, citations, request }) => {
      await new Promise(setImmediate);
      const cited = findingOf(claim.text).citations.slice(0, citations.length);
      const finding = { ...findingOf(claim.text, { model }), citations: cited };
      const by = request === undefined ? {} : { request };
      const next = [finding, searched(finding)].map(
        (each): Next => ({ stage: 'review', input: { kind: 'finding', finding: each, ...by } }),
      );
      return { answer: null, next };
    },
  };
}

function verification(text: string, request?: string): Next {
  const { wiki, page, revision, claim, citations } = findingOf(text);
  const cited = citations.map(({ score, reason, readUrl, archivedAt, reliability, ...citation }) => citation);
  const by = request === undefined ? {} : { request };
  return {
    stage: 'verification',
    input: { wiki, page, revision, claim, citations: cited, article: [], suggest: 'below_threshold', ...by },
  };
}

function search(revision: number, generation: string): Next {
  const { wiki, page } = aFinding;
  const claim = { ...aFinding.claim, text: 'Keeper31 rowed the boat17 to the island1 in 1701.' };
  const query = { wiki, page, claim, generation };
  const finding = { ...aFinding, revision };
  return {
    stage: 'suggestion',
    input: { finding, article: [], generation },
    children: [
      { stage: 'retrieval-sparse', input: query },
      { stage: 'retrieval-dense', input: { ...query, shard: 0 } },
    ],
  };
}

/** Polls a condition; jest's own time limit is the deadline. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}
