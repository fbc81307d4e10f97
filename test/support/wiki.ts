/** A real MediaWiki for a test file: its own copy of a wiki that was installed once, its own port and process group. */
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ACCOUNTS } from '../../deploy/wiki/accounts.ts';
import { installWiki, type RunningWiki, serveWiki, wikiProgram } from '../../deploy/wiki/wiki.ts';
import { hashText } from '../../shared/hash.ts';
import { repositoryRoot } from '../../shared/root.ts';
import { onFreePort } from './port.ts';
import { findProgram } from './program.ts';

export interface TestWiki extends RunningWiki {
  apiUrl: string;
  restUrl: string;
  accounts: typeof ACCOUNTS;
}

/** Why there is no MediaWiki here; null if there is. */
export function wikiUnavailable(): string | null {
  if (findProgram('php') === null) return 'no PHP: deploy/setup says which packages it needs';
  return existsSync(`${wikiProgram()}/index.php`) ? null : 'no MediaWiki: deploy/setup unpacks it';
}

/** Empty but for its accounts. `feedUrl`: where its edits are announced. Stop it when done: that also removes its folder. */
export async function startWiki(options: { feedUrl?: string } = {}): Promise<TestWiki> {
  const snapshot = await installSnapshot();
  const dataDir = await mkdtemp(join(tmpdir(), 'sidelight-wiki-'));
  await cp(snapshot, dataDir, { recursive: true });
  const wiki = await onFreePort((port) => serveWiki({ dataDir, port, feedUrl: options.feedUrl ?? null }));
  return {
    ...wiki,
    apiUrl: `${wiki.origin}/w/api.php`,
    restUrl: `${wiki.origin}/w/rest.php`,
    accounts: ACCOUNTS,
    async stop(deadlineMs) {
      await wiki.stop(deadlineMs);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Another one for other settings, so that a change of them is seen. */
async function installSnapshot(): Promise<string> {
  const root = repositoryRoot();
  const files = ['wiki.ts', 'accounts.ts', 'accounts.php', 'settings.php'].map((file) => `${root}/deploy/wiki/${file}`);
  const settings = await Promise.all([...files, `${wikiProgram()}/../version`].map((file) => readFile(file, 'utf8')));
  const snapshot = `${root}/.sidelight/test-wiki-snapshot/${hashText(settings.join('\n'))}`;
  await installWiki(snapshot);
  return snapshot;
}
