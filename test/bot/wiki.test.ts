import { createWiki, type Wiki } from '../../bot/wiki.ts';
import { TransientError } from '../../shared/errors.ts';
import { describeWith } from '../support/describe-with.ts';
import { startWiki, type TestWiki } from '../support/wiki.ts';
import { configOf, type Editor, signIn } from './wiki-editor.ts';

describeWith(['wiki'], 'a wiki', () => {
  let server: TestWiki;
  let wiki: Wiki;
  let editor: Editor;

  beforeAll(async () => {
    server = await startWiki();
    wiki = createWiki(configOf(server));
    editor = await signIn(server);
  });
  afterAll(() => server?.stop());

  test('gives the HTML of a revision, also of one that is not the latest', async () => {
    const first = await editor.save('Heron', 'A heron stands.<ref>Doe, p. 3</ref>');
    await editor.save('Heron', 'A heron flies.');
    const rendered = await wiki.parsoidHtml(first);
    if (rendered.kind !== 'html') throw new Error(rendered.kind);
    expect(rendered.html).toContain('A heron stands.');
    expect(rendered.html).toContain('typeof="mw:Extension/ref"');
  });

  test('renders wikitext without saving it, whatever its title', async () => {
    for (const title of ['Heron', 'No such page', 'AC/DC? (100% "ölig")']) {
      const rendered = await wiki.transform(title, "''Words''<ref>x</ref>");
      expect(rendered).toMatchObject({ kind: 'html', html: expect.stringContaining('>Words</i>') });
    }
  });

  test('says that a revision is missing, its page deleted, its text hidden', async () => {
    const gone = await editor.save('Short-lived', 'x');
    await editor.delete('Short-lived');
    const hidden = await editor.save('Partly hidden', 'secret');
    await editor.save('Partly hidden', 'open');
    await editor.hide(hidden);
    expect(await wiki.parsoidHtml(999_999)).toEqual({ kind: 'missing' });
    expect(await wiki.parsoidHtml(gone)).toEqual({ kind: 'missing' });
    expect(await wiki.parsoidHtml(hidden)).toEqual({ kind: 'hidden' });
  });

  test('takes no more HTML than the limit', async () => {
    const small = createWiki(configOf(server), { maxBytes: 2000 });
    const revision = await editor.save('Long', 'word '.repeat(1000));
    expect(await small.parsoidHtml(revision)).toEqual({ kind: 'too_large' });
  });

  test('tells of a revision what a feed may leave out', async () => {
    const first = await editor.save('Ibis', 'one');
    const second = await editor.save('Ibis', 'two');
    const undone = await editor.undo('Ibis', second);
    expect(await wiki.revision(first)).toMatchObject({ namespace: 0, previous: null, redirect: false });
    const last = await wiki.revision(undone);
    expect(last).toMatchObject({
      page: { title: 'Ibis' },
      previous: second,
      tags: expect.arrayContaining(['mw-undo']),
    });
    expect(await wiki.revision(999_999)).toBeNull();
  });

  test('finds the latest revision of a page through its redirects', async () => {
    const revision = await editor.save('Night heron', 'It is nocturnal.');
    const redirect = await editor.save('Night herons', '#REDIRECT [[Night heron]]');
    const found = await wiki.latestRevision('Night herons');
    expect(found).toMatchObject({ revision, page: { title: 'Night heron' } });
    expect((await wiki.revision(redirect))?.redirect).toBe(true);
    expect(await wiki.latestRevision('No such page')).toBeNull();
    expect(await wiki.latestRevision('<bad|title>')).toBeNull();
  });

  test('knows which page a log entry is about, and where that page is now', async () => {
    await editor.save('Bittern', 'x');
    const latest = await wiki.latestRevision('Bittern');
    const id = latest?.page.id ?? 0;
    expect(await wiki.currentPage(id)).toEqual({ page: latest?.page, namespace: 0, revision: latest?.revision });
    await editor.move('Bittern', 'Talk:Bittern');
    expect(await wiki.currentPage(id)).toMatchObject({ page: { id, title: 'Talk:Bittern' }, namespace: 1 });
    await editor.delete('Talk:Bittern');
    expect(await wiki.currentPage(id)).toBeNull();
    const rows = await logRows();
    expect(await wiki.pageOfLog({ title: 'Talk:Bittern', logType: 'delete', logId: rows.delete ?? 0 })).toBe(id);
    expect(await wiki.pageOfLog({ title: 'Bittern', logType: 'move', logId: rows.move ?? 0 })).toBe(id);
    expect(await wiki.pageOfLog({ title: 'Bittern', logType: 'move', logId: 999_999 })).toBeNull();
  });

  test('one that is away, or answers nonsense, is asked again later', async () => {
    for (const origin of ['http://127.0.0.1:9', `${server.origin}/nowhere`]) {
      const config = { ...configOf(server), apiUrl: `${origin}/w/api.php`, restUrl: `${origin}/w/rest.php` };
      const away = createWiki(config);
      await expect(away.revision(1)).rejects.toThrow(TransientError);
    }
    const away = createWiki({ ...configOf(server), restUrl: 'http://127.0.0.1:9/w/rest.php' });
    await expect(away.parsoidHtml(1)).rejects.toThrow(TransientError);
  });

  test('a question can be given up', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(wiki.revision(1, signal)).rejects.toThrow('enough');
    await expect(wiki.parsoidHtml(1, signal)).rejects.toThrow('enough');
  });

  /** Id of the last log entry of each type. */
  async function logRows(): Promise<Record<string, number>> {
    const { rows } = await wiki.recentChanges('2020-01-01T00:00:00Z', null);
    // rows of the API itself, of which only the log's are looked at
    const logs = (rows as { logtype?: string; logid?: number }[]).filter((row) => row.logtype !== undefined);
    return Object.fromEntries(logs.map((row) => [row.logtype, row.logid ?? 0]));
  }
});
