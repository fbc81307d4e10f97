/**
 * The corpus of this host as files of a backup: every generation that is there, and the pointer to the current one. In: DATA_DIR. Out:
 * files. What an Elasticsearch holds is not read: it has snapshots of its own.
 */
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../shared/config.ts';
import { Generation } from '../../shared/pipeline.ts';
import { saveSqlite } from './databases.ts';

export async function saveCorpus({ dataDir }: Config, folder: string, signal: AbortSignal): Promise<void> {
  const corpus = join(dataDir, 'corpus');
  const current = await readFile(join(corpus, 'current'), 'utf8').catch(() => null);
  const entries = await readdir(corpus, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (!entry.isDirectory() || !Generation.safeParse(entry.name).success) continue;
    await saveGeneration(join(corpus, entry.name), join(folder, entry.name), signal);
  }
  if (current !== null) await writeFile(join(folder, 'current'), current);
}

/**
 * The passages last: what an arm lacks is added when it is opened, but a passage that only an arm knows would later take the number of
 * another one.
 */
async function saveGeneration(from: string, to: string, signal: AbortSignal): Promise<void> {
  await mkdir(to, { recursive: true });
  const names = (await readdir(from)).filter((name) => KEPT.test(name) && name !== 'lock.sqlite');
  for (const name of names.sort((a, b) => Number(a === PASSAGES) - Number(b === PASSAGES))) {
    signal.throwIfAborted();
    if (name.endsWith('.sqlite')) await saveSqlite(join(from, name), join(to, name));
    else await copyFile(join(from, name), join(to, name));
  }
}

const PASSAGES = 'corpus.sqlite';
const KEPT = /^[\w-]+\.(sqlite|json|faiss|labels)$/;
