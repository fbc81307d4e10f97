import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Redis } from 'ioredis';
import { createDebounce } from '../../bot/debounce.ts';
import { Busy, ModelFailure } from '../../shared/errors.ts';
import { createLogger } from '../../shared/logger.ts';
import type { Handlers } from '../../shared/pipeline.ts';
import { createPublisher, type Publisher } from '../../shared/queue.ts';
import { connectRedis } from '../../shared/redis.ts';
import { type Runner, run } from '../../shared/runner.ts';
import { span, startTracing, traced } from '../../shared/tracing.ts';
import { deferred } from '../support/deferred.ts';
import { describeWith } from '../support/describe-with.ts';
import { aCitation, aClaim, aFinding } from '../support/examples.ts';
import { type RunningRedis, startRedis } from '../support/redis.ts';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  status?: { code?: number };
  name: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
  events: unknown[];
}

const SECRET_TEXT = 'Orrin Bay lost its ferry in 1931';
const place = { wiki: 'wiki.example', page: { id: 7, title: 'Mill' }, revision: 12 };
const claim = { ...aClaim, text: SECRET_TEXT };
/** As OTLP numbers them. */
const [UNSET, ERROR] = [0, 2];
const nothing = { answer: null, next: [] };

describeWith(['redis'], 'a trace', () => {
  let server: RunningRedis;
  let receiver: Server;
  let redis: Redis;
  let publisher: Publisher;
  const received: Span[] = [];
  const bodies: string[] = [];

  beforeAll(async () => {
    server = await startRedis();
    receiver = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const body = Buffer.concat(parts).toString();
        bodies.push(body);
        for (const { scopeSpans } of JSON.parse(body).resourceSpans)
          for (const { spans } of scopeSpans) received.push(...spans);
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    receiver.close();
    await server.stop();
  });

  it('holds one edit from its event to its finding, and no text', async () => {
    const tracing = await startTracing(
      `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/v1/traces`,
      'test',
    );
    redis = await connectRedis(server.url, 'worker');
    publisher = createPublisher(redis);
    const ended = deferred<void>();
    const runner = run({ handlers: stages(ended.resolve), redis, publisher, log: createLogger('silent', 'test') });
    const debounce = createDebounce(redis, publisher, 0);
    const input = { ...place, previous: null, scope: 'touched' as const };
    await debounce.publish([{ next: [{ stage: 'articles', input }], priority: 4 }]);
    await ended.promise;
    await stop(runner, debounce.close);
    await tracing.stop();
    expect(traced()).toEqual({});

    const stage = (name: string) => received.filter((each) => each.name === `process ${name}`);
    const [event] = received.filter(({ name }) => name === 'event');
    const chain = ['articles', 'sources', 'verification', 'review'].map((name) => [name, stage(name)[0]] as const);
    for (const [name, found] of chain) expect([name, found?.traceId]).toEqual([name, event?.traceId]);
    expect(ancestors(stage('articles')[0])).toContain(event?.spanId);
    expect(ancestors(stage('sources')[0])).toContain(stage('articles')[0]?.spanId);
    expect(ancestors(stage('verification')[0])).toContain(stage('articles')[0]?.spanId);
    expect(ancestors(stage('review')[0])).toContain(stage('verification')[0]?.spanId);
    expect(ancestors(received.find(({ name }) => name === 'fetch'))).toContain(stage('sources')[0]?.spanId);
    expect(attributesOf(stage('verification')[0])).toMatchObject({
      wiki: 'wiki.example',
      revision: 12,
      claim: claim.hash,
      queue: 'verification',
      job: expect.stringContaining(claim.hash),
    });
    expect(bodies.join()).not.toContain('ferry');
    expect(received.filter(({ parentSpanId }) => !parentSpanId).map(({ name }) => name)).toEqual(['event']);
  });

  it('says of a stage that failed or was put off why, by a code', async () => {
    received.length = 0;
    const tracing = await startTracing(
      `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/v1/traces`,
      'test',
    );
    redis = await connectRedis(server.url, 'worker');
    publisher = createPublisher(redis);
    const [ended, outcomes] = [deferred<void>(), [new Busy(SECRET_TEXT, 1), new ModelFailure('not_finite')]];
    const verification = async () => {
      if (outcomes.length === 1) ended.resolve();
      throw outcomes.shift();
    };
    const runner = run({ handlers: { verification }, redis, publisher, log: createLogger('silent', 'test') });
    const { stage, input } = withSources();
    await publisher.publish([{ stage, input: { ...input, revision: 13 } }], 1);
    await ended.promise;
    await stop(runner, async () => undefined);
    await tracing.stop();

    const tries = received.filter(({ name }) => name === 'process verification');
    expect(tries.map((each) => [each.status?.code ?? UNSET, attributesOf(each)])).toEqual([
      [UNSET, expect.objectContaining({ outcome: 'postponed', code: 'Busy' })],
      [ERROR, expect.objectContaining({ 'error.type': 'ModelFailure:not_finite' })],
    ]);
    expect(bodies.join()).not.toContain('ferry');
  });

  function stages(end: () => void): Handlers {
    return {
      articles: async () => ({ answer: null, next: [withSources()] }),
      sources: async () => {
        await span('fetch', { host: 'paper.example' }, async () => undefined);
        return { answer: { citationHash: aCitation.hash, sourceKey: null, reason: 'dead' }, next: [] };
      },
      verification: async () => {
        const finding = { ...aFinding, ...place, claim };
        return { answer: null, next: [{ stage: 'review', input: { kind: 'finding', finding } }] };
      },
      review: async () => {
        await span('sql record', {}, async () => Promise.reject(new Error(SECRET_TEXT))).catch(() => undefined);
        end();
        return nothing;
      },
    };
  }

  function withSources() {
    const input = { ...place, claim, citations: [aCitation], article: [], suggest: 'always' as const };
    const child = { ...place, claimHash: claim.hash, citation: aCitation };
    return { stage: 'verification' as const, input, children: [{ stage: 'sources' as const, input: child }] };
  }

  async function stop(runner: Runner, closeDebounce: () => Promise<void>): Promise<void> {
    await runner.stop(5000);
    await Promise.all([closeDebounce(), publisher.close()]);
    redis.disconnect();
  }

  function ancestors(from: Span | undefined): string[] {
    const parent = received.find(({ spanId }) => spanId === from?.parentSpanId);
    return parent === undefined ? [] : [parent.spanId, ...ancestors(parent)];
  }

  function attributesOf(one: Span | undefined): Record<string, unknown> {
    return Object.fromEntries((one?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]));
  }
});
