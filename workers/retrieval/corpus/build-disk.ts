/** An error of the disk → one line that says what to do. In: what was thrown while writing a generation. Out: an error for people. */
import { statfs } from 'node:fs/promises';
import { z } from 'zod';
import { RequestError } from '../../../shared/errors.ts';

/** The error as it is, where it is none of the disk. FAISS gives no codes: there, a disk without room speaks for itself. */
export async function explainDiskError(error: unknown, folder: string): Promise<unknown> {
  const code = Coded.safeParse(error).data?.code ?? '';
  if (FULL.has(code) || (await isFull(folder)))
    return new RequestError('disk_full', `${folder}: the disk is full; make room and run it again: it goes on`);
  if (READ_ONLY.has(code))
    return new RequestError(
      'read_only',
      `${folder}: can't be written (${code}); once it can, run it again: it goes on`,
    );
  if (DAMAGED.has(code))
    return new RequestError(
      'damaged',
      `${folder}: a database is damaged (${code}): drop the generation and build it again`,
    );
  return error;
}

async function isFull(folder: string): Promise<boolean> {
  const disk = await statfs(folder).catch(() => null);
  return disk !== null && disk.bavail * disk.bsize < LEAST_BYTES;
}

const Coded = z.object({ code: z.string() });
/** https://sqlite.org/rescode.html */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL']);
const READ_ONLY = new Set(['EROFS', 'EACCES', 'EPERM', 'ENOTDIR', 'SQLITE_READONLY', 'SQLITE_CANTOPEN', 'SQLITE_PERM']);
const DAMAGED = new Set(['SQLITE_CORRUPT', 'SQLITE_NOTADB']);
const LEAST_BYTES = 1 << 20;
