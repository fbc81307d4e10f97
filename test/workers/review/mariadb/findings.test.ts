/** What findings, decisions and leases do on SQLite they do on MariaDB: the same tests. */
import { describeWith } from '../../../support/describe-with.ts';
import { casesOf } from './cases.ts';
import { useMariaDb } from './ground.ts';

const cases = {
  record: await casesOf(() => import('../record.test.ts')),
  reconcile: await casesOf(() => import('../reconcile.test.ts')),
  stand: await casesOf(() => import('../stand.test.ts')),
  'source back': await casesOf(() => import('../source-back.test.ts')),
  decide: await casesOf(() => import('../decide.test.ts')),
  undo: await casesOf(() => import('../undo.test.ts')),
  leases: await casesOf(() => import('../leases.test.ts')),
  queue: await casesOf(() => import('../queue.test.ts')),
  'filters and what they find': await casesOf(() => import('../filters-found.test.ts')),
  'sequences of decisions': await casesOf(() => import('../decision-sequences.test.ts')),
  confirmed: await casesOf(() => import('../confirmed.test.ts')),
  summaries: await casesOf(() => import('../page-summary.test.ts')),
};

describeWith(['mariadb'], 'on MariaDB', () => {
  useMariaDb();
  describe.each(Object.entries(cases))('%s', (_name, declare) => declare());
});
