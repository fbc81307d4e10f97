import { ConfigError, parseConfig } from '../../../../shared/config.ts';

const endpoint = {
  QUERY_EXPANSION: 'endpoint',
  EXPANSION_URL: 'http://127.0.0.1:11434/v1',
  EXPANSION_MODEL: 'titles',
};

test('a query is not expanded unless that is asked for', () => {
  expect(parseConfig({}).expansion).toEqual({ kind: 'none' });
  expect(parseConfig({ QUERY_EXPANSION: 'rm3' }).expansion).toEqual({ kind: 'rm3' });
});

test('a server and a model are enough for an endpoint', () => {
  expect(parseConfig({ ...endpoint, EXPANSION_KEY: '' }).expansion).toEqual({
    kind: 'endpoint',
    url: 'http://127.0.0.1:11434/v1',
    model: 'titles',
    key: null,
    timeoutMs: 5000,
    daily: 2000,
  });
});

test.each([
  ['QUERY_EXPANSION', { QUERY_EXPANSION: 'all' }],
  ['EXPANSION_URL', { EXPANSION_URL: undefined }],
  ['EXPANSION_MODEL', { EXPANSION_MODEL: undefined }],
  ['EXPANSION_TIMEOUT', { EXPANSION_TIMEOUT: '0' }],
  ['EXPANSION_KEY', { EXPANSION_KEY: 'a key\n' }],
])('%s that cannot be used is named', (name, wrong) => {
  expect(() => parseConfig({ ...endpoint, ...wrong })).toThrow(ConfigError);
  expect(() => parseConfig({ ...endpoint, ...wrong })).toThrow(new RegExp(`^${name}: `));
});
