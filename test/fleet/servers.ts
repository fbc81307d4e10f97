/** Redis, MariaDB and Elasticsearch on hosts, as somebody who runs them sets them up. In: hosts. Out: command lines. Starts nothing. */

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, rename, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { elasticsearchCommand } from '../../deploy/servers/elasticsearch/elasticsearch.ts';
import { repositoryRoot } from '../../shared/root.ts';
import { findProgram } from '../support/program.ts';
import type { Host } from './hosts.ts';

/** Appends every write to a file, and evicts nothing. */
export function redisCommand({ address, dir }: Host): string[] {
  const settings = {
    bind: address,
    port: 6379,
    dir,
    'protected-mode': 'no',
    appendonly: 'yes',
    appendfsync: 'everysec',
    save: '',
    'maxmemory-policy': 'noeviction',
  };
  return ['redis-server', ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])];
}

const DATABASE = { user: 'fleet', password: 'fleet', name: 'fleet' };

export function databaseUrl({ address }: Host): string {
  const { user, password, name } = DATABASE;
  return `mariadb://${user}:${password}@${address}:3306/${name}`;
}

export function mariadbProgram(): string | null {
  return findProgram('mariadbd') ?? (existsSync('/usr/sbin/mariadbd') ? '/usr/sbin/mariadbd' : null);
}

/** Its folder is filled first: `prepareMariadb`. Every commit is on disk before it is answered. */
export function mariadbCommand({ address, dir }: Host): string[] {
  const settings = {
    datadir: `${dir}/data`,
    socket: `${dir}/mariadb.sock`,
    'pid-file': `${dir}/mariadb.pid`,
    'init-file': `${dir}/init.sql`,
    'bind-address': address,
    user: 'root',
    tmpdir: dir,
    'innodb-buffer-pool-size': '64M',
    'innodb-log-file-size': '24M',
    'innodb-flush-log-at-trx-commit': '1',
    'max-connections': '200',
  };
  const flags = ['--no-defaults', '--skip-name-resolve', '--character-set-server=utf8mb4'];
  return [
    mariadbProgram() ?? 'mariadbd',
    ...flags,
    ...Object.entries(settings).map(([name, value]) => `--${name}=${value}`),
  ];
}

/** An empty database, copied: making one takes seconds. */
export async function prepareMariadb({ dir }: Host): Promise<void> {
  const made = `${repositoryRoot()}/.sidelight/fleet/mariadb`;
  if (!existsSync(made)) await installMariadb(made);
  await cp(made, `${dir}/data`, { recursive: true });
  const { user, password, name } = DATABASE;
  const account = `'${user}'@'%'`;
  await writeFile(
    `${dir}/init.sql`,
    [
      `CREATE DATABASE IF NOT EXISTS ${name} CHARACTER SET utf8mb4;`,
      `CREATE USER IF NOT EXISTS ${account} IDENTIFIED BY '${password}';`,
      `GRANT ALL ON ${name}.* TO ${account};`,
    ].join('\n'),
  );
}

async function installMariadb(dir: string): Promise<void> {
  const unfinished = `${dir}.${process.pid}`;
  await mkdir(unfinished, { recursive: true });
  const flags = [
    '--no-defaults',
    `--datadir=${unfinished}`,
    `--tmpdir=${unfinished}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
  ];
  await promisify(execFile)('mariadb-install-db', [...flags, '--user=root', '--innodb-log-file-size=24M']);
  await rename(unfinished, dir);
}

/** One node of a cluster of `nodes`. */
export function elasticsearchOn(host: Host, nodes: readonly Host[]): string[] {
  const members = nodes.map(({ name, address }) => ({ name, host: address, port: 9200, transportPort: 9300 }));
  const member = members.find(({ name }) => name === host.name);
  if (member === undefined) throw new RangeError(`${host.name} is no node`);
  return elasticsearchCommand(member, members, { folder: host.dir, heap: '256m' });
}
