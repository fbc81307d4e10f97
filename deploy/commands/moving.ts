/** `sidelight migrate`, `backup`, `restore`: what a person reads of them. In: Config. Out: text, or one JSON object. */
import type { Config } from '../../shared/config.ts';
import { backup } from '../moving/backup.ts';
import type { Engine } from '../moving/engines.ts';
import { type Moved, migrate } from '../moving/migrate.ts';
import { requireQuiet } from '../moving/quiet.ts';
import { restore } from '../moving/restore.ts';
import { print } from './print.ts';

export async function migrateStores(
  config: Config,
  { from, to, json }: { from: Engine; to: Engine; json: boolean },
  signal: AbortSignal,
): Promise<void> {
  const tell = (line: string) => json || process.stderr.write(`${line}\n`);
  const onRows = (store: string, table: string, rows: number) => tell(`${store}: ${rows} rows of ${table}`);
  await requireQuiet(config.redisUrl);
  const moved = await migrate(config, { from, to }, { signal, onRows });
  print(json ? { from, to, moved } : `${moved.map(toLine).join('\n')}\n${nextStep(to)}`);
}

export async function backUp(
  config: Config,
  target: string,
  options: { withoutModels: boolean; withSecrets: boolean; json: boolean },
  signal: AbortSignal,
): Promise<void> {
  const { json, ...what } = options;
  const manifest = await backup(config, target, { ...what, signal });
  if (json) return print({ target, ...manifest });
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
  print(`${target}: ${manifest.files.length} files, ${(bytes / 1024 ** 2).toFixed(1)} MiB`);
  for (const index of manifest.indices) print(`not in it: the Elasticsearch index ${index} (take a snapshot there)`);
}

export async function restoreBackup(
  config: Config,
  source: string,
  { check, json }: { check: boolean; json: boolean },
  signal: AbortSignal,
): Promise<void> {
  const { manifest, otherModels } = await restore(config, source, { check, signal });
  if (json) return print({ source, checked: check, otherModels, ...manifest });
  print(
    `${source}: ${manifest.files.length} files as they were at ${manifest.madeAt}${check ? '; nothing was written' : ''}`,
  );
  if (otherModels)
    print(
      `${config.modelsDir} has other models and was left alone: set MODELS_DIR to those of the backup to go on with them`,
    );
  for (const index of manifest.indices) print(`not in it: the Elasticsearch index ${index} (restore its snapshot)`);
}

function toLine({ store, outcome, sums }: Moved): string {
  const rows = Object.values(sums).reduce((sum, table) => sum + table.rows, 0);
  return `${store}: ${Object.keys(sums).length} tables, ${rows} rows, checksums agree (${outcome})`;
}

function nextStep(to: Engine): string {
  return to === 'mariadb' ? 'Start everything with DATABASE_URL set.' : 'Start everything without DATABASE_URL.';
}
