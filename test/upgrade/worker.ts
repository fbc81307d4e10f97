/**
 * A worker of all stages that tells Redis what it did, as a process that tests run, stop and kill. In: REDIS_URL, NAME, HANDLE, STOP_MS, LOCK_MS.
 * HANDLE says how articles are handled: `quick`, `deaf` (never ends), `slow` (ends when told to), `kill` (ends the process).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '../../shared/logger.ts';
import { type Context, type Handlers, type Input, type Next, type Outcome, stages } from '../../shared/pipeline.ts';
import { createPublisher } from '../../shared/queue.ts';
import { connectRedis } from '../../shared/redis.ts';
import { run } from '../../shared/runner.ts';
import { aCitation, aClaim } from '../support/examples.ts';

const { REDIS_URL = '', NAME = '', HANDLE = 'quick', STOP_MS = '20000', LOCK_MS = '30000' } = process.env;
const redis = await connectRedis(REDIS_URL, 'worker');
const publisher = createPublisher(redis);
const tell = (what: string) => redis.rpush('told', `${NAME} ${what}`);

const handlers: Handlers = {
  async articles(input, { signal }) {
    await tell(`articles ${input.revision} ${previousOf(input)}`);
    await endureHandling(input, signal);
    return { answer: null, next: [verification(input)] };
  },
  async sources({ citation }) {
    return { answer: { citationHash: citation.hash, sourceKey: null, reason: 'dead' }, next: [] };
  },
  async verification(input, { gathered }: Context): Promise<Outcome<'verification'>> {
    await tell(`verification ${input.revision} ${gathered.sources.length}`);
    const { wiki, page, revision } = input;
    return {
      answer: null,
      next: [{ stage: 'review', input: { kind: 'page_deleted', wiki, page, event: `revision-${revision}` } }],
    };
  },
  async review(input) {
    await tell(`review ${input.kind === 'page_deleted' ? input.event : input.kind}`);
    return { answer: null, next: [] };
  },
};

const runner = run({ handlers, redis, publisher, log: createLogger('silent', NAME), lockMs: Number(LOCK_MS) });
process.on('message', ({ from, to, priority }: { from: number; to: number; priority: number }) => {
  const all = Array.from({ length: to - from }, (_, index) => article(from + index));
  publisher.publish(all, priority).then(() => tell('published'));
});
process.once('SIGTERM', async () => {
  await runner.stop(Number(STOP_MS));
  process.exit(0);
});
process.send?.('ready');

async function endureHandling({ revision }: Input<'articles'>, signal: AbortSignal): Promise<void> {
  if (HANDLE === 'deaf') await sleep(3_600_000);
  if (HANDLE === 'slow') await sleep(3_600_000, undefined, { signal });
  if (HANDLE === 'kill' && revision === 1) process.kill(process.pid, 'SIGKILL');
}

/** In another version of the program this field has another name. */
function previousOf(input: object): unknown {
  return Reflect.get(input, fieldOfPrevious());
}

function fieldOfPrevious(): string {
  return 'before' in stages.articles.input.shape ? 'before' : 'previous';
}

function article(revision: number): Next {
  const input = { wiki: 'wiki.example', page: { id: revision, title: `Mill ${revision}` }, revision, scope: 'all' };
  return { stage: 'articles', input: stages.articles.input.parse({ ...input, [fieldOfPrevious()]: revision + 1000 }) };
}

function verification({ wiki, page, revision }: Input<'articles'>): Next {
  const at = { wiki, page, revision };
  return {
    stage: 'verification',
    input: { ...at, claim: aClaim, citations: [aCitation], article: [], suggest: 'below_threshold' },
    children: [{ stage: 'sources', input: { ...at, claimHash: aClaim.hash, citation: aCitation } }],
  };
}
