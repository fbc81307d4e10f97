/**
 * `sidelight start`: the main job on this machine, from an edit to a finding. Out: progress, a table of the findings, and the
 * two addresses to open; then it goes on until it is stopped.
 */
import { once } from 'node:events';
import type { Config } from '../../shared/config.ts';
import { openReviewDatabase } from '../../workers/review/database.ts';
import { createFindings } from '../../workers/review/findings.ts';
import { firstPass } from '../local/first-pass.ts';
import { createProgress } from '../local/progress.ts';
import { portsFrom } from '../local/settings.ts';
import { startStack } from '../local/stack.ts';
import { findingsTable } from '../local/table.ts';
import { ACCOUNTS } from '../wiki/accounts.ts';
import { print } from './print.ts';

export interface StartOptions {
  environment: Record<string, string | undefined>;
  /** Stop after the first pass. */
  once: boolean;
  /** First of the four ports on loopback. */
  port: number;
  signal: AbortSignal;
}

export async function start({ environment, once: onlyOnce, port, signal }: StartOptions): Promise<void> {
  const ports = portsFrom(port);
  let say = (line: string) => print(line);
  const broken = new AbortController();
  const stack = await startStack({
    environment,
    ports,
    onStep: (step) => say(`… ${step}`),
    onWarning: (name, message) => say(`! ${name}: ${message}`),
    onExit(name) {
      say(`! ${name} ended unexpectedly; see its log in ${environment.DATA_DIR ?? '.sidelight'}/logs/`);
      broken.abort();
    },
  });
  const stopped = AbortSignal.any([signal, broken.signal]);
  const progress = createProgress(process.stderr, await stack.queues.count());
  try {
    say = progress.say;
    await firstPass(stack, ports, { onCounts: progress.update, say: progress.say, signal: stopped });
    progress.stop();
    say = print;
    await report(stack.config, environment.WIKI === undefined);
    if (!onlyOnce) await untilAborted(stopped);
  } catch (error) {
    if (!stopped.aborted) throw error;
  } finally {
    progress.stop();
    print('… stopping');
    await stack.stop();
  }
  if (broken.signal.aborted) process.exitCode = 1;
}

async function report(config: Config, isSample: boolean): Promise<void> {
  const database = await openReviewDatabase(config.databases.review);
  const findings = createFindings(database);
  const rows = await findings.list({ wiki: config.wiki.id, state: 'open' }, { limit: 200 });
  const coverage = await findings.coverage({ wiki: config.wiki.id });
  await database.destroy();
  const table = findingsTable(
    rows.map(({ finding }) => finding),
    process.stdout.columns ?? 140,
  );
  const checked =
    coverage === null ? 'nothing checked yet' : `${coverage.checked} of ${coverage.claims} claims checked`;
  print(`${table}\n${checked}; findings that ask for a person come first on the review page.\n`);
  print(`  review page   ${new URL('/', config.review.url)}`);
  const article = rows.find(({ finding }) => finding.suggestion !== null) ?? rows[0];
  if (article === undefined) return;
  print(
    `  an article    ${config.wiki.origin}/wiki/${encodeURIComponent(article.finding.page.title.replaceAll(' ', '_'))}`,
  );
  if (isSample)
    print(`                sign in on both as ${ACCOUNTS.reader.name}, password ${ACCOUNTS.reader.password}`);
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  print('\nFollowing recent changes. Ctrl-C stops everything.');
  if (!signal.aborted) await once(signal, 'abort');
}
