/** The same cases on each engine: SQLite, each time in a file of its own, and one MariaDB with a fresh database each time. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabasePlace } from '../../shared/sql.ts';
import { describeWith, type Need } from './describe-with.ts';
import { startMariaDb, type TestMariaDb } from './mariadb.ts';

/** `needs`: beside them. `fresh`: the place of an empty database. */
export function onEachEngine(
  name: string,
  needs: readonly Need[],
  cases: (fresh: () => Promise<DatabasePlace>, engine: 'SQLite' | 'MariaDB') => void,
): void {
  describeWith(needs, `${name} on SQLite`, () => {
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'sidelight-'));
    });
    afterAll(() => rm(folder, { recursive: true }));
    cases(async () => join(await mkdtemp(join(folder, 'fresh-')), 'store.sqlite'), 'SQLite');
  });
  describeWith(['mariadb', ...needs], `${name} on MariaDB`, () => {
    let server: TestMariaDb;
    beforeAll(async () => {
      server = await startMariaDb();
    }, 60_000);
    afterAll(() => server.stop());
    cases(() => server.freshDatabase(), 'MariaDB');
  });
}
