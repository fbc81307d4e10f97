/**
 * `sidelight backup`: what can't be made again, as one folder or archive with the checksum of each file. In: Config, while everything runs.
 * Left out: Redis (queues, the cursor: its append-only file is its backup), caches, logs, and secrets unless they are asked for.
 */
import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { z } from 'zod';
import type { Config } from '../../shared/config.ts';
import { RefuseToStart, RequestError } from '../../shared/errors.ts';
import { programVersion } from '../../shared/root.ts';
import { isShared } from '../../shared/sql.ts';
import { Manifest } from '../../workers/retrieval/corpus/manifest.ts';
import { isArchive, pack } from './archive.ts';
import { saveCorpus } from './corpus.ts';
import { saveDatabases } from './databases.ts';
import { type BackupManifest, describeFile, MANIFEST } from './manifest.ts';
import { STORES } from './stores.ts';

export interface BackupOptions {
  withoutModels?: boolean;
  withSecrets?: boolean;
  signal: AbortSignal;
}

/**
 * `target`: a folder, or a .tar.gz. Throws RequestError if it is there already, RefuseToStart where there is no database to keep. What was
 * begun and not finished is made anew.
 */
export async function backup(config: Config, target: string, options: BackupOptions): Promise<BackupManifest> {
  if (existsSync(target))
    throw new RequestError('is_there', `${target} is there already: a backup is never written over`);
  if (!isShared(config.databases.review) && !STORES.some((store) => existsSync(config.databases[store])))
    throw new RefuseToStart(`there is no database in ${config.dataDir}: is DATA_DIR right?`);
  const folder = `${target}.part`;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 }); // texts that people gave are private
  await saveDatabases(config, join(folder, 'sql'), options.signal);
  await saveCorpus(config, join(folder, 'corpus'), options.signal);
  if (options.withoutModels !== true) await saveModels(config.modelsDir, join(folder, 'models'));
  if (options.withSecrets === true) await saveSecret(config, join(folder, 'secrets'));
  const manifest = await describe(config, folder);
  await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { flush: true });
  if (!isArchive(target)) await rename(folder, target);
  else {
    await pack(folder, target);
    await rm(folder, { recursive: true });
  }
  return manifest;
}

/** A model is a folder with a manifest; how it was trained stands in the repository. */
async function saveModels(from: string, to: string): Promise<void> {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (!entry.isDirectory() || !existsSync(join(from, entry.name, 'manifest.json'))) continue;
    await cp(join(from, entry.name), join(to, entry.name), { recursive: true });
  }
}

async function saveSecret({ signIn }: Config, to: string): Promise<void> {
  if (!existsSync(signIn.sessionSecretFile)) return;
  await mkdir(to, { recursive: true, mode: 0o700 });
  await copyFile(signIn.sessionSecretFile, join(to, 'session-secret'));
}

async function describe(config: Config, folder: string): Promise<BackupManifest> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
  const files: BackupManifest['files'] = [];
  for (const path of paths) files.push(await describeFile(folder, path));
  const engine = isShared(config.databases.review) ? 'mariadb' : 'sqlite';
  return {
    version: 1,
    sidelight: programVersion(),
    madeAt: new Date().toISOString(),
    engine,
    indices: await indicesOf(folder, paths),
    files,
  };
}

async function indicesOf(folder: string, paths: readonly string[]): Promise<string[]> {
  const manifests = paths.filter((path) => /^corpus\/[^/]+\/manifest\.json$/.test(path));
  const parsed = await Promise.all(
    manifests.map(async (path) => Manifest.parse(JSON.parse(await readFile(join(folder, path), 'utf8')))),
  );
  return parsed.flatMap(({ sparse }) => (sparse.engine === 'elasticsearch' ? [sparse.index] : []));
}
