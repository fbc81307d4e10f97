/** What moves and keeps what was found, declared for the command line: `migrate`, `backup`, `restore`. */
import { type Command, Option } from 'commander';
import { ENGINES, type Engine } from '../moving/engines.ts';
import { config, stopSignal } from './context.ts';
import { queueConfig } from './queues.ts';

export function declareMoving(program: Command): void {
  program
    .command('migrate')
    .description('copy findings, sources, lists and worklists between DATA_DIR (SQLite) and DATABASE_URL (MariaDB)')
    .addOption(new Option('--from <engine>').choices(ENGINES).makeOptionMandatory())
    .addOption(new Option('--to <engine>').choices(ENGINES).makeOptionMandatory())
    .option('--json', 'print one JSON object', false)
    .action(async (options: { from: Engine; to: Engine; json: boolean }) => {
      const { migrateStores } = await import('../commands/moving.ts');
      await migrateStores(await queueConfig(), options, stopSignal());
    });

  program
    .command('backup')
    .description('copy what can not be made again into a folder or a .tar.gz; everything may go on running')
    .argument('<target>', 'folder that is not there yet, or name of a .tar.gz')
    .option('--without-models', 'leave the models out', false)
    .option('--with-secrets', 'also the secret that signs sessions', false)
    .option('--json', 'print one JSON object', false)
    .action(async (target: string, options: { withoutModels: boolean; withSecrets: boolean; json: boolean }) => {
      const { backUp } = await import('../commands/moving.ts');
      await backUp(config(), target, options, stopSignal());
    });

  program
    .command('restore')
    .description('put a backup into an empty DATA_DIR (and an empty DATABASE_URL), before anything is started')
    .argument('<source>', 'folder or .tar.gz that `backup` made')
    .option('--check', 'only compare its files with its checksums', false)
    .option('--json', 'print one JSON object', false)
    .action(async (source: string, options: { check: boolean; json: boolean }) => {
      const { restoreBackup } = await import('../commands/moving.ts');
      await restoreBackup(config(), source, options, stopSignal());
    });
}
