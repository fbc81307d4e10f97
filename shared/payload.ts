/**
 * What a job holds in Redis, by version, so that workers of two versions drain the same queues. In: what a queue gave. Out: a payload
 * of today's version. One version for all stages, and when to raise it: deploy/decisions/upgrades.md.
 */
import { z } from 'zod';
import { BrokenPayload, TransientError } from './errors.ts';
import type { Stage } from './pipeline.ts';

/** Of payload and inputs of all stages together. Whoever raises it adds a step to UPGRADES. */
export const VERSION = 2;

/** `asked`: the queues of its children, since a child that was given up leaves no trace. */
export const Payload = z.object({ version: z.literal(VERSION), input: z.unknown(), asked: z.array(z.string()) });
export type Payload = z.infer<typeof Payload>;

/** A newer program published it: a worker of its version does it. */
export class NewerPayload extends TransientError {
  override readonly name = 'NewerPayload';
}

export function toPayload(input: unknown, asked: string[] = []): Payload {
  return { version: VERSION, input, asked };
}

/** Throws NewerPayload, or BrokenPayload naming the field. */
export function readPayload(data: unknown, stage: Stage): Payload {
  const today = Payload.safeParse(data);
  if (today.success) return today.data;
  const { version } = parseOr(Versioned, data);
  if (version > VERSION) throw new NewerPayload(`version ${version}, and this program knows ${VERSION}`);
  let payload: unknown = data;
  for (let step = version; step < VERSION; step += 1) payload = UPGRADES[step]?.(payload, stage);
  return parseOr(Payload, payload);
}

export function isNewer(data: unknown): boolean {
  const { success, data: known } = Versioned.safeParse(data);
  return success && known.version > VERSION;
}

/** Throws BrokenPayload naming the first field that does not parse. */
export function parseOr<T>(schema: z.ZodType<T>, data: unknown): T {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new BrokenPayload(`${issue?.path.map(String).join('.') || 'payload'}: ${issue?.message}`);
}

const Versioned = z.object({ version: z.int().positive() });

/** By the version that each begins with, to the one after it: of the payload itself, and of the input of its stage. */
const UPGRADES: Record<number, (payload: unknown, stage: Stage) => unknown> = {
  // counted its children, and only those of `verification` had no other queue than one
  1: (payload, stage) => {
    const { input, asked } = parseOr(First, payload);
    const queues = stage === 'verification' ? new Array<string>(asked).fill('sources') : [];
    return { version: 2, input, asked: queues };
  },
};

const First = z.object({ input: z.unknown(), asked: z.int().nonnegative().max(10_000) });
