/** What routes of the API answer with, as schemas: for programs, for the document, and for what goes out. Only schemas. */
import { z } from 'zod';
import {
  ClosedBecause,
  Decision,
  DecisionReason,
  Finding,
  Page,
  UnavailableReason,
  Verdict,
} from '../../../../shared/citation.ts';
import { Id } from '../../request.ts';

/** Of every refusal and failure. */
export const Failure = z.object({
  error: z.string().describe('A code for programs'),
  message: z.string().describe('The same for people: what is wrong, and what to do'),
});

const FAILURES = {
  400: 'A field is missing, of a wrong type, or does not fit; the message begins with its name',
  401: 'Nobody is signed in, or the token does not hold',
  403: 'Whoever is signed in may not do this, or the request was not sent from a page of the session',
  404: 'There is no such thing',
  409: 'It does not fit what is there now',
  413: 'The body is too large',
  415: 'The body is of another type than JSON',
  429: 'Too many requests: the header retry-after says for how many seconds to wait',
  502: 'The wiki did not answer as it should',
  503: 'The wiki or the queues do not answer, or are kept elsewhere; nothing was changed',
} as const;
type Status = keyof typeof FAILURES;

/** By status, for `response` of a route; every route may also be asked too often. */
export function failures<const S extends Status>(...statuses: S[]): Record<S | 429, FailureAnswer> {
  const answers = {} as Record<S | 429, FailureAnswer>; // which the loop fills
  for (const status of [...statuses, 429 as const]) {
    answers[status] = { description: FAILURES[status], content: { 'application/json': { schema: Failure } } };
  }
  return answers;
}

interface FailureAnswer {
  description: string;
  content: { 'application/json': { schema: typeof Failure } };
}

/** A finding as people and the gadget see it: `Row` (queue.ts). */
export const FindingRow = z.object({
  id: z.int().positive(),
  state: z.enum(['open', 'accepted', 'closed']).describe('accepted: right, and not mended yet'),
  closedBecause: ClosedBecause.nullable(),
  decision: Decision.nullable().describe('The last one'),
  decidedBy: z.string().nullable().describe('Name of the person whose decision stands'),
  reopenedBecause: z.literal('source_changed').nullable(),
  createdAt: z.iso.datetime(),
  views: z.int().nonnegative().nullable().describe('Of its article, a day'),
  gain: z.number().describe('What is expected of a look at it'),
  lease: z.object({ name: z.string(), until: z.iso.datetime() }).nullable().describe('Who looks at it now'),
  finding: Finding,
});

export const Coverage = z
  .object({ claims: z.int().nonnegative(), checked: z.int().nonnegative() })
  .describe('Claims of the newest revision, and how many of them have a finding, whatever its verdict');

export const VerdictCounts = z.partialRecord(Verdict, z.int().nonnegative());

export const PastDecision = z.object({
  id: z.int().positive(),
  decision: Decision,
  by: z.string().nullable(),
  reason: DecisionReason.nullable(),
  comment: z.string().nullable(),
  at: z.iso.datetime(),
  undoneAt: z.iso.datetime().nullable(),
  verdict: Verdict.nullable().describe('What was decided on'),
  revision: z.int().nonnegative().nullable(),
  model: z.string().nullable(),
});

/** Named in the document, so that they stand there once. */
export const NAMED = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries({
  Failure,
  Finding,
  FindingRow,
  Page,
  PastDecision,
  Verdict,
  UnavailableReason,
})) {
  NAMED.add(schema, { id });
}

export const IdParams = z.object({ id: Id });
