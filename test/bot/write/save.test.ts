import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { ApiFailure, createConnection } from '../../../bot/write/connection.ts';
import { refuse } from '../../../bot/write/outcome.ts';
import { type Compose, createWriter, type Writer } from '../../../bot/write/save.ts';
import type { Config } from '../../../shared/config.ts';
import { describeWith } from '../../support/describe-with.ts';
import { botConfig, quickClock, silent, type TestClock } from './bot.ts';
import { type GuardedWiki, startGuardedWiki } from './guarded-wiki.ts';
import { apiError, openWay, type Way } from './way.ts';

const PAGE = 'Project:WikiProject Mills/Sidelight';

describeWith(['wiki'], 'saving a page', () => {
  let wiki: GuardedWiki;
  let way: Way;
  let dataDir: string;
  let config: Config;
  let clock: TestClock;
  let writer: Writer;

  beforeAll(async () => {
    wiki = await startGuardedWiki();
    way = await openWay(wiki.apiUrl);
    dataDir = await mkdtemp(join(tmpdir(), 'sidelight-write-'));
    config = botConfig({ origin: wiki.origin, apiUrl: way.apiUrl, dataDir });
  });
  afterAll(async () => {
    await way?.close();
    await wiki?.stop();
    if (dataDir) await rm(dataDir, { recursive: true, force: true });
  });
  beforeEach(async () => {
    way.asked = [];
    way.detour = null;
    clock = quickClock();
    writer = writerAs({});
    await wiki.lock(null);
    await wiki.limitEdits(null);
    await wiki.admin.save(PAGE, 'Above.\n\nOld.\n\nBelow.');
  });

  function writerAs(bot: Partial<Config['bot']>): Writer {
    return createWriter({ wiki: config.wiki, bot: { ...config.bot, ...bot }, log: silent, clock });
  }

  async function textOf(title: string): Promise<string> {
    const page = await wiki.admin.read(title);
    return page.revisions?.[0]?.content ?? '';
  }

  /** What was posted as an edit, by the text of each. */
  function edits(): string[] {
    return way.asked.flatMap(({ params }) => (params.get('action') === 'edit' ? [params.get('text') ?? ''] : []));
  }

  const renew: Compose = (page) => ({
    kind: 'composed',
    text: page.text.replace('Old.', 'New.'),
    summary: 'Renew',
  });

  describe('goes through', () => {
    test('as a bot that says who it is, asserts its login and marks its edit', async () => {
      const outcome = await writer.save(PAGE, renew);
      expect(outcome).toMatchObject({
        kind: 'saved',
        title: 'Sample wiki:WikiProject Mills/Sidelight',
        summary: 'Renew',
      });
      expect(await textOf(PAGE)).toBe('Above.\n\nNew.\n\nBelow.');
      const edit = way.asked.find(({ params }) => params.get('action') === 'edit');
      const sent = Object.fromEntries(edit?.params ?? []);
      expect(sent).toMatchObject({ assert: 'bot', assertuser: 'SidelightBot', maxlag: '5', bot: '1', nocreate: '1' });
      expect(sent).toMatchObject({ baserevid: expect.stringMatching(/^\d+$/) });
      expect(new Set(way.asked.map(({ headers }) => headers['user-agent']))).toEqual(new Set([config.wiki.userAgent]));
      const { query } = await wiki.admin.query({ list: 'recentchanges', rctitle: PAGE, rcprop: 'user|flags|comment' });
      expect(query?.recentchanges[0]).toMatchObject({ user: 'SidelightBot', bot: true, comment: 'Renew' });
    });

    test('not at all where nothing changed', async () => {
      const outcome = await writer.save(PAGE, ({ text }) => ({ kind: 'composed', text, summary: 'Nothing' }));
      expect(outcome.kind).toBe('unchanged');
      expect(edits()).toEqual([]);
    });

    test('with an OAuth 2 token, which every request carries', async () => {
      const { admin } = wiki;
      // the wiki at hand has no OAuth: behind the way, the token stands for a session that a password opened
      const session = await botCookie();
      way.detour = {
        before({ headers }) {
          if (headers.authorization !== 'Bearer token.of.owner') return apiError('mwoauth-invalid-authorization');
          headers.cookie = session;
          return undefined;
        },
      };
      const outcome = await writerAs({ login: { kind: 'oauth', token: 'token.of.owner' } }).save(PAGE, renew);
      expect(outcome.kind).toBe('saved');
      expect(await textOf(PAGE)).toContain('New.');
      expect(way.asked.some(({ params }) => params.get('action') === 'login')).toBe(false);
      const wrong = await writerAs({ login: { kind: 'oauth', token: 'other' } }).save(PAGE, renew);
      expect(wrong).toMatchObject({ kind: 'refused', code: 'sign_in_failed' });
      expect(admin.loggedIn).toBe(true);
    });

    test('during a trial, without the flag', async () => {
      expect((await writerAs({ isFlagged: false }).save(PAGE, renew)).kind).toBe('saved');
      const edit = way.asked.find(({ params }) => params.get('action') === 'edit');
      expect(edit?.params.get('assert')).toBe('user');
      expect(edit?.params.has('bot')).toBe(false);
    });
  });

  describe('when somebody else saves in between', () => {
    /** Once, right after the bot has read the page. */
    function meanwhile(save: () => Promise<unknown>): void {
      let isDone = false;
      way.detour = {
        async before({ params }) {
          if (isDone || params.get('action') !== 'edit') return undefined;
          isDone = true;
          await save();
          return undefined;
        },
      };
    }

    test('the new text is taken as the old one, and theirs is kept', async () => {
      meanwhile(() => wiki.admin.save(PAGE, 'Above.\n\nOld. Theirs.\n\nBelow.'));
      expect((await writer.save(PAGE, renew)).kind).toBe('saved');
      expect(await textOf(PAGE)).toBe('Above.\n\nNew. Theirs.\n\nBelow.');
      expect(edits()).toEqual(['Above.\n\nNew.\n\nBelow.', 'Above.\n\nNew. Theirs.\n\nBelow.']);
    });

    test('and what they took away is not put back', async () => {
      meanwhile(() => wiki.admin.save(PAGE, 'Above.\n\nOld. {{nobots}}\n\nBelow.'));
      expect(await writer.save(PAGE, renew)).toMatchObject({ kind: 'refused', code: 'excluded' });
      expect(await textOf(PAGE)).toContain('Old. {{nobots}}');
      await wiki.admin.save(PAGE, 'Old.');
      meanwhile(() => wiki.admin.save(PAGE, 'Gone.'));
      const given: string[] = [];
      const outcome = await writer.save(PAGE, (page, means) => {
        given.push(page.text);
        return page.text.includes('Old.') ? renew(page, means) : refuse('not_opted_in', page.title);
      });
      expect(outcome).toMatchObject({ kind: 'refused', code: 'not_opted_in' });
      expect(given).toEqual(['Old.', 'Gone.']);
      expect(await textOf(PAGE)).toBe('Gone.');
    });

    test('a switch that is thrown in between stops it', async () => {
      meanwhile(async () => {
        await wiki.admin.save(PAGE, 'Above.\n\nOld. Theirs.\n\nBelow.');
        await wiki.admin.save('User:SidelightBot/switch', 'Please stop.');
      });
      expect(await writer.save(PAGE, renew)).toMatchObject({ kind: 'refused', code: 'switched_off' });
      await wiki.admin.save('User:SidelightBot/switch', 'run');
      expect((await writer.save(PAGE, renew)).kind).toBe('saved');
    });

    test('again and again, it gives up', async () => {
      let count = 0;
      way.detour = {
        async before({ params }) {
          if (params.get('action') === 'edit') await wiki.admin.save(PAGE, `Above.\n\nOld. ${++count}\n\nBelow.`);
          return undefined;
        },
      };
      expect(await writer.save(PAGE, renew)).toMatchObject({ kind: 'refused', code: 'conflict' });
      expect(await textOf(PAGE)).toContain(`Old. ${count}`);
    });

    test('and deletes the page, it is not made anew', async () => {
      await wiki.admin.save('Project:Gone', 'Old.');
      meanwhile(() => wiki.admin.delete('Project:Gone', ''));
      expect(await writer.save('Project:Gone', renew)).toMatchObject({ kind: 'refused', code: 'missing_page' });
      expect(await writer.save('Project:Never', renew)).toMatchObject({ kind: 'refused', code: 'missing_page' });
    });

    test('and moves the page to an article, the article is not written', async () => {
      await wiki.admin.save('Project:Mill', 'Old.');
      meanwhile(() => wiki.admin.move('Project:Mill', 'Mill', ''));
      expect(await writer.save('Project:Mill', renew)).toMatchObject({ kind: 'refused', code: 'redirect' });
      expect(await textOf('Mill')).toBe('Old.');
    });
  });

  describe('is refused by the wiki', () => {
    test('on a protected page', async () => {
      await wiki.admin.save('Project:Kept', 'Old.');
      await protect('Project:Kept');
      expect(await writer.save('Project:Kept', renew)).toMatchObject({ kind: 'refused', code: 'protected' });
      expect(edits()).toHaveLength(1);
    });

    afterEach(async () => {
      await wiki.admin
        .request({ action: 'unblock', user: 'SidelightBot', token: wiki.admin.csrfToken })
        .catch(() => null);
    });

    test('to a blocked account, on all pages or on one', async () => {
      await block({});
      expect(await writer.save(PAGE, renew)).toMatchObject({ kind: 'refused', code: 'blocked' });
      await block({ partial: true, allowusertalk: true, pagerestrictions: PAGE });
      expect(await writer.save(PAGE, renew)).toMatchObject({ kind: 'refused', code: 'blocked' });
      expect(await textOf(PAGE)).toContain('Old.');
    });

    test('by an abuse filter', async () => {
      const outcome = await writer.save(PAGE, composing('no such words'));
      expect(outcome).toMatchObject({ kind: 'refused', code: 'abuse_filter', detail: 'abusefilter-disallowed' });
    });

    test('for a link on the spam blacklist, and is saved without that link', async () => {
      await wiki.admin.save('MediaWiki:Spam-blacklist', 'spam\\.example\n');
      const given: string[][] = [];
      const outcome = await writer.save(PAGE, (page, { unlinkable, ...means }) => {
        given.push([...unlinkable]);
        const link = unlinkable.has('spam.example') ? 'spam.example' : 'http://spam.example/mill';
        return composing(`${link} http://fine.example/`)(page, { unlinkable, ...means });
      });
      expect(outcome).toMatchObject({ kind: 'saved' });
      expect(given).toEqual([[], ['spam.example']]);
      expect(await textOf(PAGE)).toContain('spam.example http://fine.example/');
      const stubborn = await writer.save(PAGE, composing('http://spam.example/again'));
      expect(stubborn).toMatchObject({ kind: 'refused', code: 'spam_blacklist' });
    });

    test('while the database is locked, and is tried later', async () => {
      await wiki.lock('moving house');
      expect(await writer.save(PAGE, renew)).toMatchObject({ kind: 'refused', code: 'read_only' });
      expect(clock.waited).toEqual([5000, 10_000, 20_000, 40_000, 80_000]);
      await wiki.lock(null);
      expect((await writer.save(PAGE, renew)).kind).toBe('saved');
    });

    test('beyond its own rate limit', async () => {
      await wiki.limitEdits(0);
      expect(await writer.save(PAGE, renew)).toMatchObject({ kind: 'refused', code: 'rate_limited' });
      await wiki.limitEdits(null);
    });

    test('for a text that is too large', async () => {
      const outcome = await writer.save(PAGE, (_page, { site }) => ({
        kind: 'composed',
        text: 'x'.repeat(site.maxBytes + 1),
        summary: '',
      }));
      expect(outcome).toMatchObject({ kind: 'refused', code: 'too_large' });
    });
  });

  describe('is kept up', () => {
    test('while the wiki lags: it waits as long as the wiki says', async () => {
      let lagging = 2;
      way.detour = {
        before({ params }) {
          if (params.get('action') === 'edit' && lagging-- > 0) params.set('maxlag', '-2'); // the wiki itself answers that it lags
          return undefined;
        },
      };
      expect((await writer.save(PAGE, renew)).kind).toBe('saved');
      expect(clock.waited).toEqual([5000, 10_000]);
      way.detour = { before: ({ params }) => (params.get('action') === 'edit' ? lagged(40) : undefined) };
      await wiki.admin.save(PAGE, 'Old.');
      expect(await writer.save(PAGE, renew)).toMatchObject({ kind: 'refused', code: 'lagging' });
      expect(clock.waited.slice(2)).toEqual([40_000, 40_000, 40_000, 40_000, 80_000]);
    });

    test('by a lost session: it signs in anew', async () => {
      let lost = 1;
      way.detour = {
        before({ params, headers }) {
          if (params.get('action') === 'edit' && lost-- > 0) delete headers.cookie;
          return undefined;
        },
      };
      expect((await writer.save(PAGE, renew)).kind).toBe('saved');
      expect(way.asked.filter(({ params }) => params.get('action') === 'login')).toHaveLength(2);
    });

    test('by a bad token: it asks for another', async () => {
      let bad = 1;
      way.detour = {
        before({ params }) {
          if (params.get('action') === 'edit' && bad-- > 0) params.set('token', 'stale+\\');
          return undefined;
        },
      };
      expect((await writer.save(PAGE, renew)).kind).toBe('saved');
      expect(edits()).toHaveLength(2);
    });

    test('by an answer that got lost: it finds its own edit, and makes no second one', async () => {
      way.detour = {
        after: ({ params }, answered) => (params.get('action') === 'edit' ? { ...answered, status: 0 } : answered),
      };
      expect((await writer.save(PAGE, renew)).kind).toBe('unchanged');
      expect(edits()).toHaveLength(1);
      expect(await textOf(PAGE)).toContain('New.');
    });

    test.each([
      [429, 'rate_limited'],
      [503, 'unreachable'],
      [0, 'unreachable'],
    ])('by a server that answers %i', async (status, code) => {
      const answer = { status, headers: { 'retry-after': '7' }, body: 'busy' };
      way.detour = { before: () => answer };
      expect(await writer.save(PAGE, renew)).toMatchObject({ kind: 'refused', code });
      expect(clock.waited[0]).toBe(status === 0 ? 5000 : 7000);
    });

    test('by a captcha, which it does not solve', async () => {
      const body = JSON.stringify({ edit: { result: 'Failure', captcha: { type: 'simple', id: '1' } } });
      const answer = { status: 200, headers: { 'content-type': 'application/json' }, body };
      way.detour = { before: ({ params }) => (params.get('action') === 'edit' ? answer : undefined) };
      expect(await writer.save(PAGE, renew)).toMatchObject({ kind: 'refused', code: 'captcha' });
    });

    test('until it is told to stop', async () => {
      const signal = AbortSignal.abort(new Error('enough'));
      await expect(writer.save(PAGE, renew, signal)).rejects.toThrow('enough');
      expect((await writer.save(PAGE, renew)).kind).toBe('saved'); // the turn was given back
    });
  });

  describe('needs its account', () => {
    test('with the right password, of the right name, with the flag that it claims', async () => {
      const wrong = { kind: 'bot_password', username: 'SidelightBot@sidelight', password: 'wrong' } as const;
      expect(await writerAs({ login: wrong }).save(PAGE, renew)).toMatchObject({ code: 'sign_in_failed' });
      expect(await writerAs({ login: null }).save(PAGE, renew)).toMatchObject({ code: 'sign_in_failed' });
      expect(await writerAs({ name: 'Somebody else' }).save(PAGE, renew)).toMatchObject({ code: 'session_lost' });
      const alice = {
        kind: 'bot_password',
        username: 'Alice@sidelight',
        password: 'aliceonloopback'.padEnd(32, '0'),
      } as const;
      expect(await writerAs({ login: alice, name: 'Alice' }).save(PAGE, renew)).toMatchObject({ code: 'session_lost' });
      expect(edits()).toEqual([]);
    });

    test('and does not knock again and again where it is not let in', async () => {
      await writerAs({ name: 'Somebody else' }).save(PAGE, renew);
      expect(way.asked.filter(({ params }) => params.get('action') === 'login')).toHaveLength(2);
      expect(clock.waited).toEqual([]);
    });

    test('and no failure carries its password', async () => {
      const login = { kind: 'bot_password', username: 'SidelightBot@sidelight', password: 'very-secret' } as const;
      const connection = createConnection(config.wiki, { ...config.bot, login });
      for (const answer of [
        apiError('ratelimited'),
        { status: 503, headers: {}, body: '' },
        { status: 0, headers: {}, body: '' },
      ]) {
        way.detour = { before: ({ params }) => (params.get('action') === 'login' ? answer : undefined) };
        const failure: unknown = await connection.signIn().catch((error: unknown) => error);
        expect(failure).toBeInstanceOf(ApiFailure);
        expect(inspect(failure, { depth: 50, showHidden: true })).not.toContain('very-secret');
      }
      expect(way.asked.some(({ params }) => params.get('lgpassword') === 'very-secret')).toBe(true);
    });

    test('not for looking: that signs in nowhere', async () => {
      const prepared = await writerAs({ login: null }).prepare(PAGE, renew);
      expect(prepared).toMatchObject({ kind: 'composed', text: 'Above.\n\nNew.\n\nBelow.' });
      expect(new Set(way.asked.map(({ params }) => params.get('action')))).toEqual(new Set(['query', 'parse']));
    });
  });

  test('two edits are apart by the interval, whichever process makes them', async () => {
    const patient = () => writerAs({ editIntervalMs: 10_000, turnsFile: join(dataDir, 'patient.sqlite') });
    expect((await patient().save(PAGE, renew)).kind).toBe('saved');
    await wiki.admin.save(PAGE, 'Old.');
    expect((await patient().save(PAGE, renew)).kind).toBe('saved');
    expect(clock.waited).toEqual([10_000]);
  });

  async function botCookie(): Promise<string> {
    let cookie = '';
    const before = ({ headers }: { headers: { cookie?: string | undefined } }) => {
      cookie = headers.cookie ?? cookie;
      return undefined;
    };
    way.detour = { before };
    await writer.save(PAGE, ({ text }) => ({ kind: 'composed', text, summary: '' }));
    way.asked = [];
    return cookie;
  }

  async function protect(title: string): Promise<void> {
    const token = wiki.admin.csrfToken;
    await wiki.admin.request({ action: 'protect', title, protections: 'edit=sysop', token });
  }

  async function block(params: Record<string, string | boolean>): Promise<void> {
    const token = wiki.admin.csrfToken;
    await wiki.admin.request({ action: 'block', user: 'SidelightBot', reblock: true, token, ...params });
  }
});

function composing(words: string): Compose {
  return (page) => ({ kind: 'composed', text: `${page.text}\n\n${words}`, summary: '' });
}

function lagged(seconds: number) {
  return apiError('maxlag', { headers: { 'retry-after': String(seconds) } });
}
