import { sql } from 'kysely';
import { openSql } from '../../../shared/sql.ts';
import { describeWith } from '../../support/describe-with.ts';
import { startMariaDb, type TestMariaDb } from '../../support/mariadb.ts';

describeWith(['mariadb'], 'our own MariaDB', () => {
  let server: TestMariaDb;
  beforeAll(async () => {
    server = await startMariaDb();
  }, 60_000);
  afterAll(() => server.stop());

  test('keeps its temporary tables when another one starts on the same machine', async () => {
    const db = openSql(server.url);
    const rows = db.connection().execute(async (connection) => {
      await sql`CREATE TEMPORARY TABLE held (claim TEXT) ENGINE=Aria`.execute(connection);
      await (await startMariaDb()).stop();
      await sql`DROP TEMPORARY TABLE held`.execute(connection);
      return 'still there';
    });
    expect(await rows.catch(String).finally(() => db.destroy())).toBe('still there');
  }, 60_000);
});
