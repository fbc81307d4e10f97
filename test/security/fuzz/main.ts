/**
 * `npm run fuzz [-- --requests N] [--seed N] [--json]`: schemathesis asks a running review service all that its own OpenAPI document
 * describes and more, as a maintainer's program and as a patroller's browser. The server itself counts what it answered. Exits with 1
 * where it failed (5xx) once.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Command, Option } from 'commander';
import { repositoryRoot } from '../../../shared/root.ts';
import { makeToken } from '../../../workers/review/tokens.ts';
import { positive } from '../../bench/numbers.ts';
import { serveWhole, type Whole } from '../whole.ts';
import { type Counted, countAnswers } from './answers.ts';

const program = new Command('fuzz')
  .description('asks the API what nobody would, and counts what it fails at')
  .addOption(new Option('--requests <n>', 'to be answered, at least').argParser(positive).default(10_000))
  .addOption(new Option('--seed <n>', 'of the first run; the next one is one more').argParser(positive).default(1))
  .option('--json', 'one JSON object', false)
  .action(async (options: { requests: number; seed: number; json: boolean }) => {
    const { requests, statuses, failures } = await fuzz(options);
    const result = { requests, statuses, failures: [...failures] };
    process.stdout.write(`${options.json ? JSON.stringify(result) : describe(result)}\n`);
    process.exitCode = failures.size > 0 || requests < options.requests ? 1 : 0;
  });
await program.parseAsync();

async function fuzz({ requests, seed }: { requests: number; seed: number }): Promise<Counted> {
  const python = preparePython();
  const whole = await serveWhole();
  const counted = countAnswers(whole.server);
  try {
    for (let turn = 0; counted.requests < requests; turn += 1) {
      const before = counted.requests;
      await runSchemathesis(python, whole.origin, await headersOf(whole, turn), seed + turn);
      if (counted.requests === before) break; // it did not run: it has said why
    }
  } finally {
    await whole.close();
  }
  return counted;
}

/** Made anew for each run: one that revokes tokens revokes its own. */
async function headersOf({ db, people, signIn }: Whole, turn: number): Promise<Record<string, string>> {
  if (turn % 2 === 1) return (await signIn(people.patroller.name)).headers;
  const { secret } = await makeToken(db, people.maintainer.id, `run ${turn}`);
  return { authorization: `Bearer ${secret}` };
}

/** A virtual environment of its own, made once: nothing else of Sidelight needs it. */
function preparePython(): string {
  const folder = `${repositoryRoot()}/.sidelight/fuzz`;
  const python = `${folder}/bin/python`;
  const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: ['ignore', 2, 2] });
  if (!existsSync(python)) run('python3', '-m', 'venv', folder);
  run(python, '-m', 'pip', 'install', '--quiet', '-r', `${repositoryRoot()}/test/security/fuzz/requirements.txt`);
  return python;
}

/** Streams are left out: they have no end that a request could wait for. */
async function runSchemathesis(python: string, origin: string, headers: Record<string, string>, seed: number) {
  const child = spawn(
    python,
    [
      ...['-m', 'schemathesis.cli', 'run', `${origin}/api/openapi.json`, '--url', origin, '--seed', String(seed)],
      ...['--checks', 'not_a_server_error', '--phases', 'examples,coverage,fuzzing,stateful', '--no-shrink'],
      ...['--max-examples', '40', '--continue-on-failure', '--suppress-health-check', 'all', '--warnings', 'off'],
      ...['--exclude-path-regex', '/events$', '--request-timeout', '20', '--workers', '1'],
      ...['--generation-with-security-parameters', 'false'],
      ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    ],
    { stdio: ['ignore', 2, 2], cwd: `${repositoryRoot()}/.sidelight/fuzz` },
  );
  await once(child, 'exit');
}

function describe({
  requests,
  statuses,
  failures,
}: {
  requests: number;
  statuses: object;
  failures: string[];
}): string {
  const told = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`);
  return [`${requests} requests; ${told.join(', ')}`, ...failures.map((failure) => `failed: ${failure}`)].join('\n');
}
