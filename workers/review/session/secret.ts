/** Secrets of sessions and tokens. In: settings, or a secret that somebody shows. Out: what signs cookies; what is kept instead of the secret. */
import { hash, randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SignInSettings } from '../../../shared/config.ts';
import { RefuseToStart } from '../../../shared/errors.ts';

/** SHA-256, hexadecimal: whoever reads the database can't sign in with it. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** The one of the settings, else one that is made once and read by its owner alone. */
export function sessionSecret({ sessionSecret: given, sessionSecretFile: file }: SignInSettings): string {
  if (given !== null) return given;
  mkdirSync(dirname(file), { recursive: true });
  if (!existsSync(file)) keepFirst(file, randomBytes(48).toString('base64url'));
  const kept = readFileSync(file, 'utf8').trim();
  if (kept.length >= SHORTEST) return kept;
  throw new RefuseToStart(`${file} is no session secret: remove it, and another is made`);
}

const SHORTEST = 32;

/** Whole or not at all: another process may start, and read it, at the same time. */
function keepFirst(file: string, secret: string): void {
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, secret, { mode: 0o600 });
  try {
    linkSync(unfinished, file);
  } catch (error) {
    if (!existsSync(file)) throw error;
  } finally {
    rmSync(unfinished);
  }
}
