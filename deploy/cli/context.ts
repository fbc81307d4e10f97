/** What every command of the command line is given: settings from the environment, a signal to stop, and a part served until then. */
import { parseConfig } from '../../shared/config.ts';

export function config(overrides: Record<string, string> = {}) {
  return parseConfig({ ...process.env, ...overrides });
}

/** Aborted by Ctrl-C, SIGTERM, or the death of the process that started this one. */
export function stopSignal(): AbortSignal {
  const abort = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.once(name, () => abort.abort());
  return abort.signal;
}

/** Runs a part until it is asked to stop, then stops it within the deadline. */
export async function serve(
  begin: (settings: ReturnType<typeof config>) => Promise<{ stop(deadlineMs: number): Promise<void> }>,
) {
  const signal = stopSignal();
  const running = await begin(config());
  process.send?.('ready');
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  setTimeout(() => process.exit(1), 2 * STOP_DEADLINE_MS).unref(); // a Redis that is gone would be waited for
  await running.stop(STOP_DEADLINE_MS);
  process.exit(0);
}

/** Less than who starts a part gives it. */
const STOP_DEADLINE_MS = 2500;
