import { ConfigError, parseConfig } from '../../../shared/config.ts';

const ON_A_WIKI = { WIKI: 'https://mills.example', BOT_USERNAME: 'Mill_bot@reports', BOT_PASSWORD: 'secret' };
const CONTACT = { USER_AGENT: 'Mills/1.0 (me@mills.example)' };

describe('settings of the bot', () => {
  test('none are needed as long as nothing is written', () => {
    expect(parseConfig({}).bot).toMatchObject({ name: null, login: null, switchPage: null, editIntervalMs: 10_000 });
  });

  test('a bot password names the account, its user page and its switch', () => {
    expect(parseConfig({ ...ON_A_WIKI, ...CONTACT }).bot).toMatchObject({
      name: 'Mill bot',
      login: { kind: 'bot_password', username: 'Mill_bot@reports', password: 'secret' },
      switchPage: 'User:Mill bot/switch',
      isFlagged: true,
    });
  });

  test('a token takes the place of a password', () => {
    const settings = { WIKI: 'https://mills.example', BOT_USERNAME: 'Mill bot', BOT_OAUTH_TOKEN: 'a.b.c' };
    expect(parseConfig({ ...settings, ...CONTACT }).bot.login).toEqual({ kind: 'oauth', token: 'a.b.c' });
  });

  test.each([
    ['a password without a name', { BOT_PASSWORD: 'secret' }],
    ['an account on a wiki that can not write back to anybody', ON_A_WIKI],
    ['a pause of less than nothing', { BOT_EDIT_INTERVAL: '-1' }],
    ['a token that breaks a header', { BOT_USERNAME: 'Mill bot', BOT_OAUTH_TOKEN: 'a\r\nb' }],
  ])('%s is refused', (_, settings) => {
    expect(() => parseConfig(settings)).toThrow(ConfigError);
  });

  test('reports link to the review page where people can reach it', () => {
    expect(parseConfig({}).reviewUrl).toBe('http://127.0.0.1:8145');
    expect(parseConfig({ REVIEW_HOST: '::1' }).reviewUrl).toBe('http://[::1]:8145');
    expect(parseConfig({ WIKI: 'https://mills.example' }).reviewUrl).toBeNull();
    const settings = { WIKI: 'https://mills.example', REVIEW_URL: 'https://review.mills.example' };
    expect(parseConfig(settings).reviewUrl).toBe('https://review.mills.example');
  });
});
