/** The gadget put on a real wiki from the command line: what would change, what then has changed, and who may not. */

import { buildGadget, type GadgetPages } from '../../deploy/gadget/build.ts';
import { openInterface, type WikiInterface } from '../../deploy/gadget/editor.ts';
import { planPages, savePages } from '../../deploy/gadget/publish.ts';
import { ACCOUNTS, type Account, apiLogin } from '../../deploy/wiki/accounts.ts';
import { parseConfig } from '../../shared/config.ts';
import { describeWith } from '../support/describe-with.ts';
import { startWiki, type TestWiki } from '../support/wiki.ts';

const OPTIONS = { isDefault: false, language: 'en' };

describeWith(['wiki'], 'publishing the gadget', () => {
  let wiki: TestWiki;
  let pages: GadgetPages;
  beforeAll(async () => {
    [wiki, pages] = await Promise.all([startWiki(), buildGadget('https://sidelight.example')]);
  }, 60_000);
  afterAll(() => wiki?.stop());

  test('a dry run needs no account, names every page and changes none', async () => {
    const reader = await openInterface(parseConfig({ WIKI: wiki.origin }).wiki, null);
    const planned = await planPages(reader, pages, OPTIONS);
    expect(planned.map(({ title }) => title)).toEqual([
      'MediaWiki:Gadget-sidelight.js',
      'MediaWiki:Gadget-sidelight.css',
      'MediaWiki:Gadget-sidelight',
      ...Object.keys(pages.languages).map((language) => `MediaWiki:Gadget-sidelight-${language}.js`),
      'MediaWiki:Gadget-sidelight.json',
      'MediaWiki:Gadgets-definition',
    ]);
    expect(await planPages(reader, pages, OPTIONS)).toEqual(planned);
  });

  test('an account without the rights is told so by code, and nothing is changed', async () => {
    const reader = await signedIn(ACCOUNTS.reader);
    const planned = await planPages(reader, pages, OPTIONS);
    await expect(savePages(reader, planned)).rejects.toMatchObject({
      code: 'protectednamespace-interface',
      message: expect.stringContaining('interface administrator'),
    });
    expect(await reader.text('MediaWiki:Gadget-sidelight.js')).toBeNull();
  });

  test('an interface administrator publishes it, and the second time there is nothing to do', async () => {
    const admin = await signedIn(ACCOUNTS.admin);
    await savePages(admin, await planPages(admin, pages, OPTIONS));
    expect(await planPages(admin, pages, OPTIONS)).toEqual([]);
    expect(await gadgets()).toContain('sidelight');
  });

  test('a wrong password, and a wiki that is away, are told apart', async () => {
    const { wiki: there } = parseConfig({ WIKI: wiki.origin });
    const wrong = { kind: 'bot_password' as const, username: 'Admin@sidelight', password: 'wrong' };
    await expect(openInterface(there, wrong)).rejects.toMatchObject({ name: 'RequestError', code: 'mwn_failedlogin' });
    const { wiki: away } = parseConfig({ WIKI: 'http://127.0.0.1:9' });
    await expect(openInterface(away, null)).rejects.toMatchObject({ name: 'TransientError' });
  });

  function signedIn(account: Account): Promise<WikiInterface> {
    return openInterface(parseConfig({ WIKI: wiki.origin }).wiki, { kind: 'bot_password', ...apiLogin(account) });
  }

  /** As the wiki itself reads its definitions. */
  async function gadgets(): Promise<string[]> {
    const response = await fetch(`${wiki.apiUrl}?action=query&list=gadgets&gaprop=id&format=json&formatversion=2`);
    const answer = (await response.json()) as { query: { gadgets: { id: string }[] } }; // of list=gadgets
    return answer.query.gadgets.map(({ id }) => id);
  }
});
