/** How the installation is, declared for the command line: `status`. */
import type { Command } from 'commander';
import { queueConfig } from './queues.ts';

export function declareStatus(program: Command): void {
  program
    .command('status')
    .description(
      'what waits, what fails and why, and what to do; exits with 0 if all is fine, 1 if not, 2 if work stands still',
    )
    .option('--json', 'all of it, for programs')
    .action(async (options: { json?: boolean }) => {
      const { status } = await import('../commands/status.ts');
      const code = await status(await queueConfig(), { json: options.json === true });
      process.stdout.write('', () => process.exit(code)); // not waiting for a server that hangs
    });
}
