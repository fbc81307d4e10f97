/**
 * The first pass: until what the wiki has told is worked through. In: a running stack. Out: when it is so. Of the sample, its
 * articles first, then what its editor does with two of them; of another wiki, which may never be quiet, its first claims.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../shared/config.ts';
import type { QueueCounts } from '../../shared/queue.ts';
import { openReviewDatabase } from '../../workers/review/database.ts';
import { findPage } from '../../workers/review/page.ts';
import { latestRevisions, makeSampleEdit } from './sample.ts';
import type { Ports } from './settings.ts';
import type { Stack } from './stack.ts';

export interface PassOptions {
  onCounts(counts: Counts): void;
  say(line: string): void;
  signal: AbortSignal;
}

/** Throws the signal's reason when aborted. */
export async function firstPass(stack: Stack, ports: Ports, options: PassOptions): Promise<void> {
  const { config } = stack;
  const wait: Wait = (caughtUp) => waitUntilIdle(stack, caughtUp, options);
  await wait(async () => true); // the corpus
  await stack.listen();
  if (stack.sampleWeb === null) return waitForClaims(stack, options);
  await waitForArticles(config, ports, wait);
  const bad = await makeSampleEdit(config, ports, 'bad_citation');
  const mended = await makeSampleEdit(config, ports, 'mended_citation');
  if (!bad && !mended) return;
  options.say('… the sample editor has added a citation that fails, and mended one');
  await waitForArticles(config, ports, wait);
}

type Counts = Map<string, QueueCounts>;
/** Whether the bot has handed on everything that is waited for. */
type CaughtUp = (counts: Counts) => Promise<boolean>;
type Wait = (caughtUp: CaughtUp) => Promise<void>;

/** Until the review service knows the newest revision of each sample article, and all that followed from it. */
async function waitForArticles(config: Config, ports: Ports, wait: Wait): Promise<void> {
  const wanted = await latestRevisions(config, ports);
  const database = await openReviewDatabase(config.databases.review);
  const knows = async ([page, revision]: [number, number]) =>
    ((await findPage(database, config.wiki.id, page))?.revision ?? 0) >= revision;
  try {
    await wait(async () => (await Promise.all([...wanted].map(knows))).every(Boolean));
  } finally {
    await database.destroy();
  }
}

/** Until some claims are verified, or the first articles are through and had fewer. */
async function waitForClaims({ queues }: Stack, { onCounts, signal }: PassOptions): Promise<void> {
  for (;;) {
    const counts = await queues.count();
    onCounts(counts);
    const isThrough = (counts.get('articles')?.done ?? 0) > 0 && isIdle(counts);
    if (isThrough || (counts.get('verification')?.done ?? 0) >= FIRST_CLAIMS) return;
    await sleep(POLL_MS, undefined, { signal });
  }
}

function isIdle(counts: Counts): boolean {
  return [...counts.values()].every(({ open }) => open === 0);
}

async function waitUntilIdle({ queues }: Stack, caughtUp: CaughtUp, { onCounts, signal }: PassOptions): Promise<void> {
  for (;;) {
    // in this order: a job leaves its queue only after what comes next is in another
    const done = await caughtUp(await queues.count());
    const counts = await queues.count();
    onCounts(counts);
    if (done && isIdle(counts)) return;
    await sleep(POLL_MS, undefined, { signal });
  }
}

const POLL_MS = 200;
const FIRST_CLAIMS = 20;
