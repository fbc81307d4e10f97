import { createArticles } from '../../bot/articles.ts';
import { extractClaims } from '../../bot/claims/extract.ts';
import { createWiki, type Wiki } from '../../bot/wiki.ts';
import { createLogger } from '../../shared/logger.ts';
import { type Input, type Next, stages } from '../../shared/pipeline.ts';
import { describeWith } from '../support/describe-with.ts';
import { startWiki, type TestWiki } from '../support/wiki.ts';
import { configOf, type Editor, signIn } from './wiki-editor.ts';

const stone = 'The tower was built of stone in 1804.<ref>[https://tower.example/stone The stone]</ref>';
const brick = 'Its annex is of brick.<ref>[https://tower.example/brick The brick]</ref>';
const both = 'A bell hangs in it.<ref>[https://tower.example/bell The bell]</ref><ref>Doe, p. 3</ref>';
const oneLess = both.replace('<ref>Doe, p. 3</ref>', '');
const tag = '{{Failed verification}}';
const log = createLogger('silent', 'test');
const context = {
  gathered: { sources: [], retrieval: [], coverage: { shardsAsked: 0, shardsAnswered: 0, missing: [] } },
  signal: new AbortController().signal,
};

describeWith(['wiki'], 'the claims of a revision', () => {
  let server: TestWiki;
  let wiki: Wiki;
  let editor: Editor;
  /** Id of a page. */
  let optedOut = 0;

  beforeAll(async () => {
    server = await startWiki();
    wiki = createWiki(configOf(server));
    editor = await signIn(server);
    await editor.save('Template:Failed verification', '<sup>[failed verification]</sup>');
  });
  afterAll(() => server?.stop());

  /** What the stage gives for a revision, as the wiki itself tells it. */
  async function next(revision: number, fields: Partial<Input<'articles'>> = {}): Promise<Next[]> {
    const found = await wiki.revision(revision);
    const { page, previous } = found ?? { page: { id: 99_999, title: 'Gone' }, previous: null };
    const input = { wiki: 'wiki.example', page, revision, previous, scope: 'touched' as const, ...fields };
    const isOptedOut = async (_: string, id: number) => id === optedOut;
    const articles = createArticles({
      wiki,
      extract: async (html, title) => extractClaims(html, title),
      isOptedOut,
      log,
    });
    const outcome = await articles(input, context);
    for (const job of outcome.next) expect(stages[job.stage].input.safeParse(job.input).error).toBeUndefined();
    return outcome.next;
  }

  const texts = (jobs: Next[]) => jobs.flatMap((job) => (job.stage === 'verification' ? [job.input.claim.text] : []));
  const review = (jobs: Next[]) => jobs.find((job) => job.stage === 'review')?.input;

  test('of a new page are all touched, each with one job a source', async () => {
    const revision = await editor.save('Tower A', `${stone} ${both}`);
    const jobs = await next(revision);
    expect(texts(jobs)).toEqual(['The tower was built of stone in 1804.', 'A bell hangs in it.']);
    expect(jobs.map((job) => job.children?.length ?? 0)).toEqual([0, 1, 2]);
    expect(review(jobs)).toMatchObject({ kind: 'revision', revision, claims: 2, checking: 2 });
  });

  test('that an edit did not touch are anchors only', async () => {
    await editor.save('Tower B', `${stone} ${both}`);
    const jobs = await next(await editor.save('Tower B', `${stone} ${brick} ${both}`));
    expect(texts(jobs)).toEqual(['Its annex is of brick.']);
    expect(review(jobs)).toMatchObject({ claims: 3, checking: 1 });
    expect(review(jobs)).toHaveProperty('anchors.length', 3);
  });

  test('are touched by new words, another source, one source less, or a tag, and by nothing else', async () => {
    const [stone1805, clay] = [stone.replace('1804', '1805'), brick.replace('/brick', '/clay')];
    const touchedBy = async (text: string) => texts(await next(await editor.save('Tower C', text)));
    await editor.save('Tower C', `${stone} ${brick} ${both}`);
    expect(await touchedBy(`${stone1805} ${brick} ${both}`)).toEqual(['The tower was built of stone in 1805.']);
    expect(await touchedBy(`${stone1805} ${clay} ${both}`)).toEqual(['Its annex is of brick.']);
    expect(await touchedBy(`${stone1805} ${clay} ${oneLess}`)).toEqual(['A bell hangs in it.']);
    expect(await touchedBy(`${stone1805}${tag} ${clay} ${oneLess}`)).toEqual(['The tower was built of stone in 1805.']);
    expect(await touchedBy(`${stone1805}${tag}  ${clay}\n${oneLess} The end.`)).toEqual([]);
  });

  test('are touched by an archived copy that is added: the source may be readable now', async () => {
    const cited = (more: string) => `The tower leans.<ref>{{cite web |url=http://tower.example/lean${more}}}</ref>`;
    await editor.save('Tower I', cited(''));
    const archived = cited(' |archive-url=https://web.archive.org/web/2020/http://tower.example/lean');
    expect(texts(await next(await editor.save('Tower I', archived)))).toEqual(['The tower leans.']);
  });

  test('are touched by new words in a sentence that they lean on', async () => {
    const leaning = (text: string) => `${text} It was sold in 1902.<ref>[https://tower.example/sale The sale]</ref>`;
    await editor.save('Tower K', leaning('The bell was cast in iron.'));
    const jobs = await next(await editor.save('Tower K', leaning('The bell was cast in bronze.')));
    expect(texts(jobs)).toEqual(['It was sold in 1902.']);
  });

  test('are all wanted where a worklist or a person asks', async () => {
    await editor.save('Tower D', `${stone} ${brick}`);
    const revision = await editor.save('Tower D', `${stone} ${brick} The end.`);
    expect(texts(await next(revision))).toEqual([]);
    expect(texts(await next(revision, { scope: 'all' }))).toHaveLength(2);
  });

  test('are anchors only after a revert: nothing is verified, but findings follow', async () => {
    await editor.save('Tower H', `${stone} ${brick}`);
    const jobs = await next(await editor.save('Tower H', stone), { scope: 'none' });
    expect(texts(jobs)).toEqual([]);
    expect(review(jobs)).toMatchObject({ claims: 1, checking: 0 });
  });

  test('are all touched where nobody can read the revision before', async () => {
    const hidden = await editor.save('Tower E', stone);
    const revision = await editor.save('Tower E', `${stone} ${brick}`);
    await editor.hide(hidden);
    expect(texts(await next(revision))).toHaveLength(2);
    expect(texts(await next(revision, { previous: 999_999 }))).toHaveLength(2);
  });

  test('are searched for a better source at once where editors tagged them', async () => {
    const jobs = await next(await editor.save('Tower F', `${stone}${tag} ${brick}`));
    const suggest = jobs.flatMap((job) => (job.stage === 'verification' ? [job.input.suggest] : []));
    expect(suggest).toEqual(['always', 'below_threshold']);
  });

  test('that stand twice behind the same source are one', async () => {
    const jobs = await next(await editor.save('Tower G', `${stone}\n\n${stone}`));
    expect(texts(jobs)).toHaveLength(1);
    expect(review(jobs)).toMatchObject({ claims: 1, checking: 1 });
  });

  test('without any text are none, and close what was found before', async () => {
    const jobs = await next(await editor.save('Tower H', ''));
    expect(jobs).toMatchObject([{ stage: 'review', input: { kind: 'revision', anchors: [], claims: 0, checking: 0 } }]);
  });

  test('are unknown where its text is hidden or too long: nothing comes next', async () => {
    const hidden = await editor.save('Tower I', stone);
    await editor.save('Tower I', brick);
    await editor.hide(hidden);
    expect(await next(hidden)).toEqual([]);
    const small = createWiki(configOf(server), { maxBytes: 1000 });
    const articles = createArticles({ wiki: small, extract: async (html, title) => extractClaims(html, title), log });
    const page = { id: 1, title: 'Tower I' };
    const input = { wiki: 'wiki.example', page, revision: hidden + 1, previous: null, scope: 'all' as const };
    expect((await articles(input, context)).next).toEqual([]);
  });

  test('of a deleted page are closed', async () => {
    const revision = await editor.save('Tower J', stone);
    const page = (await wiki.revision(revision))?.page;
    await editor.delete('Tower J');
    const jobs = await next(revision, page === undefined ? {} : { page });
    expect(jobs).toEqual([
      { stage: 'review', input: { kind: 'page_deleted', wiki: 'wiki.example', page, event: `revision-${revision}` } },
    ]);
  });

  test('of a revision that never was, on a page that is, are nothing', async () => {
    const page = (await wiki.latestRevision('Tower A'))?.page;
    expect(await next(999_999, page === undefined ? {} : { page })).toEqual([]);
  });

  test('of a page that opted out findings follow, and only what a person asks for is checked', async () => {
    const revision = await editor.save('Opted out', stone);
    optedOut = (await wiki.revision(revision))?.page.id ?? 0;
    const stagesOf = async (fields: Partial<Input<'articles'>>) =>
      (await next(revision, fields)).map(({ stage }) => stage);
    expect(await stagesOf({})).toEqual(['review']);
    expect(await stagesOf({ scope: 'all', request: 'w1_1' })).toEqual(['review', 'verification']);
    optedOut = 0;
    expect(await stagesOf({})).toEqual(['review', 'verification']);
  });
});
