/**
 * The last phase of a run: hands its articles on, some at a time, while little of what waits was handed on before; then waits
 * until all of them are read. Publishes nothing itself.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Next } from '../../shared/pipeline.ts';
import { type ArticleAt, articleJob } from './articles.ts';
import type { LatestPage } from './latest.ts';
import type { Enqueued, Member } from './members.ts';
import type { WorklistsOptions } from './step.ts';
import type { LeftOut, Run, Worklist } from './worklist.ts';

export interface Limits {
  /** Articles that are looked up or handed on in a step: 50 is what the API takes. */
  batch: number;
  /** Articles of a run that are handed on and not read yet. */
  open: number;
  /** Claims that people asked for and that are not judged yet, of all worklists and requeues. */
  claims: number;
  /** How long a step waits where these are reached, milliseconds. */
  waitMs: number;
}

export const LIMITS: Limits = { batch: 50, open: 100, claims: 1000, waitMs: 2000 };

export function createPublish({ wikiId, store, latest, backlog, model, limits = LIMITS }: WorklistsOptions) {
  return async (worklist: Worklist, run: Run, signal: AbortSignal): Promise<Next[]> => {
    const open = await store.members.open(run);
    const ready = await store.members.ready(run, Math.min(limits.batch, Math.max(0, limits.open - open)));
    if (ready.length === 0 && open === 0) return finish(run);
    if (ready.length === 0) return wait(worklist, run, 'articles_open', signal);
    if ((await backlog.claims()) >= limits.claims) return wait(worklist, run, 'claims_open', signal);
    return handOn(worklist, run, ready, signal);
  };

  async function finish(run: Run): Promise<Next[]> {
    await store.runs.end(run, 'done');
    return [];
  }

  async function wait(worklist: Worklist, run: Run, waiting: string, signal: AbortSignal): Promise<Next[]> {
    await settle(worklist, run);
    await sleep(limits.waitMs, null, { signal }).catch(() => null); // who stops the bot need not wait
    await store.runs.advance(run, () => ({ waiting }));
    return [];
  }

  /** An article whose job failed is given up; one that no queue knows any more is handed on once more. */
  async function settle(worklist: Worklist, run: Run): Promise<void> {
    const asked = (await store.members.enqueued(run)).map(async (member) => {
      const job = articleJob(worklist.wiki, run, { ...member, revision: member.revision ?? 0 });
      return { id: member.id, state: await backlog.stateOf(job) };
    });
    const states = await Promise.all(asked);
    const idsOf = (...wanted: string[]) => states.filter(({ state }) => wanted.includes(state)).map(({ id }) => id);
    await store.members.giveUp(idsOf('failed', 'done'));
    await store.members.putBack(idsOf('gone'));
  }

  async function handOn(worklist: Worklist, run: Run, ready: readonly Member[], signal: AbortSignal): Promise<Next[]> {
    const pages = ready.map(({ page }) => page);
    const now = await latest(pages, signal);
    const before = run.everything ? new Map() : await store.members.lastRead(worklist.id, pages, model);
    const plans = ready.map((member) => plan(member, now.get(member.page) ?? 'missing', before.get(member.page)));
    const articles = plans.flatMap((one) => ('article' in one ? [one.article] : []));
    const isAdvanced = await store.runs.advance(run, async ({ members }) => {
      await members.enqueue(run, articles);
      for (const one of plans) if ('reason' in one) await members.leaveOut([one.id], one.reason);
      return {};
    });
    return isAdvanced ? articles.map((article) => articleJob(wikiId, run, article)) : [];
  }
}

type Plan = { article: Enqueued & ArticleAt } | { id: number; reason: LeftOut };

function plan({ id, page }: Member, now: LatestPage | 'missing' | 'not_article', before: number | undefined): Plan {
  if (typeof now === 'string') return { id, reason: now };
  return now.revision === before ? { id, reason: 'unchanged' } : { article: { id, page, ...now } };
}
