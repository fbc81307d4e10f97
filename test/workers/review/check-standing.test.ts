import fc from 'fast-check';
import { STAGE_NAMES } from '../../../shared/pipeline.ts';
import type { CheckProgress, StageProgress } from '../../../shared/progress.ts';
import { Check } from '../../../workers/review/checks/check.ts';
import { IDLE_MS, type Known, standingOf } from '../../../workers/review/checks/standing.ts';
import type { CheckRow } from '../../../workers/review/checks/store.ts';

const began = Date.parse('2026-03-04T05:06:07.000Z');
const page: CheckRow = {
  ...{ id: 'c1', kind: 'page', wiki: 'wiki.example', page_id: 7, page_title: 'Mill', revision: 12, claim: null },
  ...{ subject: '0123456789abcdef', state: 'waiting', reason: null, claims: null, found: null, finished_at: null },
  created_at: new Date(began).toISOString(),
};
const nothing: CheckProgress = { stages: [], first: null, last: null };

function told(...stages: StageProgress[]): CheckProgress {
  return { stages, first: began + 1000, last: began + 5000 };
}

function stage(name: StageProgress['stage'], done: number, total: number, failed = 0): StageProgress {
  return { stage: name, done, failed, total };
}

function standing(known: Partial<Known>): Check {
  return standingOf({ row: page, progress: nothing, judged: 0, isLost: false, now: began + 6000, ...known });
}

test('whatever is told, a check is one that its schema accepts, and its remaining time is a number that is not negative', () => {
  const numbers = fc.nat(50);
  const stages = fc.uniqueArray(
    fc.record({ stage: fc.constantFrom(...STAGE_NAMES), done: numbers, failed: numbers, total: numbers }),
    { selector: (one) => one.stage },
  );
  const time = fc.option(fc.integer({ min: began, max: began + 10 ** 7 }));
  const known = fc.record({
    progress: fc.record({ stages, first: time, last: time }),
    judged: numbers,
    claims: fc.option(numbers),
    state: fc.constantFrom('waiting' as const, 'running' as const, 'done' as const, 'cancelled' as const),
    isLost: fc.boolean(),
    now: fc.integer({ min: began, max: began + 10 ** 7 }),
  });
  fc.assert(
    fc.property(known, ({ claims, state, ...others }) => {
      const check = Check.parse(standing({ row: { ...page, claims, state }, ...others }));
      if (check.claims !== null) expect(check.claims.checked).toBeLessThanOrEqual(check.claims.total);
      const isOver = check.finishedAt !== null;
      expect(isOver).toBe(['done', 'failed', 'cancelled'].includes(check.state));
      if (isOver) expect([check.etaSeconds, check.idleSince]).toEqual([null, null]);
      if (state === 'done' || state === 'cancelled') expect(check.state).toBe(state);
    }),
  );
});

test('it waits, runs, and is over when no job of it is left', () => {
  expect(standing({ progress: { ...nothing, stages: [stage('articles', 0, 1)] } }).state).toBe('waiting');
  const running = told(stage('articles', 1, 1), stage('verification', 1, 3));
  expect(standing({ progress: running, row: { ...page, claims: 3 }, judged: 1 })).toMatchObject({
    state: 'running',
    claims: { checked: 1, total: 3 },
  });
  const through = told(stage('articles', 1, 1), stage('verification', 3, 3, 1));
  expect(standing({ progress: through, row: { ...page, claims: 3 }, judged: 2 })).toMatchObject({
    state: 'done',
    claims: { checked: 2, total: 3 },
    finishedAt: new Date(began + 5000).toISOString(),
  });
});

test('all claims are judged, and yet it runs while better sources are looked for', () => {
  const progress = told(stage('articles', 1, 1), stage('verification', 3, 3), stage('suggestion', 1, 2));
  expect(standing({ progress, row: { ...page, claims: 3 }, judged: 3 }).state).toBe('running');
});

test('a page that was read without a word of its claims is unreadable; one whose reading failed has failed', () => {
  expect(standing({ progress: told(stage('articles', 1, 1)) })).toMatchObject({
    state: 'failed',
    reason: 'unreadable',
  });
  expect(standing({ progress: told(stage('articles', 1, 1, 1)) })).toMatchObject({ state: 'failed', reason: 'failed' });
});

test('how long it takes is said from the first jobs on, not before', () => {
  const at = (done: number) => {
    const progress = told(stage('articles', 1, 1), stage('sources', done - 1, 20));
    return standing({ progress, now: began + 1000 + 8000 }).etaSeconds;
  };
  expect(at(4)).toBeNull();
  expect(at(5)).toBe(32); // 4 more in 8 s, 16 left
});

test('the slowest stage says how long it takes, however fast the others were', () => {
  const progress = told(stage('articles', 1, 1), stage('sources', 40, 40), stage('verification', 2, 11));
  expect(standing({ progress, now: began + 1000 + 8000 }).etaSeconds).toBe(36); // 2 in 8 s, 9 left
});

test('one of which nothing was heard for minutes waits for workers, and is not over', () => {
  const progress = told(stage('articles', 1, 1), stage('verification', 1, 3));
  const now = began + 5000 + IDLE_MS;
  expect(standing({ progress, now: now - 1 }).idleSince).toBeNull();
  expect(standing({ progress, now })).toMatchObject({
    state: 'running',
    idleSince: new Date(began + 5000).toISOString(),
  });
  expect(standing({ progress, now, isLost: true, row: { ...page, claims: 3 }, judged: 1 })).toMatchObject({
    state: 'done',
    claims: { checked: 1, total: 3 },
  });
});
