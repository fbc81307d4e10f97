/**
 * What our queues cost: claims through sources, verification and review with handlers that do nothing, beside BullMQ alone with the
 * same jobs. One process publishes and another drains, a real Redis between them; both engines take turns.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { type Next, patrolPriority } from '../../../shared/pipeline.ts';
import { createPublisher } from '../../../shared/queue.ts';
import { connectRedis } from '../../../shared/redis.ts';
import { startRedis } from '../../support/redis.ts';
import { type Benchmark, beside, type Measured, runParts, type Size } from '../benchmark.ts';
import { median } from '../numbers.ts';
import { inTurns, timesAsFast } from '../turns.ts';
import { createBarePublisher } from './bare.ts';
import { JOBS_A_CLAIM, makeArticles } from './claims.ts';
import { Drained, type Engine } from './drain.ts';

const SCALE: Record<Size, { rounds: number; claims: number }> = {
  tiny: { rounds: 1, claims: 20 },
  quick: { rounds: 5, claims: 1000 },
  full: { rounds: 9, claims: 5000 },
};

export const queue: Benchmark = {
  name: 'queue',
  about: 'jobs a second with our payload checks and stores, beside BullMQ alone',
  parts: ['overhead'],
  run: ({ size, rounds, parts }) =>
    runParts('queue', { overhead: () => overhead(rounds ?? SCALE[size].rounds, SCALE[size].claims) }, parts),
};

async function overhead(rounds: number, claims: number): Promise<Measured> {
  const server = await startRedis();
  const [ours, bare] = [await startEngine('ours', server.url), await startEngine('bare', server.url)];
  const times = await inTurns({ ours: () => ours.run(claims), bare: () => bare.run(claims) }, rounds);
  await Promise.all([ours.stop(), bare.stop()]);
  await server.stop();
  const rate = (ms: readonly number[]) => (claims * JOBS_A_CLAIM * 1000) / median(ms);
  const compared = { ours: rate(times.ours), peer: rate(times.bare), ratio: timesAsFast(times.ours, times.bare) };
  const cpu = { ours: median(ours.cpuMs) / claims / JOBS_A_CLAIM, peer: median(bare.cpuMs) / claims / JOBS_A_CLAIM };
  const note = 'wanted: at least 0.6; three jobs a claim, from publishing to the last one done';
  const peerName = 'BullMQ alone';
  return {
    figures: { jobs: claims * JOBS_A_CLAIM, ...compared, cpu_ms_a_job: cpu },
    results: [
      {
        ...beside({ name: 'queued jobs', unit: 'jobs/s', ...compared, peerName, better: 'more', note }),
        ratio: compared.ratio,
      },
      beside({
        name: 'a queued job',
        unit: 'ms of a core',
        ...cpu,
        peerName,
        better: 'less',
        note: 'of the process that drains',
      }),
    ],
  };
}

async function startEngine(engine: Engine, redisUrl: string) {
  const child = fork(process.argv[1] ?? '', ['drain-queue', JSON.stringify({ engine, redisUrl })]);
  await told(child);
  const redis = await connectRedis(redisUrl, 'worker');
  const publisher = engine === 'ours' ? createPublisher(redis) : createBarePublisher(redis);
  const cpuMs: number[] = [];
  let round = 0;
  return {
    cpuMs,
    /** Milliseconds until all were done. */
    async run(claims: number): Promise<number> {
      round += 1;
      const articles = makeArticles(claims, round);
      child.send(claims);
      await told(child);
      const start = performance.now();
      const drained = told(child);
      for (const next of articles) await publish(publisher, next);
      const { cpuMs: spent } = Drained.parse(await drained);
      const ms = performance.now() - start;
      if (round > 1) cpuMs.push(spent); // the first round warms up
      return ms;
    },
    async stop() {
      child.disconnect();
      await Promise.all([once(child, 'exit'), publisher.close()]);
      redis.disconnect();
    },
  };
}

function publish(publisher: Pick<ReturnType<typeof createPublisher>, 'publish'>, next: readonly Next[]): Promise<void> {
  return publisher.publish(next, patrolPriority(new Date()));
}

async function told(child: ChildProcess): Promise<unknown> {
  const [message] = await once(child, 'message');
  return message;
}
