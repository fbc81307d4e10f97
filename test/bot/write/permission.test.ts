import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Compose, createWriter, type Writer } from '../../../bot/write/save.ts';
import type { Config } from '../../../shared/config.ts';
import { describeWith } from '../../support/describe-with.ts';
import { botConfig, quickClock, silent } from './bot.ts';
import { type GuardedWiki, startGuardedWiki } from './guarded-wiki.ts';

const OWN = 'User:SidelightBot/Report';

describeWith(['wiki'], 'what the bot may write', () => {
  let wiki: GuardedWiki;
  let dataDir: string;
  let config: Config;
  let writer: Writer;

  beforeAll(async () => {
    wiki = await startGuardedWiki();
    dataDir = await mkdtemp(join(tmpdir(), 'sidelight-write-'));
    config = botConfig({ origin: wiki.origin, apiUrl: wiki.apiUrl, dataDir });
    await wiki.admin.save('Template:Nobots', 'Bots keep away.');
    await wiki.admin.save('Template:Keep out', '#REDIRECT [[Template:Nobots]]');
    writer = createWriter({ wiki: config.wiki, bot: config.bot, log: silent, clock: quickClock() });
  });
  afterAll(async () => {
    await wiki?.stop();
    if (dataDir) await rm(dataDir, { recursive: true, force: true });
  });

  const sign: Compose = ({ text }) => ({ kind: 'composed', text: `${text}\n\nSidelight was here.`, summary: '' });

  async function codeOf(title: string): Promise<string> {
    const outcome = await writer.save(title, sign);
    return outcome.kind === 'refused' ? outcome.code : outcome.kind;
  }

  test('is no article and no other content, in whatever namespace a page stands', async () => {
    const { query } = await wiki.admin.query({ meta: 'siteinfo', siprop: 'namespaces' });
    // the API's own answer, as it documents it
    const namespaces = Object.values(query?.namespaces as Record<string, { id: number; name: string }>);
    const codes = new Map<number, string>();
    for (const { id, name } of namespaces.filter(({ id }) => id >= 0)) {
      const title = name === '' ? 'Heron' : `${name}:Heron`;
      await wiki.admin.save(title, 'Words.');
      codes.set(id, await codeOf(title));
    }
    expect(codes.size).toBeGreaterThanOrEqual(18);
    const [saved, refused] = [
      [...codes].filter(([id]) => [4, 5].includes(id)),
      [...codes].filter(([id]) => id < 2 || id > 5),
    ];
    expect(saved.map(([, code]) => code)).toEqual(['saved', 'saved']);
    expect(new Set(refused.map(([, code]) => code))).toEqual(new Set(['namespace']));
    expect([codes.get(2), codes.get(3)]).toEqual(['not_own_user_space', 'not_own_user_space']);
    const { query: made } = await wiki.admin.query({ list: 'usercontribs', ucuser: 'SidelightBot', uclimit: 'max' });
    const written: { ns: number }[] = made?.usercontribs ?? [];
    expect(written.map(({ ns }) => ns).sort()).toEqual([4, 5]);
  });

  test('is no article that does not exist, nor what is no title', async () => {
    expect(await codeOf('No such article')).toBe('namespace');
    expect(await codeOf('Talk:No such article')).toBe('namespace');
    expect(await codeOf('Special:Watchlist')).toBe('invalid_title');
    for (const title of ['', '[[x]]', 'a|Heron', 'Project:Heron|Heron', '::', 'x'.repeat(300)]) {
      expect(await codeOf(title)).toBe('invalid_title');
    }
  });

  test('is its own user space, however it is spelled', async () => {
    for (const title of [OWN, 'User:SidelightBot', 'User talk:SidelightBot', 'User talk:SidelightBot/Report']) {
      await wiki.admin.save(title, 'Words.');
    }
    for (const title of ['user:sidelightBot/Report', 'User:SidelightBot', 'User_talk:SidelightBot', `${OWN} `]) {
      expect(await codeOf(title)).toBe('saved');
    }
    for (const title of ['User:Alice', 'User:SidelightBot2/Report', 'User:Alice/SidelightBot']) {
      await wiki.admin.save(title, 'Words.');
      expect(await codeOf(title)).toBe('not_own_user_space');
    }
  });

  test('is no redirect, which might lead to an article, and no page of another kind', async () => {
    await wiki.admin.save('Heron', 'Words.');
    await wiki.admin.save('Project:Bird', '#REDIRECT [[Heron]]');
    expect(await codeOf('Project:Bird')).toBe('redirect');
    for (const kind of ['js', 'css', 'json']) {
      const title = `User:SidelightBot/page.${kind}`;
      await wiki.admin.save(title, kind === 'json' ? '{}' : '/* */');
      expect(await codeOf(title)).toBe('not_wikitext');
    }
  });

  describe('where {{bots}} and {{nobots}} stand', () => {
    test.each([
      ['{{nobots}}', 'excluded'],
      ['{{ Nobots }} and words', 'excluded'],
      ['{{Template:Nobots}}', 'excluded'],
      ['{{NoBots}}', 'excluded'],
      ['{{keep out}}', 'excluded'], // a redirect to it
      ['{{nobots|reason=none}}', 'excluded'],
      ['{{nobots|SineBot, SidelightBot}}', 'excluded'],
      ['{{nobots|SineBot}}', 'free'],
      ['{{bots}}', 'free'],
      ['{{bots|allow=|deny=}}', 'free'],
      ['{{bots|allow=all}}', 'free'],
      ['{{bots|allow=none}}', 'excluded'],
      ['{{bots|allow=SineBot}}', 'excluded'],
      ['{{bots|allow=SineBot,SidelightBot}}', 'free'],
      ['{{bots|allow=sidelightbot}}', 'free'],
      ['{{bots|deny=all}}', 'excluded'],
      ['{{bots|deny=none}}', 'free'],
      ['{{bots|deny=SineBot, AWB}}', 'free'],
      ['{{Bots\n| deny = SineBot,\n SidelightBot\n}}', 'excluded'],
      ['{{bots|deny=Sidelight}}', 'excluded'],
      ['{{bots|allow=SidelightBot|deny=all}}', 'excluded'],
      ['{{bots|optout=all}}', 'excluded'],
      ['{{bots|optout=nosource, Sidelight}}', 'excluded'],
      ['{{bots|optout=nosource}}', 'free'],
      ['{{bots|allow=all}} {{bots|deny=SidelightBot}}', 'excluded'],
      ['{{bots|deny=Side<!-- -->lightBot}}', 'excluded'],
      ['{{box|1={{nobots}}}}', 'excluded'],
      ['<nowiki>{{nobots}}</nowiki>', 'free'],
      ['<!-- {{nobots}} -->', 'free'],
      ['<pre>{{nobots}}</pre> {{tl|nobots}} {{robots}} [[Template:Nobots]]', 'free'],
      ['<includeonly>{{nobots}}</includeonly>', 'free'],
    ])('%j: %s', async (text, code) => {
      await wiki.admin.save('Project:Exclusion', text);
      const prepared = await writer.prepare('Project:Exclusion', sign);
      expect(prepared.kind === 'refused' ? prepared.code : 'free').toBe(code);
    });
  });

  describe('where the switch page', () => {
    test.each([
      ['is empty', ' ', 'saved'],
      ['says run', 'Run\n', 'saved'],
      ['holds a comment', '<!-- Any text here stops the bot. -->', 'saved'],
      ['says stop', 'stop', 'switched_off'],
      ['says anything else', 'It runs amok! ~~~~', 'switched_off'],
    ])('%s', async (_, text, code) => {
      await wiki.admin.save('User:SidelightBot/switch', text);
      await wiki.admin.save(OWN, 'Words.');
      expect(await codeOf(OWN)).toBe(code);
    });

    test('is another one', async () => {
      const bot = { ...config.bot, switchPage: 'Project:Mills/Stop Sidelight' };
      const other = createWriter({ wiki: config.wiki, bot, log: silent, clock: quickClock() });
      await wiki.admin.save(OWN, 'Words.');
      expect((await other.save(OWN, sign)).kind).toBe('saved');
      await wiki.admin.save(bot.switchPage, 'Stop.');
      expect(await other.save(OWN, sign)).toMatchObject({ code: 'switched_off', detail: bot.switchPage });
    });
  });
});
