/**
 * Many documents → bulk requests, one after the other, so that whoever adds waits for Elasticsearch. In: actions. Out: those that
 * were refused for what they are. Not the client's own bulk helper, which loses a request that is refused as a whole with 429.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { TransientError } from '../../../shared/errors.ts';
import type { Elasticsearch } from './elasticsearch-connection.ts';
import { fromStatus } from './elasticsearch-errors.ts';

export interface Action {
  id: number;
  /** Null: removed. */
  document: Record<string, unknown> | null;
}

export interface Refused {
  id: number;
  /** Elasticsearch's type of error. */
  code: string;
}

/**
 * `alias`: of one index that takes writes; anything else is refused, so that no index springs up for one that was dropped. Full
 * queues are waited for, longer each time; throws TransientError when they stay full or the index takes no writes.
 */
export async function sendBulk(elasticsearch: Elasticsearch, alias: string, actions: Action[]): Promise<Refused[]> {
  const refused: Refused[] = [];
  for (const batch of toBatches(actions)) refused.push(...(await sendUntilTaken(elasticsearch, alias, batch)));
  return refused;
}

interface Line {
  id: number;
  /** One or two lines of NDJSON. */
  text: string;
}

function toBatches(actions: Action[]): Line[][] {
  const batches: Line[][] = [];
  let room = 0;
  for (const { id, document } of actions) {
    const name = { _id: String(id) };
    const text =
      document === null
        ? JSON.stringify({ delete: name })
        : `${JSON.stringify({ index: name })}\n${JSON.stringify(document)}`;
    room -= text.length;
    if (room < 0) {
      batches.push([]);
      room = BATCH_CHARACTERS - text.length;
    }
    batches.at(-1)?.push({ id, text });
  }
  return batches;
}

async function sendUntilTaken(elasticsearch: Elasticsearch, alias: string, batch: Line[]): Promise<Refused[]> {
  const refused: Refused[] = [];
  let left = batch;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (attempt > 0) await wait(FIRST_WAIT_MS * 2 ** attempt * (0.5 + Math.random() / 2));
    const failures = await send(elasticsearch, alias, left);
    left = failures.flatMap(({ line, status }) => (status === BUSY ? line : []));
    refused.push(...failures.flatMap(({ line, status, type }) => (status === BUSY ? [] : { id: line.id, code: type })));
    if (left.length === 0) return refused;
  }
  throw new TransientError(`Elasticsearch is busy: ${left.length} documents were not taken in ${ATTEMPTS} attempts`);
}

interface Failure {
  line: Line;
  status: number;
  type: string;
}

/** Items that were not done. Throws what is no fault of a document. */
async function send(elasticsearch: Elasticsearch, alias: string, lines: Line[]): Promise<Failure[]> {
  const answer = await elasticsearch.ask((client) =>
    client.bulk({ index: alias, require_alias: true, operations: lines.map((line) => line.text) }, { ignore: [BUSY] }),
  );
  const whole = WholeFailure.safeParse(answer);
  if (whole.success) return lines.map((line) => toFailure(line, BUSY, whole.data.error.type));
  const { items } = Answer.parse(answer);
  return lines.flatMap((line, at) => {
    const { status = 0, error } = Object.values(items[at] ?? {})[0] ?? {};
    return error === undefined ? [] : toFailure(line, status, error.type);
  });
}

function toFailure(line: Line, status: number, type: string): Failure {
  const ours = fromStatus(status, type);
  if (ours !== null && (status !== BUSY || type === 'cluster_block_exception')) throw ours;
  return { line, status, type };
}

const Problem = z.object({ type: z.string() });
const WholeFailure = z.object({ error: Problem });
const Answer = z.object({
  items: z.array(z.record(z.string(), z.object({ status: z.int(), error: Problem.optional() }))),
});

const BUSY = 429;
/** About 5,000 passages: what Elasticsearch advises, 5 to 15 MB, is reached without holding much. */
const BATCH_CHARACTERS = 4_000_000;
/** Together 15 to 30 s. */
const ATTEMPTS = 6;
const FIRST_WAIT_MS = 250;
