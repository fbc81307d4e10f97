/** How commands without queues read sources: from the web, or offline what was fetched before, and nothing else. */
import type { Config } from '../../shared/config.ts';
import { createOfflineReader, createReader, type SourceReader } from '../../workers/source/read.ts';
import { openSourceStore } from '../../workers/source/store.ts';
import { createProcessTurns } from '../../workers/source/turns.ts';

/** `offline`: what workers fetched, or `sidelight sources import` brought in. */
export async function withReader<T>(
  { sources, databases }: Pick<Config, 'sources' | 'databases'>,
  offline: boolean,
  use: (reader: SourceReader) => Promise<T>,
): Promise<T> {
  if (!offline) return use(createReader(sources, { turns: createProcessTurns(sources.turns) }));
  const store = await openSourceStore(databases.sources, sources);
  try {
    return await use(createOfflineReader(sources, store.responses));
  } finally {
    await store.close();
  }
}
