/**
 * One pino logger a process. Logs go to stderr, so that stdout stays a command's answer. A line that is written while a job is
 * worked on says which; what is secret is left out by its name, and by its value (`hideSecrets`).
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Logger, pino } from 'pino';

export type { Logger } from 'pino';

export function createLogger(level: string, name: string): Logger {
  // not pino's own destination: at exit it writes again and again, for ever, where the reader of the log is gone
  process.stderr.on('error', () => undefined);
  return pino({ level, name, base: { pid: process.pid }, mixin: () => about.getStore()?.() ?? {}, redact }, secretless);
}

/** All lines that `work` leads to carry `fields`, whoever writes them. Asked for by each line: most work leads to none. */
export function loggedWith<T>(fields: () => object, work: () => T): T {
  return about.run(fields, work);
}

/**
 * From now on no line has any of these in it, wherever it came from: a driver may put the address that it was given, password and
 * all, into an error. Called once by who reads the environment.
 */
export function hideSecrets(secrets: readonly string[]): void {
  for (const secret of secrets) for (const written of formsOf(secret)) hidden.add(written);
}

/** A text that may have come from anywhere, as it may be shown. */
export function withoutSecrets(text: string): string {
  let safe = text;
  for (const secret of hidden) if (safe.includes(secret)) safe = safe.replaceAll(secret, HIDDEN);
  return safe;
}

/** As it stands, and as it stands in an address, in JSON, or in a header. */
function formsOf(secret: string): string[] {
  if (secret.length < SHORTEST) return [];
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
}

const secretless = {
  write(line: string): void {
    process.stderr.write(withoutSecrets(line));
  },
};

const about = new AsyncLocalStorage<() => object>();
const hidden = new Set<string>();
const HIDDEN = '[secret]';
/** A shorter one would hide half of a log. */
const SHORTEST = 6;

const SECRET_NAMES = ['authorization', 'cookie', 'password', 'secret', 'token', 'apiKey', 'sessionSecret'];
const redact = {
  paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `*.*.*.${name}`]).concat(
    ['"set-cookie"', '"proxy-authorization"'].flatMap((name) => [`*[${name}]`, `*.*[${name}]`]),
  ),
  censor: HIDDEN,
};
