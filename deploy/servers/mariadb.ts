/** A mariadbd of our own on loopback, kept in a folder. In: port and folder. Out: its address with a password, and a handle that stops it. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { RefuseToStart } from '../../shared/errors.ts';
import { type RunningServer, startServer } from './server.ts';

export interface RunningMariaDb extends RunningServer {
  /** `mariadb://sidelight:…@127.0.0.1:port/sidelight`: its user may make databases whose names begin with `sidelight`. */
  url: string;
}

export interface MariaDbOptions {
  port: number;
  dir: string;
  /** Where it listens; default loopback. */
  host?: string;
  /** Default: every commit is on the disk before it is acknowledged. Else a loss of power may lose it, the server's own end does not. */
  durable?: boolean;
  /** Run before it: `['ip', 'netns', 'exec', 'a']`. */
  prefix?: readonly string[];
}

/**
 * Throws RefuseToStart if it does not start, e.g. because the port is taken or
 * it is not installed.
 */
export async function serveMariaDb(options: MariaDbOptions): Promise<RunningMariaDb> {
  const { port, dir, host = '127.0.0.1', durable = true, prefix = [] } = options;
  await mkdir(join(dir, 'tmp'), { recursive: true });
  await install(dir);
  const password = await preparePassword(dir);
  const server = await startServer({
    name: 'MariaDB',
    port,
    command: [...prefix, 'mariadbd', ...configuration({ port, dir, host }), ...(durable ? [] : QUICK)],
    logFile: join(dir, 'mariadb.log'),
    answers: () => answers(host, port),
  });
  return { ...server, url: `mariadb://sidelight:${password}@${host}:${port}/sidelight` };
}

/** Into a folder of its own first, so that one that was cut short is not taken for a whole one. */
async function install(dir: string): Promise<void> {
  const done = join(dir, 'installed');
  if (await exists(done)) return;
  await rm(join(dir, 'data'), { recursive: true, force: true });
  const settings = ['--auth-root-authentication-method=socket', '--skip-test-db', '--skip-name-resolve'];
  try {
    await run('mariadb-install-db', [
      '--no-defaults',
      `--datadir=${join(dir, 'data')}`,
      `--tmpdir=${join(dir, 'tmp')}`,
      `--user=${user()}`,
      ...settings,
    ]);
  } catch (error) {
    throw new RefuseToStart('MariaDB could not be set up (apt-get install mariadb-server)', { cause: error });
  }
  await writeFile(done, '');
}

/** Its user and database are made at each start, should they not be there. */
async function preparePassword(dir: string): Promise<string> {
  const file = join(dir, 'password');
  if (!(await exists(file))) await writeFile(file, randomBytes(16).toString('hex'), { mode: 0o600 });
  const password = await readFile(file, 'utf8');
  const statements = [
    'CREATE DATABASE IF NOT EXISTS sidelight CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;',
    `CREATE USER IF NOT EXISTS sidelight@'%' IDENTIFIED BY '${password}';`,
    "GRANT ALL ON `sidelight%`.* TO sidelight@'%';",
  ];
  await writeFile(join(dir, 'init.sql'), `${statements.join('\n')}\n`, { mode: 0o600 });
  return password;
}

function configuration({ port, dir, host }: { port: number; dir: string; host: string }): string[] {
  const settings = {
    datadir: join(dir, 'data'),
    tmpdir: join(dir, 'tmp'), // each server that starts sweeps the temporary tables of its folder, another's too
    user: user(),
    port,
    'bind-address': host,
    socket: join(dir, 'mariadb.sock'),
    'pid-file': join(dir, 'mariadb.pid'),
    'init-file': join(dir, 'init.sql'),
    'character-set-server': 'utf8mb4',
    'innodb-flush-log-at-trx-commit': 1,
    'innodb-buffer-pool-size': '64M',
    'innodb-log-file-size': '32M',
    'innodb-buffer-pool-dump-at-shutdown': 'OFF',
    'innodb-fast-shutdown': 1,
    'performance-schema': 'OFF',
  };
  const flags = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
  return ['--no-defaults', '--skip-name-resolve', '--skip-log-bin', ...flags];
}

/** Nothing is waited for but the system's own memory. */
const QUICK = ['--innodb-flush-method=nosync', '--innodb-flush-log-at-trx-commit=2'];

/** It greets only when it lets in. */
async function answers(host: string, port: number): Promise<boolean> {
  const socket = connect(port, host);
  try {
    const [greeting] = await once(socket, 'data', { signal: AbortSignal.timeout(1000) });
    return String(greeting).includes('MariaDB');
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

const run = promisify(execFile);
const user = () => userInfo().username;
const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
