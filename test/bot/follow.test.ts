import { createFollow } from '../../bot/follow.ts';
import { parseFeedEvent } from '../../bot/recent-changes/change.ts';
import { createWiki } from '../../bot/wiki.ts';
import { TransientError } from '../../shared/errors.ts';
import { describeWith } from '../support/describe-with.ts';
import { startWiki, type TestWiki } from '../support/wiki.ts';
import { feedDeletion, feedEdit } from './examples.ts';
import { configOf, type Editor, signIn } from './wiki-editor.ts';

const signal = () => new AbortController().signal;

describeWith(['wiki'], 'a log entry of a real wiki', () => {
  let server: TestWiki;
  let editor: Editor;

  beforeAll(async () => {
    server = await startWiki();
    editor = await signIn(server);
  });
  afterAll(() => server?.stop());

  /** What the last log entry of a type comes to, as a feed that names no page tells it. */
  async function follow(type: string) {
    const wiki = createWiki(configOf(server));
    const { rows } = await wiki.recentChanges('2020-01-01T00:00:00Z', null);
    // rows of the API itself, of which only the log's are looked at
    const entry = (rows as { logtype?: string; logid?: number; title: string }[]).findLast(
      (row) => row.logtype === type,
    );
    const fields = { title: entry?.title, log_type: type, log_action: type };
    const parsed = parseFeedEvent(feedDeletion(entry?.logid ?? 0, fields));
    if (parsed.kind !== 'change') throw new Error(JSON.stringify(parsed));
    const rules = { includeBots: false };
    return createFollow({ wikiId: 'wiki.example', wiki, rules })(parsed.change, signal());
  }

  test('of a deletion closes the page', async () => {
    await editor.save('Godwit', 'one');
    const id = (await createWiki(configOf(server)).latestRevision('Godwit'))?.page.id;
    await editor.delete('Godwit');
    const input = {
      kind: 'page_deleted',
      wiki: 'wiki.example',
      page: { id, title: 'Godwit' },
      event: expect.stringMatching(/^log-\d+$/),
    };
    expect(await follow('delete')).toEqual({ followed: 'article_gone', next: [{ stage: 'review', input }] });
  });

  test('of a move lets its findings follow, or closes them where it leaves the articles', async () => {
    await editor.save('Redshank', 'one');
    await editor.move('Redshank', 'Common redshank');
    const now = await createWiki(configOf(server)).latestRevision('Common redshank');
    const place = { wiki: 'wiki.example', page: now?.page, revision: now?.revision };
    const input = { ...place, previous: null, scope: 'none' };
    expect(now?.page.title).toBe('Common redshank');
    expect(await follow('move')).toEqual({ followed: 'reconciled', next: [{ stage: 'articles', input }] });
    await editor.move('Common redshank', 'Talk:Redshank');
    expect(await follow('move')).toMatchObject({ followed: 'article_gone', next: [{ stage: 'review' }] });
  });
});

test('a revision that is only just made may not be there yet: it is asked for again', async () => {
  const parsed = parseFeedEvent(feedEdit(5, { timestamp: Math.floor(Date.now() / 1000) }));
  if (parsed.kind !== 'change') throw new Error('does not parse');
  const wiki = { revision: async () => null, currentPage: async () => null, pageOfLog: async () => null };
  const follow = createFollow({ wikiId: 'w', wiki, rules: { includeBots: false }, lagMs: 600_000 });
  await expect(follow(parsed.change, signal())).rejects.toThrow(TransientError);
});
