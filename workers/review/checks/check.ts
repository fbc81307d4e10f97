/** What was asked to be checked, and how far it is, as the API tells it to the gadget and to programs. Only schemas. */
import { z } from 'zod';
import { Page, WikiId } from '../../../shared/citation.ts';
import { Anchor, RequestId } from '../../../shared/pipeline.ts';
import { Found } from '../../find/found.ts';

/** A page, some of its claims, or a sentence that need not stand anywhere. */
export const CheckRequest = z.union([
  z.object({ kind: z.literal('page'), wiki: WikiId, title: z.string().min(1).max(512) }),
  z.object({
    kind: z.literal('claims'),
    wiki: WikiId,
    title: z.string().min(1).max(512),
    anchors: z.array(Anchor).min(1).max(50),
  }),
  z.object({
    kind: z.literal('sentence'),
    wiki: WikiId.optional(),
    /** Of the article it stands in, if it does. */
    title: z.string().max(512).optional(),
    text: z.string().trim().min(3).max(1000),
  }),
]);
export type CheckRequest = z.infer<typeof CheckRequest>;

export const CheckState = z.enum(['waiting', 'running', 'done', 'failed', 'cancelled']);
export type CheckState = z.infer<typeof CheckState>;

export const Check = z.object({
  id: RequestId,
  kind: z.enum(['page', 'claims', 'sentence']),
  wiki: WikiId,
  page: Page.nullable(),
  revision: z.int().positive().nullable(),
  state: CheckState,
  /** Jobs by stage, in the order of the stages; those that have none yet are left out. */
  stages: z.array(z.object({ stage: z.string(), done: z.int().nonnegative(), total: z.int().nonnegative() })),
  /** Claims of a page that are judged, of those that are checked; null until that is known. */
  claims: z.object({ checked: z.int().nonnegative(), total: z.int().nonnegative() }).nullable(),
  /** Seconds, from how fast it went until now; null: not known. */
  etaSeconds: z.number().nonnegative().nullable(),
  /** Of a sentence that was looked for. */
  found: Found.nullable(),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
});
export type Check = z.infer<typeof Check>;
