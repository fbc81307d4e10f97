/** A backup's folder as one file: packed and unpacked by tar. In: paths. Out: nothing; the file or folder is there, whole. */
import { execFile } from 'node:child_process';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { RefuseToStart } from '../../shared/errors.ts';

export function isArchive(path: string): boolean {
  return /\.(tar\.gz|tgz)$/.test(path);
}

export async function pack(folder: string, archive: string): Promise<void> {
  await rm(`${archive}.packing`, { force: true });
  await writeFile(`${archive}.packing`, '', { mode: 0o600, flag: 'wx' }); // tar would make it for all to read
  await run('tar', ['-C', folder, '-czf', `${archive}.packing`, '.']);
  await rename(`${archive}.packing`, archive);
}

/** Throws RefuseToStart for what is no such archive. */
export async function unpack(archive: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await run('tar', ['-C', folder, '--no-same-owner', '-xzf', archive]).catch((cause: unknown) => {
    throw new RefuseToStart(`${archive} can't be unpacked: it is no .tar.gz, or is cut short`, { cause });
  });
}

const run = promisify(execFile);
