import { ConfigError, parseConfig } from '../../../../shared/config.ts';

const server = { SECOND_OPINION_URL: 'http://127.0.0.1:11434/v1', SECOND_OPINION_MODEL: 'judge' };

test('no second opinion is asked for unless a server is set', () => {
  expect(parseConfig({}).secondOpinion).toBeNull();
});

test('a server and a model are enough', () => {
  expect(parseConfig(server).secondOpinion).toEqual({
    url: 'http://127.0.0.1:11434/v1',
    model: 'judge',
    key: null,
    margin: 0.1,
    timeoutMs: 30_000,
    daily: 500,
  });
});

test('an empty key is none', () => {
  expect(parseConfig({ ...server, SECOND_OPINION_KEY: '' }).secondOpinion?.key).toBeNull();
});

test.each([
  ['SECOND_OPINION_MODEL', { SECOND_OPINION_MODEL: undefined }],
  ['SECOND_OPINION_URL', { SECOND_OPINION_URL: 'localhost:11434' }],
  ['SECOND_OPINION_MARGIN', { SECOND_OPINION_MARGIN: '10%' }],
  ['SECOND_OPINION_TIMEOUT', { SECOND_OPINION_TIMEOUT: '0' }],
  ['SECOND_OPINION_DAILY', { SECOND_OPINION_DAILY: '-1' }],
])('%s that cannot be used is named', (name, wrong) => {
  expect(() => parseConfig({ ...server, ...wrong })).toThrow(ConfigError);
  expect(() => parseConfig({ ...server, ...wrong })).toThrow(new RegExp(`^${name}: `));
});

test('a key that cannot be sent is refused without being repeated', () => {
  const refused = () => parseConfig({ ...server, SECOND_OPINION_KEY: 'k-5521\nHost: elsewhere' });
  expect(refused).toThrow(/^SECOND_OPINION_KEY: /);
  expect(refused).not.toThrow(/5521/);
});
