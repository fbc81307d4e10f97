import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { RefuseToStart } from '../../../shared/errors.ts';
import { openReviewDatabase } from '../../../workers/review/database.ts';
import { createFindings } from '../../../workers/review/findings.ts';
import { ALL, findingOf } from './store.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'review-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('a database is made with its folder, and opened again as it was', async () => {
  const path = join(folder, 'kept', 'review.sqlite');
  await (await openReviewDatabase(path)).destroy();
  const db = await openReviewDatabase(path);
  expect(await db.selectFrom('findings').selectAll().execute()).toEqual([]);
  await db.destroy();
});

test('a decision needs a finding to stand on', async () => {
  const db = await openReviewDatabase(join(folder, 'review.sqlite'));
  const orphan = { finding_id: 9, decision: 'accept', user: null, comment: null, created_at: 'now' } as const;
  await expect(db.insertInto('decisions').values(orphan).execute()).rejects.toMatchObject({
    code: 'SQLITE_CONSTRAINT_FOREIGNKEY',
  });
  await db.destroy();
});

test('a database of a newer version is refused in one line', async () => {
  const path = join(folder, 'review.sqlite');
  await (await openReviewDatabase(path)).destroy();
  const sqlite = new Database(path);
  sqlite.prepare('INSERT INTO kysely_migration (name, timestamp) VALUES (?, ?)').run('9999-later', 'then');
  sqlite.close();
  const refusal = await openReviewDatabase(path).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(RefuseToStart);
  expect(String(refusal)).toMatch(/^[^\n]*9999-later[^\n]*$/);
});

test('findings of a version that ranked fewer verdicts take their new places', async () => {
  const path = join(folder, 'review.sqlite');
  const old = await openReviewDatabase(path);
  const findings = createFindings(old);
  await findings.record(findingOf('partly', { verdict: 'partially_supported', score: 0.1 }));
  await findings.record(findingOf('put off', { score: 0.1 }));
  await findings.record(findingOf('unsourced', { verdict: 'unsourced', score: null }));
  await findings.record(findingOf('not', { score: 0.4 }));
  await findings.decide(2, { decision: 'skip' });
  await old.destroy();
  asBefore(path, [0.1, 8.1, 2, 0.4]);
  const db = await openReviewDatabase(path);
  await createFindings(db).record(findingOf('otherwise', { verdict: 'contradicted', score: 0.9 }));
  const rows = await createFindings(db).list(ALL, { limit: 9 });
  await db.destroy();
  expect(rows.map((row) => row.finding.claim.text)).toEqual(['otherwise', 'not', 'partly', 'unsourced', 'put off']);
});

/** Positions by id, as they were before the migration that ranks all verdicts. */
function asBefore(path: string, positions: number[]): void {
  const sqlite = new Database(path);
  const update = sqlite.prepare('UPDATE findings SET position = ? WHERE id = ?');
  for (const [i, position] of positions.entries()) update.run(position, i + 1);
  sqlite.prepare("DELETE FROM kysely_migration WHERE name = '0002-positions'").run();
  sqlite.close();
}
