import { createArticles } from '../../bot/articles.ts';
import { extractClaims } from '../../bot/claims/extract.ts';
import { createWiki, type Wiki } from '../../bot/wiki.ts';
import type { ClosedBecause } from '../../shared/citation.ts';
import { createLogger } from '../../shared/logger.ts';
import { type Input, jobId, type Next, stages } from '../../shared/pipeline.ts';
import { createReview } from '../../workers/review/inbox.ts';
import { describeWith } from '../support/describe-with.ts';
import { aFinding } from '../support/examples.ts';
import { startWiki, type TestWiki } from '../support/wiki.ts';
import { ALL, openStore, type Store } from '../workers/review/store.ts';
import { configOf, type Editor, signIn } from './wiki-editor.ts';

const cite = (name: string) => `<ref>[https://pier.example/${name} The ${name}]</ref>`;
const built = (name = 'plans') => `The pier was built of oak in 1871.${cite(name)}`;
const reworded = `In 1871 the pier was built, of oak.${cite('plans')}`;
const toll = `A toll was asked until 1920.${cite('toll')}`;
const log = createLogger('silent', 'test');
const context = {
  gathered: { sources: [], retrieval: [], coverage: { shardsAsked: 0, shardsAnswered: 0, missing: [] } },
  signal: new AbortController().signal,
};

describeWith(['wiki'], 'the findings of an article', () => {
  let server: TestWiki;
  let wiki: Wiki;
  let editor: Editor;
  let store: Store;

  beforeAll(async () => {
    server = await startWiki();
    wiki = createWiki(configOf(server));
    editor = await signIn(server);
  });
  afterAll(() => server?.stop());
  beforeEach(async () => {
    store = await openStore();
  });
  afterEach(() => store.close());

  /** Does jobs and what they lead to, but for verification, which finds every claim unsupported. Gives the ids of all. */
  async function work(jobs: readonly Next[]): Promise<string[]> {
    const articles = createArticles({ wiki, extract: async (html, title) => extractClaims(html, title), log });
    const review = createReview({ findings: store.findings });
    const done: string[] = [];
    for (const queue = [...jobs]; queue.length > 0; ) {
      const job = queue.shift();
      if (job === undefined) break;
      expect(stages[job.stage].input.safeParse(job.input).error).toBeUndefined();
      done.push(jobId(job));
      if (job.stage === 'articles') queue.push(...(await articles(job.input, context)).next);
      else if (job.stage === 'review') queue.push(...(await review(job.input, context)).next);
      else if (job.stage === 'verification') queue.push({ stage: 'review', input: found(job.input) });
    }
    return done;
  }

  function found({ wiki: name, page, revision, claim, citations }: Input<'verification'>): Input<'review'> {
    const checked = citations.map((citation) => ({ ...aFinding.citations[0], ...citation }));
    const read = { score: 0.2, reason: null, readUrl: null, archivedAt: null, reliability: null };
    const finding = { ...aFinding, wiki: name, page, revision, claim };
    return { kind: 'finding', finding: { ...finding, citations: checked.map((one) => ({ ...one, ...read })) } };
  }

  async function follow(revision: number, fields: Partial<Input<'articles'>> = {}): Promise<string[]> {
    const known = await wiki.revision(revision);
    if (known === null) throw new Error('no such revision');
    const { page, previous } = known;
    const input = { wiki: 'wiki.example', page, revision, previous, scope: 'touched' as const, ...fields };
    return work([{ stage: 'articles', input }]);
  }

  const rows = () => store.findings.list(ALL, { limit: 100 });
  const becauseOf = async (words: string): Promise<(ClosedBecause | null)[]> =>
    (await rows()).filter((row) => row.finding.claim.text.includes(words)).map((row) => row.closedBecause);
  const open = async () => (await rows()).filter((row) => row.state === 'open').map((row) => row.finding.claim.text);

  test('are fixed by another source behind their claim, which is checked', async () => {
    await follow(await editor.save('Pier A', `${built()} ${toll}`));
    await follow(await editor.save('Pier A', `${built('survey')} ${toll}`));
    expect((await becauseOf('1871')).sort()).toEqual(['fixed', null].sort());
    expect(await open()).toHaveLength(2);
  });

  test('are reverted with the edit that brought their claim, and those before are open again', async () => {
    await follow(await editor.save('Pier B', `${built()} ${toll}`));
    const bad = await editor.save('Pier B', `The pier was built of glass in 1999.${cite('glass')} ${toll}`);
    await follow(bad);
    expect(await becauseOf('1871')).toEqual(['removed']);
    await follow(await editor.undo('Pier B', bad), { scope: 'none', reverts: true });
    expect(await becauseOf('1999')).toEqual(['reverted']);
    expect(await becauseOf('1871')).toEqual([null]);
  });

  test('are reworded by new words, which are checked once: by the edit, or where a robot made it by itself', async () => {
    await follow(await editor.save('Pier C', `${built()} ${toll}`));
    const touched = await follow(await editor.save('Pier C', `${reworded} ${toll}`));
    expect(touched.filter((id) => id.includes('chosen'))).toEqual([]);
    expect((await becauseOf('1871')).sort()).toEqual(['reworded', null].sort());
    await follow(await editor.save('Pier D', `${built()} ${toll}`));
    const revision = await editor.save('Pier D', `${reworded} ${toll}`);
    const followed = await follow(revision, { scope: 'none' });
    expect(followed.filter((id) => id.includes('chosen'))).toHaveLength(1);
    expect(new Set(followed).size).toBe(followed.length - 1); // the revision's own review comes twice: a queue holds it once
    expect(await open()).toHaveLength(4);
    expect((await follow(revision, { scope: 'none' })).filter((id) => id.includes('chosen'))).toEqual([]);
  });

  test('follow a move, also over a redirect', async () => {
    await editor.save('Pier F', '#REDIRECT [[Pier E]]');
    await follow(await editor.save('Pier E', built()));
    await editor.move('Pier E', 'Pier F');
    const moved = await wiki.latestRevision('Pier F');
    await follow(moved?.revision ?? 0, { previous: null, scope: 'none' });
    expect((await rows()).map((row) => [row.state, row.finding.page.title])).toEqual([['open', 'Pier F']]);
  });

  test('are closed where the page leaves the articles, and open again when it comes back', async () => {
    await follow(await editor.save('Pier G', built()));
    const page = (await wiki.latestRevision('Pier G'))?.page ?? { id: 0, title: '' };
    await editor.move('Pier G', 'Talk:Pier G');
    await work([{ stage: 'review', input: { kind: 'page_deleted', wiki: 'wiki.example', page, event: 'log-8' } }]);
    expect(await becauseOf('1871')).toEqual(['page_deleted']);
    await editor.move('Talk:Pier G', 'Pier G');
    const back = await wiki.latestRevision('Pier G');
    await follow(back?.revision ?? 0, { previous: null, scope: 'none' });
    expect(await becauseOf('1871')).toEqual([null]);
  });

  test('are closed when the page is deleted, and open again once it is restored, without any edit', async () => {
    const revision = await editor.save('Pier H', `${built()} ${toll}`);
    await follow(revision);
    const page = (await wiki.revision(revision))?.page ?? { id: 0, title: '' };
    await editor.delete('Pier H');
    await work([{ stage: 'review', input: { kind: 'page_deleted', wiki: 'wiki.example', page, event: 'log-8' } }]);
    expect(await open()).toEqual([]);
    await editor.restore('Pier H');
    const restored = await wiki.currentPage(page.id);
    expect(restored?.revision).toBe(revision);
    const ids = await follow(revision, { previous: null, scope: 'none', restored: 'log-9' });
    expect(ids).toEqual([expect.stringMatching(/-none-log-9$/), expect.stringMatching(/-revision-log-9$/)]);
    expect(await open()).toHaveLength(2);
  });
});
