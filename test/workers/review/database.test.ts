import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { RefuseToStart } from '../../../shared/errors.ts';
import { openReviewDatabase } from '../../../workers/review/database.ts';

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
