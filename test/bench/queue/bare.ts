/** The peer: the same jobs with BullMQ alone, as its documentation has it. Nothing is parsed, nothing counted, nothing cancelled. */
import { FlowProducer, type Job, Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { type Next, queueOf } from '../../../shared/pipeline.ts';
import { findingOf } from './claims.ts';

export const BARE = 'bare';

export function createBarePublisher(redis: Redis) {
  const producer = new FlowProducer({ connection: redis, prefix: BARE });
  const toFlow = (job: Next): Parameters<FlowProducer['add']>[0] => ({
    ...{ name: job.stage, queueName: queueOf(job), data: job.input },
    children: (job.children ?? []).map(toFlow),
  });
  return {
    publish: async (next: readonly Next[]) => void (await producer.addBulk(next.map(toFlow))),
    close: () => producer.close(),
  };
}

/** As many at a time as ours. */
export function drainBare(redis: Redis, onReviewed: () => void) {
  const reviews = new Queue('review', { connection: redis, prefix: BARE });
  const work = (queue: string, concurrency: number, handle: (job: Job) => Promise<unknown>) =>
    new Worker(queue, handle, { connection: redis, prefix: BARE, concurrency });
  work('sources', 16, async ({ data }) => ({ citationHash: data.citation.hash, sourceKey: null, reason: null }));
  work('verification', 1, async (job) => {
    await job.getChildrenValues();
    await reviews.add('review', { kind: 'finding', finding: findingOf(job.data) });
    return null;
  });
  work('review', 4, async () => {
    onReviewed();
    return null;
  });
}
