import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localEnvironment, portsFrom } from '../../../deploy/local/settings.ts';
import { OAUTH_CLIENTS } from '../../../deploy/wiki/oauth.ts';
import { parseConfig } from '../../../shared/config.ts';
import { sessionSecret } from '../../../workers/review/session/secret.ts';

describe('the secret of sessions', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'secret-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('is made once, for its owner alone, unless it is set', () => {
    const { signIn } = parseConfig({ DATA_DIR: join(folder, 'data') });
    const made = sessionSecret(signIn);
    expect(made.length).toBeGreaterThan(31);
    expect(sessionSecret(signIn)).toBe(made);
    expect(statSync(signIn.sessionSecretFile).mode & 0o777).toBe(0o600);
    expect(readFileSync(signIn.sessionSecretFile, 'utf8')).toBe(made);
    const given = 'given by whoever runs the service';
    expect(sessionSecret(parseConfig({ SESSION_SECRET: given }).signIn)).toBe(given);
  });

  test('is not taken from a file that was cut', () => {
    const { signIn } = parseConfig({ DATA_DIR: folder });
    writeFileSync(signIn.sessionSecretFile, 'short');
    expect(() => sessionSecret(signIn)).toThrow(/is no session secret/);
    expect(() => parseConfig({ SESSION_SECRET: 'short' })).toThrow(/SESSION_SECRET/);
  });
});

test('settings: a service that is open to others says where, and a secret belongs to a client', () => {
  expect(() => parseConfig({ REVIEW_HOST: '0.0.0.0' })).toThrow(/REVIEW_HOST/);
  const open = { REVIEW_HOST: '0.0.0.0', REVIEW_URL: 'https://review.example' };
  expect(parseConfig(open).reviewUrl).toBe('https://review.example');
  expect(() => parseConfig({ OAUTH_CLIENT_SECRET: 'x' })).toThrow(/OAUTH_CLIENT_ID/);
  expect(parseConfig({ MAINTAINERS: 'Ann_Lee| Ben ' }).signIn.maintainers).toEqual(['Ann Lee', 'Ben']);
});

test('settings: the sample wiki has a client for the review page, another wiki has none by itself', () => {
  const ports = portsFrom(8143);
  const sample = parseConfig(localEnvironment({}, ports));
  expect(sample.signIn.client).toEqual({ id: OAUTH_CLIENTS.review.id, secret: OAUTH_CLIENTS.review.secret });
  expect(`${sample.reviewUrl}/oauth/callback`.replace(/:\d+/, '')).toBe(OAUTH_CLIENTS.review.redirect);
  expect(parseConfig(localEnvironment({ WIKI: 'http://127.0.0.1:9' }, ports)).signIn.client).toBeNull();
});
