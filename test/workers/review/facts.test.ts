/** What the wiki says of pages that have findings: a real MediaWiki, and answers of the two extensions that it has not. */

import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createAsk } from '../../../bot/wiki.ts';
import { openWorklists } from '../../../bot/worklists/store.ts';
import { TransientError } from '../../../shared/errors.ts';
import { type FactsDependencies, readOnce, runFacts } from '../../../workers/review/facts/facts.ts';
import { createReadFacts, type PageFacts, type ReadFacts } from '../../../workers/review/facts/read.ts';
import { gainOf } from '../../../workers/review/gain.ts';
import { configOf, signIn } from '../../bot/wiki-editor.ts';
import { deferred } from '../../support/deferred.ts';
import { describeWith } from '../../support/describe-with.ts';
import { aFinding } from '../../support/examples.ts';
import { startWiki, type TestWiki } from '../../support/wiki.ts';
import { findingOf, openStore, type Store, searched } from './store.ts';

const DAY = 24 * 3600 * 1000;
const WIKI = aFinding.wiki;

describe('kept beside findings', () => {
  let store: Store;
  let folder: string;
  let asked: number[][];
  let now: number;
  beforeEach(async () => {
    store = await openStore();
    folder = await mkdtemp(join(tmpdir(), 'facts-'));
    asked = [];
    now = Date.now();
    await store.findings.record(searched(aFinding));
  });
  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });
  const reading =
    (facts: Partial<PageFacts>): ReadFacts =>
    async (pages) => {
      asked.push([...pages]);
      return new Map(pages.map((page) => [page, { views: null, projects: [], categories: [], ...facts }]));
    };
  const having = (facts: Partial<PageFacts>): FactsDependencies => ({
    ...{ db: store.db, wiki: WIKI, read: reading(facts), now: () => now },
    ...{ worklists: join(folder, 'worklists.sqlite'), log: pino({ level: 'silent' }) },
  });
  const found = async (filter: object) =>
    (await store.findings.list({ state: 'open', ...filter }, { limit: 9 })).length;

  test('views change the expected gain of a finding, also of one that comes later', async () => {
    await readOnce(having({ views: 990 }));
    await store.findings.record(findingOf('A later one.'));
    const rows = await store.findings.list({ state: 'open', viewsMin: 990, sort: 'gain' }, { limit: 9 });
    expect(rows.map(({ views, gain, finding }) => [views, gain - gainOf(finding, 990)])).toEqual([
      [990, 0],
      [990, 0],
    ]);
    expect(rows[0]?.gain).toBeCloseTo(0.8 * 0.955 * 3, 10);
  });

  test('a page is read once a day, and what it is in no more is forgotten', async () => {
    await readOnce(having({ projects: ['Mills', 'Coast'], categories: ['Bays'] }));
    await readOnce(having({ projects: [] }));
    expect(asked).toEqual([[7]]);
    expect([await found({ project: 'Mills' }), await found({ category: 'Bays' })]).toEqual([1, 1]);
    now += DAY + 1000;
    await readOnce(having({ projects: ['Coast'] }));
    expect(asked).toEqual([[7], [7]]);
    expect([
      await found({ project: 'Mills' }),
      await found({ project: 'Coast' }),
      await found({ category: 'Bays' }),
    ]).toEqual([0, 1, 0]);
  });

  test('fifty pages are asked for at once, and then the next', async () => {
    for (let page = 100; page < 155; page++)
      await store.findings.record(findingOf(`On ${page}.`, { page: { id: page, title: `P ${page}` } }));
    expect(await readOnce(having({}))).toBe(true);
    expect(await readOnce(having({}))).toBe(false);
    expect(asked.map((pages) => pages.length)).toEqual([50, 6]);
  });

  test('articles of a worklist, and of the person whose creations it lists', async () => {
    await readOnce(having({}));
    const lists = await openWorklists(join(folder, 'worklists.sqlite'));
    const source = { kind: 'creations', user: 'Ada_Orrin' } as const;
    const list = await lists.lists.add({ wiki: WIKI, name: 'By Ada', source });
    const run = await lists.runs.begin(list.id, false);
    await lists.members.list(run, [{ title: 'Orrin Bay', importance: 0 }]);
    const outcome = { kind: 'article', page: 7, title: 'Orrin Bay', importance: 0, views: null } as const;
    await lists.members.resolve(run, [{ title: 'Orrin Bay', outcome }]);
    await readOnce(having({}));
    expect([await found({ worklist: 'By Ada' }), await found({ user: 'Ada Orrin' })]).toEqual([1, 1]);
    await lists.lists.drop(list.id);
    await lists.close();
    await readOnce(having({}));
    expect([await found({ worklist: 'By Ada' }), await found({ user: 'Ada Orrin' })]).toEqual([0, 0]);
  });

  test('a wiki that is away is asked again later, and stopping does not wait for it', async () => {
    const second = deferred<void>();
    let tries = 0;
    const read: ReadFacts = async (_pages, signal) => {
      tries += 1;
      if (tries === 1) throw new TransientError('away');
      second.resolve();
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    };
    const pauses = { nextMs: 1, idleMs: 1, away: { firstMs: 1, maxMs: 1 } };
    const running = runFacts({ ...having({}), read, pauses });
    await second.promise;
    await running.stop();
    expect(tries).toBe(2);
  });
});

describe('a wiki with PageViewInfo and PageAssessments', () => {
  let server: Server;
  let queries: URLSearchParams[];
  beforeEach(async () => {
    queries = [];
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (part) => {
        body += part;
      });
      request.on('end', () => {
        const query = new URLSearchParams(`${body}&${request.url?.split('?')[1] ?? ''}`);
        queries.push(query);
        response.setHeader('content-type', 'application/json').end(JSON.stringify(answerTo(query)));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => server.close());

  /** As the extensions document their answers; views come for one page at a time. */
  function answerTo(query: URLSearchParams): object {
    if (query.get('meta') === 'siteinfo') {
      return { query: { extensions: [{ name: 'PageViewInfo' }, { name: 'PageAssessments' }] } };
    }
    const pages = [
      {
        pageid: 7,
        ns: 0,
        title: 'Orrin Bay',
        pageassessments: { Mills: { class: 'B', importance: 'Top' } },
        categories: [{ ns: 14, title: 'Kategorie:Bays' }],
      },
      { pageid: 8, ns: 0, title: 'Elm Quay' },
      { pageid: 9, missing: true },
    ];
    if (query.has('pvipcontinue')) {
      return {
        query: {
          pages: [
            { pageid: 7, title: 'Orrin Bay' },
            { pageid: 8, title: 'Elm Quay', pageviews: { '2026-05-01': 4, '2026-05-02': null } },
          ],
        },
      };
    }
    const counted = { ...pages[0], pageviews: { '2026-05-01': 100, '2026-05-02': 201, '2026-05-03': null } };
    return { continue: { pvipcontinue: 1, continue: '||' }, query: { pages: [counted, ...pages.slice(1)] } };
  }

  test('views are a day’s average, projects are those that assessed it, and talk pages are not read', async () => {
    const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/w/api.php`; // it listens on TCP
    const read = createReadFacts(createAsk({ apiUrl, userAgent: 'test' }));
    const facts = await read([7, 8, 9]);
    expect(facts.get(7)).toEqual({ views: 151, projects: ['Mills'], categories: ['Bays'] });
    expect(facts.get(8)).toEqual({ views: 4, projects: [], categories: [] });
    expect(facts.get(9)).toEqual({ views: null, projects: [], categories: [] });
    expect(queries).toHaveLength(3);
    expect(queries[1]?.get('pageids')).toBe('7|8|9');
  });
});

describeWith(['wiki'], 'a wiki without them', () => {
  let wiki: TestWiki;
  beforeAll(async () => {
    wiki = await startWiki();
  });
  afterAll(() => wiki.stop(5000));

  test('projects stand on the talk page, as templates or else as categories; hidden categories are left out', async () => {
    const editor = await signIn(wiki);
    const save = async (title: string, text: string) => {
      await editor.save(title, text);
      return title;
    };
    await save('Category:Upkeep', '__HIDDENCAT__');
    await save('Template:WikiProject Mills', 'Of interest to millers. [[Category:B-Class mill articles]]');
    await save('Template:WikiProject banner shell', '{{{1}}}');
    await save('Orrin Bay', 'A bay. [[Category:Bays of Orrin]] [[Category:Upkeep]]');
    await save('Talk:Orrin Bay', '{{WikiProject banner shell|1={{WikiProject Mills}}}}');
    await save('Elm Quay', 'A quay.');
    await save('Talk:Elm Quay', '[[Category:WikiProject Harbours articles]]');
    await save('Plain', 'Nobody talks of it.');
    const ask = createAsk(configOf(wiki));
    const ids = await idsOf(wiki, ['Orrin Bay', 'Elm Quay', 'Plain']);
    const facts = await createReadFacts(ask)([...ids, 99_999]);
    expect([...facts.values()]).toEqual([
      { views: null, projects: ['Mills'], categories: ['Bays of Orrin'] },
      { views: null, projects: ['Harbours'], categories: [] },
      { views: null, projects: [], categories: [] },
      { views: null, projects: [], categories: [] },
    ]);
  });
});

async function idsOf({ apiUrl }: TestWiki, titles: readonly string[]): Promise<number[]> {
  const query = new URLSearchParams({ action: 'query', format: 'json', formatversion: '2', titles: titles.join('|') });
  // as the API answers (formatversion 2)
  const { query: found } = (await (await fetch(`${apiUrl}?${query}`)).json()) as {
    query: { pages: { title: string; pageid: number }[] };
  };
  return titles.map((title) => found.pages.find((page) => page.title === title)?.pageid ?? 0);
}
