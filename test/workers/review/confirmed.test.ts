import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { repositoryRoot } from '../../../shared/root.ts';
import { createConfirmedShares, decidedBands, ENOUGH, publishedBands } from '../../../workers/review/confirmed.ts';
import { findingOf, openStore, type Store } from './store.ts';

const opened: Store[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

type Said = 'accept' | 'reject' | 'cant_tell' | 'skip';

/** Findings with a score each, and what a person said of them. */
async function decided(...said: { score: number; decision: Said; verdict?: 'supported'; model?: string }[]) {
  const store = await openStore();
  opened.push(store);
  for (const [at, { score, decision, verdict = 'not_supported', model = 'verifier-2' }] of said.entries()) {
    await store.findings.record(findingOf(`Claim ${at}.`, { score, verdict, model }));
    await store.db
      .insertInto('decisions')
      .values({
        finding_id: at + 1,
        decision,
        user_id: null,
        reason: null,
        comment: null,
        created_at: '2026-05-03T12:00:00.000Z',
        verdict,
        revision: 12,
        model,
        judged: null,
        undone_at: null,
      })
      .execute();
  }
  return store.db;
}

test('of each band of the score it is counted how many citations failed, as people said', async () => {
  const db = await decided(
    { score: 0.05, decision: 'accept' },
    { score: 0.1, decision: 'reject' },
    { score: 0.12, decision: 'accept' },
    { score: 0.13, decision: 'skip' },
    { score: 0.14, decision: 'cant_tell' },
    { score: 1, decision: 'reject', verdict: 'supported' },
    { score: 0.95, decision: 'accept', verdict: 'supported' },
  );
  const bands = await decidedBands(db, 'verifier-2');
  expect(bands.map(({ decided, confirmed }) => [decided, confirmed])).toEqual([
    [1, 1],
    [2, 1],
    ...Array(7).fill([0, 0]),
    [2, 1],
  ]);
});

test('what was undone, and what another model scored, does not count', async () => {
  const db = await decided({ score: 0.2, decision: 'accept' }, { score: 0.2, decision: 'accept', model: 'other-1' });
  await db
    .updateTable('decisions')
    .set({ undone_at: '2026-05-03T12:00:01.000Z' })
    .where('finding_id', '=', 1)
    .execute();
  expect((await decidedBands(db, 'verifier-2')).every(({ decided }) => decided === 0)).toBe(true);
});

test('with fewer decisions than are enough, the published figures are told, and then no longer', async () => {
  const said = Array.from(
    { length: ENOUGH },
    (_, at) => ({ score: 0.05, decision: at < 4 ? 'reject' : 'accept' }) as const,
  );
  const db = await decided(...said.slice(1));
  const finding = { score: 0.07, model: 'verifier-2', verdict: 'not_supported' } as const;
  expect(await createConfirmedShares(db).of(finding)).toMatchObject({ source: 'published', band: { decided: 77 } });
  const more = await decided(...said);
  expect(await createConfirmedShares(more).of(finding)).toEqual({
    source: 'here',
    band: { from: 0, below: 0.1, decided: 20, confirmed: 16 },
  });
});

test('nothing is told of a model without published figures, nor of what has no score', async () => {
  const shares = createConfirmedShares(await decided());
  expect(await shares.of({ score: 0.2, model: 'other-1', verdict: 'not_supported' })).toBeNull();
  expect(await shares.of({ score: null, model: 'verifier-2', verdict: 'unavailable' })).toBeNull();
});

test('the published bands add up to the curve of the training log, and to its 456 rows', () => {
  const Curve = z.array(z.object({ below: z.number(), precision: z.number(), n: z.int() }));
  const log = readFileSync(join(repositoryRoot(), 'workers/models/training/logs/verifier.json'), 'utf8');
  const curve = z.object({ precision_curve: Curve }).parse(JSON.parse(log)).precision_curve;
  const bands = publishedBands('verifier-2');
  let [n, failed] = [0, 0];
  for (const { below, decided, confirmed } of bands) {
    n += decided;
    failed += confirmed;
    const point = curve.find((one) => Math.abs(one.below - below) < 1e-9);
    if (point !== undefined) expect([n, failed / n]).toEqual([point.n, expect.closeTo(point.precision, 2.9)]);
  }
  expect([n, failed]).toEqual([456, 292]);
});
