/** What was asked to be checked, and how far it is, as the API tells it to the gadget and to programs. Only schemas. */
import { z } from 'zod';
import { Page, WikiId } from '../../../shared/citation.ts';
import { Found } from '../../../shared/found.ts';
import { Anchor, RequestId } from '../../../shared/pipeline.ts';

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

/** Why a check failed. */
export const CheckFailure = z.enum([
  /** The wiki has no such page. */
  'no_page',
  /** The wiki gives no text of it that can be read: it is hidden, too large, or no article. */
  'unreadable',
  /** Its first job failed, which the log of its worker explains. */
  'failed',
]);
export type CheckFailure = z.infer<typeof CheckFailure>;

export const Check = z.object({
  id: RequestId,
  kind: z.enum(['page', 'claims', 'sentence']),
  wiki: WikiId,
  /** Of a sentence: null. Its id is 0 where the wiki has no such page. */
  page: Page.nullable(),
  revision: z.int().positive().nullable(),
  /** The sentence that is looked for; null for pages and claims. */
  sentence: z.string().nullable(),
  state: CheckState,
  /** Null unless it failed. */
  reason: CheckFailure.nullable(),
  /** Since when nothing was done of it, if that is minutes ago: it waits for workers, and is not lost. */
  idleSince: z.iso.datetime().nullable(),
  /** Jobs by stage, in the order of the stages; those that have none yet are left out. `done`: finished, those that failed too. */
  stages: z.array(
    z.object({
      stage: z.string(),
      done: z.int().nonnegative(),
      failed: z.int().nonnegative(),
      total: z.int().nonnegative(),
    }),
  ),
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
