/**
 * A storm: far more edits than a fleet can check, for minutes, and what becomes of queues and memory. In: --seconds, --rate (edits a
 * second), --limit (QUEUE_LIMIT), --quiet (DEBOUNCE). Out: one JSON object. The fleet's handlers only take their time: 50 ms a claim.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createDebounce } from '../../bot/debounce.ts';
import type { Asked } from '../../bot/listen.ts';
import { createLogger } from '../../shared/logger.ts';
import { type Handlers, type Input, type Next, PRIORITY, patrolPriority } from '../../shared/pipeline.ts';
import { createPressure, droppedByRule } from '../../shared/pressure.ts';
import { createPublisher, openQueues } from '../../shared/queue.ts';
import { connectRedis } from '../../shared/redis.ts';
import { run } from '../../shared/runner.ts';
import { aCitation, aClaim } from '../support/examples.ts';
import { startRedis } from '../support/redis.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    rate: { type: 'string', default: '1000' },
    limit: { type: 'string', default: '10000' },
    quiet: { type: 'string', default: '60' },
  },
});
const [seconds, rate, limit, quiet] = [values.seconds, values.rate, values.limit, values.quiet].map(Number) as [
  number, // each has a default
  number,
  number,
  number,
];
const CLAIMS = 5;

const server = await startRedis();
const redis = await connectRedis(server.url, 'worker');
const publisher = createPublisher(redis);
const queues = openQueues(redis);
const pressure = createPressure(redis, limit);
const debounce = createDebounce(redis, publisher, quiet * 1000, pressure);
const done = { patrol: 0, asked: 0, claims: 0 };
const most = { jobs: {} as Record<string, number>, redisBytes: 0, residentBytes: 0 };

const handlers: Handlers = {
  async articles(input) {
    done[input.request === undefined ? 'patrol' : 'asked'] += 1;
    return { answer: null, next: Array.from({ length: CLAIMS }, (_, at) => verification(input, at)) };
  },
  async sources({ citation }) {
    return { answer: { citationHash: citation.hash, sourceKey: null, reason: 'dead' }, next: [] };
  },
  async verification() {
    await sleep(50);
    done.claims += 1;
    return { answer: null, next: [] };
  },
};
const runner = run({ handlers, redis, publisher, log: createLogger('warn', 'storm'), admit: pressure.admit });

const begun = Date.now();
let [sent, asked, late] = [0, 0, 0];
for (let second = 0; second < seconds; second += 1) {
  const edits = Array.from({ length: rate }, (_, at) => edit(sent + at + 1));
  sent += rate;
  for (let from = 0; from < rate; from += 200) await debounce.publish(edits.slice(from, from + 200));
  const priority = [PRIORITY.gadget, PRIORITY.requeue, PRIORITY.worklist][second % 3] ?? PRIORITY.gadget;
  if (second % 10 === 0) {
    asked += 1;
    await publisher.publish([{ stage: 'articles', input: article(asked, 'w1_1') }], priority);
  }
  await look();
  const ahead = begun + (second + 1) * 1000 - Date.now();
  if (ahead > 0) await sleep(ahead);
  late = Math.max(late, -ahead);
}
const stormed = Date.now() - begun;
while (done.asked < asked) await sleep(100);
await runner.stop(5000);
const { open: waiting = 0 } = (await queues.count()).get('articles') ?? {};
const dropped = await droppedByRule(redis);
const settings = { seconds, rate, limit, quietSeconds: quiet };
const missing = sent - done.patrol - dropped.oldest_due - dropped.oldest_held - waiting;
process.stdout.write(
  `${JSON.stringify({ settings, stormedMs: stormed, latestMs: late, sent, done, asked, dropped, waiting, missing, most })}\n`,
);
await Promise.all([debounce.close(), pressure.close(), publisher.close(), queues.close()]);
redis.disconnect();
await server.stop();
process.exit(0);

async function look(): Promise<void> {
  for (const [queue, { open }] of await queues.count()) most.jobs[queue] = Math.max(most.jobs[queue] ?? 0, open);
  const used = Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]);
  most.redisBytes = Math.max(most.redisBytes, used);
  most.residentBytes = Math.max(most.residentBytes, process.memoryUsage.rss());
}

function article(id: number, request?: string): Input<'articles'> {
  const page = { id, title: `Mill ${id}` };
  const by = request === undefined ? {} : { request };
  return { wiki: 'wiki.example', page, revision: id, previous: null, scope: 'touched', ...by };
}

function edit(id: number): Asked {
  return { next: [{ stage: 'articles', input: article(id) }], priority: patrolPriority(new Date()) };
}

function verification({ wiki, page, revision, request }: Input<'articles'>, at: number): Next {
  const by = { wiki, page, revision, ...(request !== undefined && { request }) };
  const claim = { ...aClaim, hash: `${at}${aClaim.hash.slice(1)}` };
  return {
    stage: 'verification',
    input: { ...by, claim, citations: [aCitation], article: [], suggest: 'below_threshold' },
    children: [{ stage: 'sources', input: { ...by, claimHash: claim.hash, citation: aCitation } }],
  };
}
