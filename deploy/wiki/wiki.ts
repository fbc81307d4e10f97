/**
 * A real MediaWiki on loopback: SQLite, PHP's own web server. In: a folder for what it keeps, a port. Out: a handle that stops
 * it. The program itself is unpacked by deploy/setup; a copy of the folder is a snapshot that serves on any port.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '../../shared/root.ts';
import { type RunningServer, startServer } from '../servers/server.ts';
import { ACCOUNTS } from './accounts.ts';
import { OAUTH_CLIENTS } from './oauth.ts';

export interface WikiOptions {
  dataDir: string;
  port: number;
  /** Where every edit is announced (MediaWiki's $wgRCFeeds): `redis://host:port/channel`; null: nowhere. */
  feedUrl: string | null;
}

export interface RunningWiki extends RunningServer {
  /** `http://127.0.0.1:port`; articles are at /wiki/Title, the APIs at /w/api.php and /w/rest.php. */
  origin: string;
}

/** Folder of MediaWiki's program, whether it is there or not. */
export function wikiProgram(): string {
  return `${repositoryRoot()}/.sidelight/mediawiki/mw`;
}

/** Makes a wiki with its accounts in `dataDir`; does nothing if there is one. Takes about 1 s. */
export async function installWiki(dataDir: string): Promise<void> {
  if (existsSync(join(dataDir, 'LocalSettings.php'))) return;
  await mkdir(dirname(dataDir), { recursive: true });
  const unfinished = await mkdtemp(`${resolve(dataDir)}.`); // MediaWiki has another working folder
  await mkdir(join(unfinished, 'database'));
  await mkdir(join(unfinished, 'cache'));
  await maintain(['install', ...installOptions(unfinished)]);
  await maintain([`${repositoryRoot()}/deploy/wiki/accounts.php`], {
    ...wikiEnvironment({ dataDir: unfinished, port: 80, feedUrl: null }),
    SIDELIGHT_WIKI_ACCOUNTS: JSON.stringify(Object.values(ACCOUNTS)),
  });
  await keepFirst(unfinished, dataDir);
}

/** Serves what `installWiki` made. Throws RefuseToStart if the port is taken. */
export async function serveWiki(options: WikiOptions): Promise<RunningWiki> {
  const origin = originAt(options.port);
  const program = wikiProgram();
  const server = await startServer({
    name: 'MediaWiki',
    port: options.port,
    command: ['php', '-S', `127.0.0.1:${options.port}`, '-t', program, `${repositoryRoot()}/deploy/wiki/router.php`],
    environment: { ...wikiEnvironment(options), PHP_CLI_SERVER_WORKERS: '4' },
    logFile: join(options.dataDir, 'server.log'),
    answers: () => answers(origin),
  });
  return { ...server, origin };
}

function installOptions(dataDir: string): string[] {
  const options = {
    dbtype: 'sqlite',
    dbpath: join(dataDir, 'database'),
    dbname: 'wiki',
    server: originAt(80),
    scriptpath: '/w',
    lang: 'en',
    confpath: dataDir,
    extensions: 'AbuseFilter,Cite,Gadgets,ParserFunctions,TemplateData',
    skins: 'Vector',
    pass: ACCOUNTS.admin.password,
  };
  const flags = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  return [...flags, 'Sample wiki', ACCOUNTS.admin.name];
}

/** Runs a maintenance script of MediaWiki. */
async function maintain(script: string[], environment: Record<string, string> = {}): Promise<void> {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const command = [...variables, 'php', 'maintenance/run.php', ...script];
  await promisify(execFile)('env', command, { cwd: wikiProgram() });
}

function wikiEnvironment(options: WikiOptions): Record<string, string> {
  const folder = `${repositoryRoot()}/deploy/wiki`;
  return {
    MW_CONFIG_FILE: `${folder}/settings.php`,
    PHP_INI_SCAN_DIR: `:${folder}`, // beside the machine's own settings, which the empty entry stands for
    SIDELIGHT_WIKI_PROGRAM: wikiProgram(),
    SIDELIGHT_WIKI_DATA: resolve(options.dataDir),
    SIDELIGHT_WIKI_ORIGIN: originAt(options.port),
    SIDELIGHT_WIKI_FEED: options.feedUrl ?? '',
    SIDELIGHT_WIKI_CLIENTS: JSON.stringify(Object.fromEntries(CLIENTS.map(({ id, ...client }) => [id, client]))),
  };
}

const CLIENTS = Object.values(OAUTH_CLIENTS);

/** Whoever installs the same wiki at the same time may have been quicker: then theirs stays. */
async function keepFirst(unfinished: string, dataDir: string): Promise<void> {
  try {
    await rename(unfinished, dataDir);
  } catch (error) {
    if (!existsSync(join(dataDir, 'LocalSettings.php'))) throw error;
    await rm(unfinished, { recursive: true });
  }
}

async function answers(origin: string): Promise<boolean> {
  const url = `${origin}/w/api.php?action=query&meta=siteinfo&format=json`;
  const response = await fetch(url).catch(() => null);
  await response?.arrayBuffer();
  return response?.ok ?? false;
}

function originAt(port: number): string {
  return `http://127.0.0.1:${port}`;
}
