/** A real MediaWiki that says no in the ways that wikis do: spam blacklist, abuse filter, lock, rate limit, blocks, protection. */
import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Mwn } from 'mwn';
import { ACCOUNTS } from '../../../deploy/wiki/accounts.ts';
import { installWiki, type RunningWiki, serveWiki, wikiProgram } from '../../../deploy/wiki/wiki.ts';
import { repositoryRoot } from '../../../shared/root.ts';
import { Database } from '../../../shared/sql/better-sqlite3.ts';
import { onFreePort } from '../../support/port.ts';

export interface GuardedWiki extends RunningWiki {
  apiUrl: string;
  /** An administrator, with all rights: mwn with its own methods. */
  admin: Mwn;
  /** Null: the lock is taken away. */
  lock(reason: string | null): Promise<void>;
  /** How many edits anybody may make in an hour; null: as many as they like. */
  limitEdits(count: number | null): Promise<void>;
}

/** Stop it when done: that also removes its folder. */
export async function startGuardedWiki(): Promise<GuardedWiki> {
  const folder = await mkdtemp(join(tmpdir(), 'sidelight-guarded-'));
  const dataDir = join(folder, 'wiki');
  await installWiki(dataDir);
  await appendFile(join(dataDir, 'LocalSettings.php'), SETTINGS);
  await addFilter(dataDir);
  const wiki = await onFreePort((port) => serveWiki({ dataDir, port, feedUrl: null }));
  const apiUrl = `${wiki.origin}/w/api.php`;
  const { name: username, password } = ACCOUNTS.admin;
  return {
    ...wiki,
    apiUrl,
    admin: await Mwn.init({
      apiUrl,
      username,
      password,
      userAgent: 'test',
      silent: true,
      suppressAPIWarnings: true,
      maxRetries: 0,
    }),
    lock: (reason) => put(join(dataDir, 'readonly'), reason),
    limitEdits: (count) => put(join(dataDir, 'limit'), count === null ? null : String(count)),
    async stop(deadlineMs) {
      await wiki.stop(deadlineMs);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** AbuseFilter with one filter, which no API can make. */
async function addFilter(dataDir: string): Promise<void> {
  const environment = {
    MW_CONFIG_FILE: `${repositoryRoot()}/deploy/wiki/settings.php`,
    PHP_INI_SCAN_DIR: `:${repositoryRoot()}/deploy/wiki`,
    SIDELIGHT_WIKI_PROGRAM: wikiProgram(),
    SIDELIGHT_WIKI_DATA: dataDir,
    SIDELIGHT_WIKI_ORIGIN: 'http://127.0.0.1',
  };
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const update = ['php', 'maintenance/run.php', 'update', '--quick'];
  await promisify(execFile)('env', [...variables, ...update], { cwd: wikiProgram() });
  const database = new Database(join(dataDir, 'database', 'wiki.sqlite'));
  database.exec(FILTER);
  database.close();
}

const FILTER = `
INSERT INTO abuse_filter (af_id, af_pattern, af_actor, af_timestamp, af_enabled, af_comments, af_public_comments, af_hidden,
  af_hit_count, af_throttled, af_deleted, af_actions, af_global, af_group)
VALUES (1, 'added_lines rlike "no such words"', 1, '20260101000000', 1, '', 'words', 0, 0, 0, 0, 'disallow', 0, 'default');
INSERT INTO abuse_filter_action (afa_filter, afa_consequence, afa_parameters) VALUES (1, 'disallow', '');`;

async function put(path: string, text: string | null): Promise<void> {
  await (text === null ? rm(path, { force: true }) : writeFile(path, text));
}

/** Read by deploy/wiki/settings.php, which says what `$data` is. A namespace of content, as some wikis have more than one. */
const SETTINGS = `
wfLoadExtension( 'SpamBlacklist' );
wfLoadExtension( 'AbuseFilter' );
$wgBlacklistSettings = [ 'spam' => [ 'files' => [] ] ];
$wgMaxArticleSize = 20;
$wgReadOnlyFile = "$data/readonly";
$wgExtraNamespaces[100] = 'Atlas';
$wgExtraNamespaces[101] = 'Atlas_talk';
$wgContentNamespaces[] = 100;
$wgExtensionFunctions[] = static function () use ( $data ) {
	global $wgRateLimits;
	if ( is_file( "$data/limit" ) ) {
		$wgRateLimits['edit']['user'] = [ (int)file_get_contents( "$data/limit" ), 3600 ];
	}
};
`;
