/** By what a build that goes on knows that an input is the one it had begun to read. In: an input. Out: a text to compare. */
import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CorpusInput } from './page-record.ts';

/** Size and time of change, of a folder's every file. What was fetched only grows. */
export async function fingerprint({ kind, name }: Pick<CorpusInput, 'kind' | 'name'>): Promise<string> {
  if (kind === 'fetched') return kind;
  return (await stat(name)).isDirectory() ? fingerprintFolder(name) : describe(name);
}

async function fingerprintFolder(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const hash = createHash('sha256');
  for (const path of paths.sort()) hash.update(`${path} ${await describe(path)}\n`);
  return hash.digest('hex');
}

async function describe(path: string): Promise<string> {
  const { size, mtimeMs } = await stat(path);
  return `${size} ${mtimeMs}`;
}
