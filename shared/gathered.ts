/** The answers of a job's children. Of one that failed or was given up nothing is known but its queue: `coverage` names it. */
import type { Job } from 'bullmq';
import type { SearchCoverage } from './citation.ts';
import { parseOr } from './payload.ts';
import { type Gathered, Retrieved, stages } from './pipeline.ts';
import { PREFIX } from './redis.ts';

/** `asked`: the queues of its children. Throws BrokenPayload. */
export async function gather(job: Job, asked: readonly string[]): Promise<Gathered> {
  const sources: Gathered['sources'] = [];
  const retrieval: Gathered['retrieval'] = [];
  const answered = new Set<string>();
  for (const [key, value] of asked.length === 0 ? [] : Object.entries(await job.getChildrenValues())) {
    const queue = asked.find((name) => key.startsWith(`${PREFIX}:${name}:`)) ?? '';
    answered.add(queue);
    if (queue === 'sources') sources.push(parseOr(stages.sources.answer, value));
    else retrieval.push({ ...parseOr(Retrieved, value), arm: queue === 'retrieval-sparse' ? 'sparse' : 'dense' });
  }
  return { sources, retrieval, coverage: cover(asked, answered, retrieval) };
}

/** Counted in parts of indices; a retriever without an answer is one part. */
function cover(
  asked: readonly string[],
  answered: ReadonlySet<string>,
  retrieval: readonly Retrieved[],
): SearchCoverage {
  const missing = asked.filter((queue) => queue.startsWith('retrieval-') && !answered.has(queue));
  const parts = retrieval.map(({ shards }) => shards);
  return {
    shardsAsked: missing.length + parts.reduce((sum, { asked: count }) => sum + count, 0),
    shardsAnswered: parts.reduce((sum, { answered: count }) => sum + count, 0),
    missing,
  };
}
