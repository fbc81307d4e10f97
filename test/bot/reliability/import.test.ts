import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importDaily, importFrom } from '../../../bot/reliability/daily.ts';
import { loadLists } from '../../../deploy/sample/articles.ts';
import { freePort } from '../../../deploy/servers/port.ts';
import { parseConfig } from '../../../shared/config.ts';
import { createLogger } from '../../../shared/logger.ts';
import { whyExcluded } from '../../../workers/suggestion/reliability/exclusions.ts';
import { openReliabilityStore, type ReliabilityStore } from '../../../workers/suggestion/reliability/store.ts';
import { refusalOf, runCommand } from '../../support/command.ts';
import { describeWith } from '../../support/describe-with.ts';
import { startWiki, type TestWiki } from '../../support/wiki.ts';
import { type Editor, signIn } from '../wiki-editor.ts';

const PERENNIAL = 'Sample wiki:Reliable sources/Perennial sources/1';

describeWith(['wiki'], 'the lists of a wiki', () => {
  let server: TestWiki;
  let editor: Editor;
  let folder: string;
  let store: ReliabilityStore;
  const revisions = new Map<string, number>();

  beforeAll(async () => {
    [server, folder] = await Promise.all([startWiki(), mkdtemp(join(tmpdir(), 'sidelight-reliability-'))]);
    store = await openReliabilityStore(join(folder, 'reliability.sqlite'));
    editor = await signIn(server);
  });
  beforeAll(async () => {
    const lists = (await loadLists()).filter(({ title }) => !/:RSP[A-Z]+$/.test(title)); // templates are not read
    for (const { title, text } of lists) revisions.set(title, await editor.save(title, text));
    await importFrom(settings(), store);
  });
  afterAll(async () => {
    await server?.stop();
    await store?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const settings = (environment: Record<string, string> = {}) =>
    parseConfig({ WIKI: server.origin, DATA_DIR: folder, ...environment });
  const wiki = () => settings().wiki.id;
  const excluded = async (url: string) =>
    whyExcluded(wiki(), url, { reliability: await store.current(), allowUserGenerated: false });

  test('are read through its API, with the revision and the day that they are of', async () => {
    expect(
      (await store.current()).reliability(wiki(), 'http://harbour-gazette.localhost:8144/1961/10/last-train'),
    ).toEqual({
      status: 'generally_reliable',
      wiki: wiki(),
      list: PERENNIAL,
      revision: revisions.get(PERENNIAL),
      date: new Date().toISOString().slice(0, 10),
    });
    expect((await store.lists(wiki())).map(({ title, skipped }) => [title, skipped])).toEqual([
      [PERENNIAL, []],
      ['MediaWiki:Spam-blacklist', []],
      ['Sample wiki:Mirrors and forks/ABC', []],
    ]);
  });

  test('rule out what they deprecate, block, find unreliable or know as a mirror', async () => {
    expect(await excluded('https://averil-standard.localhost/1934/museum')).toBe('deprecated');
    expect(await excluded('https://www.averilstandard.localhost/')).toBe('deprecated');
    expect(await excluded('http://travel-tolsay.localhost:8144/walks/kettle-point')).toBe('generally_unreliable');
    expect(await excluded('http://tolsay-genealogy.localhost:8144/members')).toBe('user_generated');
    expect(await excluded('http://knitwear-news.localhost/jumpers')).toBe('blacklisted');
    expect(await excluded('http://shop.cheapferries24.localhost/')).toBe('blacklisted');
    expect(await excluded('http://allpedia.localhost:8144/wiki/Kettle_Point_Lighthouse')).toBe('wiki_mirror');
    expect(await excluded('http://rovers.localhost:8144/club/history')).toBeNull();
  });

  test('say of a part of a site what its own row says', async () => {
    expect(await excluded('http://harbour-gazette.localhost:8144/2011/11/letters')).toBe('generally_unreliable');
    expect(await excluded('http://harbour-gazette.localhost:8144/2011/11/letters-found')).toBeNull();
  });

  test('are read and shown by a command', async () => {
    const environment = { WIKI: server.origin, DATA_DIR: join(folder, 'command') };
    const imported = await runCommand(['reliability', 'import'], environment);
    expect(imported).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(PERENNIAL) });
    const url = 'http://averil-standard.localhost/1934/museum';
    const { stdout } = await runCommand(['reliability', 'show', url, '--json'], environment);
    expect(JSON.parse(stdout)).toMatchObject({ url, reliability: { status: 'deprecated' }, excluded: 'deprecated' });
  });

  test('are not read from a wiki that is away: one line says so', async () => {
    const environment = { WIKI: new URL(await nowhere()).origin, DATA_DIR: join(folder, 'refused') };
    expect(await refusalOf(['reliability', 'import'], environment)).toMatch(/api\.php does not answer/);
  });

  test('that all wikis of a farm share count, too, and are said to stand where they stand', async () => {
    await editor.save('Spam blacklist', '\\bspam\\.example\\b');
    await editor.save('Title blacklist', '.*spam-titles\\.example');
    const farm = await openReliabilityStore(join(folder, 'farm', 'reliability.sqlite'));
    const { wiki: own, reliability } = settings({ RELIABILITY_GLOBAL_WIKI: server.origin });
    await importFrom({ wiki: { ...own, id: 'farm.example' }, reliability }, farm);
    for (const [url, list] of [
      ['https://spam.example/', 'Spam blacklist'],
      ['https://spam-titles.example/', 'Title blacklist'],
    ] as const)
      expect((await farm.current()).reliability('farm.example', url)).toMatchObject({
        status: 'blacklisted',
        wiki: wiki(),
        list,
      });
    await farm.close();
  });

  test('are read again as they are then, also where they are gone', async () => {
    const row = `|- class="s-gr"\n| Board\n| {{Project:RSPSTATUS|gr}}\n| {{Project:RSPUSES|coastal-lights.localhost}}\n|}`;
    const revision = await editor.save(PERENNIAL, `{| class="wikitable"\n${row}`);
    await editor.delete('Sample wiki:Mirrors and forks/ABC');
    await importFrom(settings(), store);
    expect((await store.current()).reliability(wiki(), 'http://coastal-lights.localhost/')).toMatchObject({ revision });
    expect(await excluded('https://averil-standard.localhost/')).toBeNull();
    expect(await excluded('http://allpedia.localhost:8144/')).toBeNull();
  });

  test('are there before the bot begins, and a wiki that is away does not keep it from beginning', async () => {
    const empty = await openReliabilityStore(join(folder, 'daily', 'reliability.sqlite'));
    const daily = await importDaily(settings(), empty, createLogger('silent', 'test'));
    await daily.first;
    expect((await empty.current()).reliability(wiki(), 'http://coastal-lights.localhost/')?.status).toBe(
      'generally_reliable',
    );
    await daily.stop();
    const away = { ...settings(), wiki: { ...settings().wiki, id: 'away.example', apiUrl: await nowhere() } };
    const waiting = await importDaily(away, empty, createLogger('silent', 'test'));
    await waiting.first;
    await waiting.stop();
    expect(await empty.lists('away.example')).toEqual([]);
    await empty.close();
  });

  test('stay as they were imported while the wiki is away', async () => {
    const before = await store.lists(wiki());
    const away = { ...settings().wiki, apiUrl: await nowhere() };
    const read = await importFrom({ ...settings(), wiki: away }, store);
    expect(read.every(({ failed }) => failed !== null)).toBe(true);
    expect(await store.lists(wiki())).toEqual(before);
  });
});

async function nowhere(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}/w/api.php`;
}
