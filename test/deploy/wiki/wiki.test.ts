import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { Mwn } from 'mwn';
import { isFree } from '../../../deploy/servers/port.ts';
import { ACCOUNTS, apiLogin } from '../../../deploy/wiki/accounts.ts';
import { installWiki, serveWiki } from '../../../deploy/wiki/wiki.ts';
import { RefuseToStart } from '../../../shared/errors.ts';
import { describeWith } from '../../support/describe-with.ts';
import { onFreePort } from '../../support/port.ts';
import { processesOfGroup } from '../../support/processes.ts';
import { startRedis } from '../../support/redis.ts';
import { startWiki, type TestWiki } from '../../support/wiki.ts';

describeWith(['wiki', 'redis'], 'a real wiki', () => {
  let wiki: TestWiki;
  let redis: Awaited<ReturnType<typeof startRedis>>;

  beforeAll(async () => {
    redis = await startRedis();
    wiki = await startWiki({ feedUrl: redis.url.replace(/\/0$/, '/edits') });
  });
  afterAll(async () => {
    await wiki.stop();
    await redis.stop();
  });

  test.each(Object.values(ACCOUNTS))('$name can log in and edit through the API', async (account) => {
    const editor = await logIn(wiki, account);
    const saved = await editor.save(`User:${account.name}`, 'A user page.', 'introduce myself');
    expect(saved.result).toBe('Success');
  });

  test('gives Parsoid HTML with its references', async () => {
    const editor = await logIn(wiki, ACCOUNTS.editor);
    const text =
      'The weir is low.<ref name="w">[https://weir.example Weir]</ref> It is old.<ref name="w" />\n<references />';
    const { newrevid } = await editor.save('The weir', text, 'begin');
    const html = await (await fetch(`${wiki.restUrl}/v1/revision/${newrevid}/html`)).text();
    expect(html.match(/typeof="mw:Extension\/ref"/g)).toHaveLength(2);
    expect(html).toContain('data-mw=');
  });

  test('announces an edit on its feed', async () => {
    const subscriber = new Redis(redis.url);
    await subscriber.subscribe('edits');
    const message = new Promise<string>((resolve) => subscriber.once('message', (_, text) => resolve(text)));
    await (await logIn(wiki, ACCOUNTS.bot)).save('The sluice', 'It opens.', 'begin');
    expect(JSON.parse(await message)).toMatchObject({ type: 'new', title: 'The sluice', bot: true, namespace: 0 });
    await subscriber.quit();
  });

  test('lets only the admin change the interface', async () => {
    const page = 'MediaWiki:Gadgets-definition';
    await expect((await logIn(wiki, ACCOUNTS.editor)).save(page, '* a[ResourceLoader]|a.js', '')).rejects.toThrow();
    const saved = await (await logIn(wiki, ACCOUNTS.admin)).save(page, '* a[ResourceLoader]|a.js', '');
    expect(saved.result).toBe('Success');
  });

  test('has both skins of Vector', async () => {
    for (const skin of ['vector', 'vector-2022']) {
      const page = await (await fetch(`${wiki.origin}/wiki/Main_Page?useskin=${skin}`)).text();
      expect(page).toContain(`skin-${skin} `);
    }
  });

  test('serves its style sheets and pictures, and nothing outside of them', async () => {
    const get = async (path: string) => (await fetch(wiki.origin + path)).status;
    expect(await get('/w/resources/assets/poweredby_mediawiki.svg')).toBe(200);
    expect(await get('/w/includes/Setup.php')).toBe(404);
    expect(await get('/w/skins/..%2fincludes%2fSetup.php')).toBe(404);
    expect(await get('/w/skins/..%2f..%2f..%2fpackage.json')).toBe(404);
  });
});

describeWith(['wiki'], 'a wiki on loopback', () => {
  test('two of them can start at once', async () => {
    const wikis = await Promise.all([startWiki(), startWiki()]);
    const [first, second] = wikis.map((wiki) => wiki.origin);
    expect(first).not.toBe(second);
    await Promise.all(wikis.map((wiki) => wiki.stop()));
  });

  test('leaves no process and frees its port when it is stopped', async () => {
    const wiki = await startWiki();
    await wiki.stop();
    expect(processesOfGroup(wiki.pid)).toEqual([]);
    expect(await isFree(Number(new URL(wiki.origin).port))).toBe(true);
  });

  test('refuses to start on a port that is taken', async () => {
    const wiki = await startWiki();
    const folder = await temporaryFolder();
    await installWiki(join(folder, 'wiki'));
    const port = Number(new URL(wiki.origin).port);
    const second = serveWiki({ dataDir: join(folder, 'wiki'), port, feedUrl: null });
    await expect(second).rejects.toThrow(RefuseToStart);
    await wiki.stop();
    await rm(folder, { recursive: true });
  });

  test('keeps its pages when it is installed again, and in a copy of its folder', async () => {
    const folder = await temporaryFolder();
    const dataDir = join(folder, 'wiki');
    await installWiki(dataDir);
    const first = await onFreePort((port) => serveWiki({ dataDir, port, feedUrl: null }));
    await (await logIn(first, ACCOUNTS.editor)).save('The lock', 'It is deep.', 'begin');
    await first.stop();
    await installWiki(dataDir);
    await cp(dataDir, join(folder, 'copy'), { recursive: true });
    const copy = await onFreePort((port) => serveWiki({ dataDir: join(folder, 'copy'), port, feedUrl: null }));
    expect(await (await fetch(`${copy.origin}/wiki/The_lock`)).text()).toContain('It is deep.');
    await copy.stop();
    await rm(folder, { recursive: true });
  });
});

function logIn(wiki: { origin: string }, account: (typeof ACCOUNTS)[keyof typeof ACCOUNTS]): Promise<Mwn> {
  const apiUrl = `${wiki.origin}/w/api.php`;
  return Mwn.init({ apiUrl, ...apiLogin(account), userAgent: 'Sidelight tests', silent: true });
}

function temporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'sidelight-wiki-'));
}
