/** Secrets of sessions and tokens. In: settings, or a secret that somebody shows. Out: what signs cookies; what is kept instead of the secret. */
import { hash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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
  try {
    writeFileSync(file, randomBytes(48).toString('base64url'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const kept = readFileSync(file, 'utf8').trim();
  if (kept.length >= SHORTEST) return kept;
  throw new RefuseToStart(`${file} is no session secret: remove it, and another is made`);
}

const SHORTEST = 32;
