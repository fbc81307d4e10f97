import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, type Migration, Migrator, SqliteDialect } from 'kysely';
import type { Finding } from '../../../shared/citation.ts';
import { RefuseToStart } from '../../../shared/errors.ts';
import { Database } from '../../../shared/sql/better-sqlite3.ts';
import { openReviewDatabase } from '../../../workers/review/database.ts';
import type { Filter } from '../../../workers/review/filter.ts';
import { createFindings } from '../../../workers/review/findings.ts';
import * as first from '../../../workers/review/migrations/0001-findings.ts';
import * as second from '../../../workers/review/migrations/0002-positions.ts';
import { claimOf } from '../../../workers/review/page.ts';
import { aFinding } from '../../support/examples.ts';
import { ALL, findingOf, revisionWith, searched } from './store.ts';

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
  const orphan = { finding_id: 9, decision: 'accept', comment: null, created_at: 'now' } as const;
  await expect(db.insertInto('decisions').values(orphan).execute()).rejects.toMatchObject({
    code: 'SQLITE_CONSTRAINT_FOREIGNKEY',
  });
  await db.destroy();
});

test('what begins with reading is not overtaken by another process before it writes', async () => {
  const path = join(folder, 'review.sqlite');
  const db = await openReviewDatabase(path);
  const other = new Database(path, { timeout: 0 });
  await db.transaction().execute(async (trx) => {
    await trx.selectFrom('sessions').selectAll().execute();
    expect(() => other.exec('DELETE FROM tokens')).toThrow('database is locked');
    await trx.deleteFrom('sessions').execute();
  });
  other.exec('DELETE FROM tokens');
  other.close();
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
  const verdicts = ['partially_supported', 'not_supported', 'unsourced', 'not_supported'] as const;
  await asOf(['0001-findings'], path, async (insert) => {
    for (const [at, position] of [0.1, 8.1, 2, 0.4].entries()) {
      const verdict = verdicts[at] ?? 'supported';
      const score = verdict === 'unsourced' ? null : position % 4;
      await insert(findingOf(`${at}`, { verdict, score: score === null ? null : Math.min(score, 0.4) }), {
        position,
        deferrals: at === 1 ? 1 : 0,
      });
    }
  });
  const db = await openReviewDatabase(path);
  await createFindings(db).record(findingOf('otherwise', { verdict: 'contradicted', score: 0.9 }));
  const rows = await createFindings(db).list(ALL, { limit: 9 });
  await db.destroy();
  expect(rows.map((row) => row.finding.claim.text)).toEqual(['otherwise', '3', '0', '2', '1']);
});

test('findings of a version that knew no more than a change say that their claim is gone, and are found by their citations', async () => {
  const path = join(folder, 'review.sqlite');
  await asOf(['0001-findings', '0002-positions'], path, async (insert) => {
    await insert(findingOf('gone'), { state: 'closed', closed_because: 'changed' });
    for (let i = 0; i < 600; i += 1) await insert(findingOf(`open ${i}`));
  });
  const db = await openReviewDatabase(path);
  const findings = createFindings(db);
  expect(await findings.get(1)).toMatchObject({ closedBecause: 'removed', reopenedBecause: null });
  const { judged_at, updated_at } = await db.selectFrom('findings').selectAll().limit(1).executeTakeFirstOrThrow();
  expect(judged_at).toBe(updated_at);
  const [cited] = aFinding.citations;
  const found = await db
    .selectFrom('citations')
    .selectAll()
    .where('hash', '=', cited?.hash ?? '')
    .execute();
  expect(found).toHaveLength(601);
  await findings.reconcile(revisionWith(13, findingOf('gone')));
  expect((await findings.get(1)).state).toBe('open');
  await db.destroy();
});

test('a page of a version that knew claims by two hashes alone is followed', async () => {
  const path = join(folder, 'review.sqlite');
  const reworded = findingOf('In 1931 the mill at Orrin Bay was closed for good.');
  await asOf(['0001-findings', '0002-positions'], path, async (insert, db) => {
    await insert(aFinding);
    const { claim, citations } = claimOf(aFinding);
    const { wiki, page } = aFinding;
    const known = { wiki, page_id: page.id, title: page.title, revision: 12, claims: 1, checked: 1, deleted: 0 };
    await db
      .insertInto('pages')
      .values({ ...known, anchors: JSON.stringify([`${claim}-${citations}`]) })
      .execute();
  });
  const db = await openReviewDatabase(path);
  const next = await createFindings(db).reconcile(revisionWith(13, reworded));
  expect((await createFindings(db).get(1)).closedBecause).toBe('reworded');
  expect(next).toMatchObject([{ stage: 'articles', input: { scope: 'chosen' } }]);
  await db.destroy();
});

// tables of other versions have no types
type Tables = Record<string, Record<string, unknown>>;
type Insert = (finding: Finding, columns?: Record<string, unknown>) => Promise<void>;

/** A database as a former version had written it. */
async function asOf(
  names: string[],
  path: string,
  fill: (insert: Insert, db: Kysely<Tables>) => Promise<void>,
): Promise<void> {
  const database = new Database(path);
  database.pragma('synchronous = OFF');
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database }) });
  const getMigrations = async () =>
    Object.fromEntries(names.map((name) => [name, MIGRATIONS[name] ?? { up: async () => {} }]));
  await new Migrator({ db, provider: { getMigrations } }).migrateToLatest();
  await fill(async (finding, columns = {}) => {
    const { page, verdict, score, model, wiki, revision, reason } = finding;
    const { claim, citations } = claimOf(finding);
    const anchor = { wiki, page_id: page.id, page_title: page.title, claim_hash: claim, citations_hash: citations };
    const said = { revision, model, verdict, score, reason, finding: JSON.stringify(finding), position: 2 };
    const kept = {
      state: 'open',
      closed_because: null,
      decision: null,
      deferrals: 0,
      created_at: 'then',
      updated_at: 'then',
    };
    await db
      .insertInto('findings')
      .values({ ...anchor, ...said, ...kept, ...columns })
      .execute();
  }, db);
  await db.destroy();
}

const MIGRATIONS: Record<string, Migration> = { '0001-findings': first, '0002-positions': second };

test('what a version without a state for it had accepted waits to be mended; what had nothing to mend stays closed', async () => {
  const path = join(folder, 'review.sqlite');
  const closed = { state: 'closed', closed_because: 'decided' } as const;
  await asOf(['0001-findings', '0002-positions'], path, async (insert) => {
    await insert(findingOf('fails'), { ...closed, decision: 'accept' });
    await insert(findingOf('holds', { verdict: 'supported', score: 0.9 }), { ...closed, decision: 'accept' });
    await insert(findingOf('is fine'), { ...closed, decision: 'reject' });
    await insert(findingOf('was mended'), { state: 'closed', closed_because: 'removed', decision: 'accept' });
  });
  const db = await openReviewDatabase(path);
  const rows = await db.selectFrom('findings').select(['state', 'closed_because']).orderBy('id').execute();
  expect(rows).toEqual([
    { state: 'accepted', closed_because: null },
    closed,
    closed,
    { state: 'closed', closed_because: 'removed' },
  ]);
  await createFindings(db).reconcile(revisionWith(13, findingOf('was mended'), findingOf('fails')));
  expect(await createFindings(db).get(4)).toMatchObject({ state: 'accepted' });
  await db.destroy();
});

test('a finding of a version that did not weigh them has its suggestion, its score and its expected gain to be chosen by', async () => {
  const path = join(folder, 'review.sqlite');
  await asOf(['0001-findings', '0002-positions'], path, async (insert) => {
    await insert(findingOf('plain', { score: 0.2 }));
    await insert(searched(findingOf('better', { score: 0.4 })));
    await insert(findingOf('unread', { verdict: 'unavailable', score: null, reason: 'dead' }));
  });
  const db = await openReviewDatabase(path);
  const found = async (filter: Omit<Filter, 'state'>) =>
    (await createFindings(db).list({ state: 'open', ...filter }, { limit: 9 })).map((row) => row.finding.claim.text);
  expect(await found({ sort: 'gain' })).toEqual(['better', 'plain', 'unread']);
  expect(await found({ sort: 'score' })).toEqual(['plain', 'better', 'unread']);
  expect(await found({ suggestion: true })).toEqual(['better']);
  expect(await found({ scoreMax: 0.3 })).toEqual(['plain']);
  await db.destroy();
});
