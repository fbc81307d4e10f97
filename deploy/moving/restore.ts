/**
 * `sidelight restore`: a backup into an empty DATA_DIR, and into DATABASE_URL where that is set, whichever engine it came from. In: Config,
 * before anything runs. Every checksum is compared first. Safe to repeat: what is in place is left alone.
 */
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Config, sqliteDatabases } from '../../shared/config.ts';
import { RefuseToStart } from '../../shared/errors.ts';
import { isShared } from '../../shared/sql.ts';
import { isArchive, unpack } from './archive.ts';
import { type BackupFile, type BackupManifest, describeFile, readBackup } from './manifest.ts';
import { marked } from './mark.ts';
import { moveAll, type Watch } from './migrate.ts';
import { STORES } from './stores.ts';

export interface Restored {
  manifest: BackupManifest;
  /** MODELS_DIR has other models than the backup: those of the backup stay where they are. */
  otherModels: boolean;
}

/** `check`: compares checksums and writes nothing. Throws RefuseToStart for a damaged backup and for places that have other data. */
export async function restore(
  config: Config,
  source: string,
  { check = false, signal }: { check?: boolean; signal: AbortSignal },
): Promise<Restored> {
  const unpacked = `${config.dataDir.replace(/\/+$/, '')}.restoring`;
  const folder = isArchive(source) ? unpacked : source;
  try {
    if (isArchive(source)) await unpack(source, unpacked);
    const manifest = await readBackup(folder);
    if (check) return { manifest, otherModels: false };
    const otherModels = await hasOtherModels(config.modelsDir, manifest);
    const wanted = placesOf(config, manifest, otherModels);
    await requireFree(wanted);
    const putAll = async () => {
      for (const [file, to] of wanted) await put(folder, file, to);
    };
    if (isShared(config.databases.review)) await fillMariaDb(config, folder, { signal, onBegun: putAll });
    else await marked(config.dataDir, putAll);
    return { manifest, otherModels };
  } finally {
    if (isArchive(source)) await rm(unpacked, { recursive: true, force: true });
  }
}

/** Where each file goes. The databases are files of DATA_DIR only without DATABASE_URL. */
function placesOf(config: Config, { files }: BackupManifest, otherModels: boolean): [BackupFile, string][] {
  return files.flatMap((file): [BackupFile, string][] => {
    const [room = '', ...rest] = file.path.split('/');
    const name = rest.join('/');
    if (room === 'sql' && !isShared(config.databases.review)) return [[file, join(config.dataDir, name)]];
    if (room === 'corpus') return [[file, join(config.dataDir, 'corpus', name)]];
    if (room === 'models' && !otherModels) return [[file, join(config.modelsDir, name)]];
    return room === 'secrets' ? [[file, join(config.dataDir, name)]] : [];
  });
}

/** Models that are there belong to the program; those of a backup fill an empty folder. */
async function hasOtherModels(modelsDir: string, { files }: BackupManifest): Promise<boolean> {
  const there = await readdir(modelsDir).catch(() => []);
  if (there.length === 0) return false;
  const differ = files.filter(({ path }) => path.startsWith('models/'));
  for (const file of differ)
    if (!(await isThere(file, join(modelsDir, file.path.slice('models/'.length))))) return true;
  return false;
}

async function requireFree(wanted: readonly [BackupFile, string][]): Promise<void> {
  for (const [file, to] of wanted) {
    if (!existsSync(to)) {
      refuseLogs(to);
      continue;
    }
    if (await isThere(file, to)) continue;
    throw new RefuseToStart(`${to} is there already and is another file: restore into an empty DATA_DIR`);
  }
}

/** SQLite would write it into whatever database it finds beside it: https://sqlite.org/howtocorrupt.html */
function refuseLogs(to: string): void {
  const log = [`${to}-wal`, `${to}-journal`].find((path) => existsSync(path));
  if (log !== undefined) throw new RefuseToStart(`${log} belongs to another database: move it away too`);
}

async function put(folder: string, file: BackupFile, to: string): Promise<void> {
  if (await isThere(file, to)) return;
  await mkdir(dirname(to), { recursive: true });
  await copyFile(join(folder, file.path), `${to}.restoring`);
  await rename(`${to}.restoring`, to);
}

async function isThere(file: BackupFile, path: string): Promise<boolean> {
  if (!existsSync(path)) return false;
  return (await describeFile(dirname(path), path.slice(dirname(path).length + 1))).sha256 === file.sha256;
}

/** From copies: opening a database changes its file. */
async function fillMariaDb(config: Config, folder: string, watch: Watch): Promise<void> {
  const copies = join(config.dataDir, 'restoring');
  await rm(copies, { recursive: true, force: true }); // with the logs of one that was killed
  await mkdir(copies, { recursive: true });
  try {
    const sources = sqliteDatabases(copies);
    const stores = STORES.filter((store) => existsSync(join(folder, 'sql', `${store}.sqlite`)));
    for (const store of stores) await copyFile(join(folder, 'sql', `${store}.sqlite`), sources[store]);
    await moveAll(stores, { sources, targets: config.databases }, watch);
  } finally {
    await rm(copies, { recursive: true, force: true });
  }
}
