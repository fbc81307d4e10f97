/** What a backup says of itself (`backup.json`), written last: a folder without it is no backup. Only a schema, and checking files against it. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { RefuseToStart } from '../../shared/errors.ts';
import { parseJson } from '../../shared/json.ts';

const BackupFile = z.object({
  /** Below the backup's folder, with `/`. */
  path: z.string().regex(/^(?!.*(^|\/)\.\.?(\/|$))[\w.-]+(\/[\w.-]+)*$/),
  bytes: z.int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type BackupFile = z.infer<typeof BackupFile>;

export const BackupManifest = z.object({
  /** Of this format. */
  version: z.literal(1),
  sidelight: z.string(),
  madeAt: z.iso.datetime(),
  /** Where the databases were; in the backup they are SQLite files in any case. */
  engine: z.enum(['sqlite', 'mariadb']),
  /** Indices of Elasticsearch that the backup does not hold: their own snapshots do. */
  indices: z.array(z.string()),
  files: z.array(BackupFile),
});
export type BackupManifest = z.infer<typeof BackupManifest>;

export const MANIFEST = 'backup.json';

export async function describeFile(folder: string, path: string): Promise<BackupFile> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(join(folder, path)), hash);
  return { path, bytes: (await stat(join(folder, path))).size, sha256: hash.digest('hex') };
}

/** Throws RefuseToStart for what is no whole backup: the first file that is missing or changed is named. */
export async function readBackup(folder: string): Promise<BackupManifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null);
  if (text === null) throw new RefuseToStart(`${folder} has no ${MANIFEST}: it is no backup, or was never finished`);
  const parsed = BackupManifest.safeParse(parseJson(text));
  if (!parsed.success) {
    throw new RefuseToStart(`${folder}/${MANIFEST} does not parse (${parsed.error.issues[0]?.path.join('.')})`);
  }
  for (const file of parsed.data.files) {
    const found = await describeFile(folder, file.path).catch(() => null);
    if (found === null) throw new RefuseToStart(`${folder}/${file.path} is missing or can't be read`);
    if (found.sha256 !== file.sha256)
      throw new RefuseToStart(`${folder}/${file.path} is not what was backed up: its checksum differs`);
  }
  return parsed.data;
}
