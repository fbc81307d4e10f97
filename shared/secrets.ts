/** Which settings are secret, and what of them must be seen nowhere. In: the environment. Out: texts to hide. */

import { parseUrl } from './url.ts';

/** Of these the whole value. */
const SECRET = [
  'SESSION_SECRET',
  'OAUTH_CLIENT_SECRET',
  'BOT_PASSWORD',
  'BOT_OAUTH_TOKEN',
  'SECOND_OPINION_KEY',
  'EXPANSION_KEY',
  'ELASTICSEARCH_API_KEY',
] as const;

/** Addresses, comma-separated, whose password is one. */
const ADDRESSES = [
  'DATABASE_URL',
  'ELASTICSEARCH_URL',
  'REDIS_URL',
  'FEED_REDIS_URL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
] as const;

/** As they are set, as they are sent, and as they stand in a header of basic authentication. */
export function secretsOf(environment: Record<string, string | undefined>): string[] {
  const whole = SECRET.flatMap((name) => environment[name] ?? []);
  const addresses = ADDRESSES.flatMap((name) => environment[name]?.split(',') ?? []);
  return [...whole, ...addresses.flatMap(passwordOf)].filter((secret) => secret !== '');
}

function passwordOf(address: string): string[] {
  const { username = '', password = '' } = parseUrl(address.trim()) ?? {};
  if (password === '') return [];
  const [name, secret] = [plain(username), plain(password)];
  return [password, secret, Buffer.from(`${name}:${secret}`).toString('base64')];
}

function plain(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
