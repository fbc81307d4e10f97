/** How far a run is: its articles by what became of them, its claims, its findings. In: the databases. Out: numbers. */
import type { Kysely } from 'kysely';
import type { Verdict } from '../../shared/citation.ts';
import type { Schema } from '../../workers/review/database.ts';
import { countFindings } from './findings.ts';
import type { WorklistStore } from './store.ts';
import type { LeftOut, Run, Worklist } from './worklist.ts';

export interface Progress {
  articles: {
    known: number;
    /** Not handed on yet. */
    waiting: number;
    /** Handed on, not read yet. */
    open: number;
    read: number;
    leftOut: Partial<Record<LeftOut, number>>;
  };
  claims: {
    /** On the articles that were read. */
    found: number;
    /** Of these, how many have a finding by now: from this run on, or one that a person decided on. */
    checked: number;
    /** Of these, how many are still being checked. */
    checking: number;
  };
  findings: { open: Partial<Record<Verdict, number>>; decided: number };
}

/** Reads some articles at a time. */
export async function progressOf(
  store: WorklistStore,
  review: Kysely<Schema>,
  { wiki }: Pick<Worklist, 'wiki'>,
  run: Run,
): Promise<Progress> {
  const progress = await countArticles(store, run);
  for (let after = 0; ; ) {
    const members = await store.members.page(run, after, PAGES);
    const last = members.at(-1);
    if (last === undefined) return progress;
    after = last.page;
    const pages = members.map(({ page }) => page);
    const { open, decided, judged } = await countFindings(review, { wiki, pages, since: run.started });
    for (const { page, checking } of members) {
      const asked = checking ?? 0;
      const checked = Math.min(asked, judged.get(page) ?? 0);
      progress.claims.checked += checked;
      progress.claims.checking += asked - checked;
    }
    progress.findings.decided += decided;
    addTo(progress.findings.open, open);
  }
}

async function countArticles(store: WorklistStore, run: Run): Promise<Progress> {
  const counted = await store.members.count(run);
  const of = (...states: string[]) =>
    sum(counted.filter(({ state }) => states.includes(state)).map((one) => one.articles));
  const leftOut = counted.flatMap(({ reason, state, articles }) =>
    state === 'left_out' && reason !== null ? [[reason, articles] as const] : [],
  );
  return {
    articles: {
      known: sum(counted.map(({ articles }) => articles)),
      waiting: of('listed', 'ready'),
      open: of('enqueued'),
      read: of('read'),
      leftOut: Object.fromEntries(leftOut),
    },
    claims: { found: sum(counted.map(({ claims }) => claims)), checked: 0, checking: 0 },
    findings: { open: {}, decided: 0 },
  };
}

function addTo(totals: Partial<Record<Verdict, number>>, counts: Partial<Record<Verdict, number>>): void {
  // Object.entries loses the key type; it is that of both
  for (const [verdict, count] of Object.entries(counts) as [Verdict, number][]) {
    totals[verdict] = (totals[verdict] ?? 0) + count;
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

const PAGES = 500;
