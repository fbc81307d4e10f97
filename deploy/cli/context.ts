/** What every command of the command line is given: settings from the environment, a signal to stop, and a part served until then. */
import { parseConfig } from '../../shared/config.ts';
import { hideSecrets } from '../../shared/logger.ts';
import type { Service } from '../../shared/runner.ts';
import { secretsOf } from '../../shared/secrets.ts';
import { startTracing } from '../../shared/tracing.ts';

export function config(overrides: Record<string, string> = {}) {
  const environment = { ...process.env, ...overrides };
  hideSecrets(secretsOf(environment));
  return parseConfig(environment);
}

/** Aborted by Ctrl-C, SIGTERM, or the death of the process that started this one. */
export function stopSignal(): AbortSignal {
  const abort = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.once(name, () => abort.abort());
  return abort.signal;
}

/**
 * Runs a part until it is asked to stop, then stops it within the deadline. All the while it says how it is, where OPS_PORT is set.
 * `begin` also loads the part's code: who is asked to stop while it does ends as asked, and not by the signal.
 */
export async function serve(part: string, begin: (settings: ReturnType<typeof config>) => Promise<Service>) {
  const signal = stopSignal();
  const settings = config();
  let hasBegun = false;
  endWithin(signal, settings.stopMs, () => (hasBegun ? 1 : 0)); // before that it has nothing in hand: a unit would count as failed
  const tracing = await startTracing(settings.tracesUrl, part);
  const ops = await openOps(settings);
  const running = await begin(settings);
  hasBegun = true;
  ops?.began(async () => (await running.ready?.()) ?? []);
  process.send?.('ready');
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  ops?.stopping();
  await running.stop(0.8 * settings.stopMs); // the rest is for closing what was open
  await tracing.stop();
  process.exit(0);
}

/** From when it is asked to stop: also while it begins, which may wait for others' migrations, or for a Redis that is gone. */
function endWithin(signal: AbortSignal, ms: number, exitCode: () => number): void {
  const end = () => void setTimeout(() => process.exit(exitCode()), ms).unref();
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
}

/** Null where nobody asks. */
async function openOps({ ops, dataDir }: ReturnType<typeof config>) {
  if (ops === null) return null;
  const { tellDisk } = await import('../servers/disk.ts');
  const { serveOps } = await import('../servers/ops.ts');
  tellDisk(dataDir);
  return serveOps(ops);
}
