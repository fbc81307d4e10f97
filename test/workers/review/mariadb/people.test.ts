/** What people see, keep and are told on SQLite, on MariaDB: the same tests. */
import { describeWith } from '../../../support/describe-with.ts';
import { casesOf } from './cases.ts';
import { useMariaDb } from './ground.ts';

/** Blocks of these files that are about a browser or a wiki, and not about the database. */
const WITHOUT = ['in the browser', 'the list in a browser', 'a wiki without them'];

const cases = {
  sessions: await casesOf(() => import('../session.test.ts')),
  'saved filters': await casesOf(() => import('../saved-filters.test.ts')),
  facts: await casesOf(() => import('../facts.test.ts'), WITHOUT),
  lists: await casesOf(() => import('../list.test.ts'), WITHOUT),
  insights: await casesOf(() => import('../insights.test.ts'), WITHOUT),
  'blind comparisons': await casesOf(() => import('../blind.test.ts'), WITHOUT),
  'events of the API': await casesOf(() => import('../api-events.test.ts')),
  'routes of decisions': await casesOf(() => import('../decide-routes.test.ts')),
};

describeWith(['mariadb'], 'on MariaDB', () => {
  useMariaDb();
  describe.each(Object.entries(cases))('%s', (_name, declare) => declare());
});
