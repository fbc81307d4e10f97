/** A real MariaDB for a test file: its own process, port and folder, and a fresh database whenever one is wanted. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type RunningMariaDb, serveMariaDb } from '../../deploy/servers/mariadb.ts';
import { openSql } from '../../shared/sql.ts';
import { onFreePort } from './port.ts';
import { findProgram } from './program.ts';

export interface TestMariaDb extends RunningMariaDb {
  /** Of a new empty database; it goes with the server. */
  freshDatabase(): Promise<string>;
  /** On the same port and folder, after `stop({ keep: true })` or a kill. */
  startAgain(): Promise<void>;
  /** Ends it and leaves its folder; `kill`: as kill -9 does. */
  pause(how?: { kill?: boolean }): Promise<void>;
}

/** Why there is no MariaDB here; null if there is. */
export function mariaDbUnavailable(): string | null {
  return findProgram('mariadbd') === null ? 'no mariadbd: apt-get install mariadb-server' : null;
}

/** Stop it when done: that also removes its folder. */
export async function startMariaDb(): Promise<TestMariaDb> {
  const dir = await mkdtemp(join(tmpdir(), 'sidelight-mariadb-'));
  let running = await onFreePort((port) => serveMariaDb({ port, dir, durable: false }));
  const { url } = running;
  return {
    url,
    get pid() {
      return running.pid;
    },
    freshDatabase: () => freshDatabase(url),
    async pause({ kill = false } = {}) {
      if (kill) process.kill(-running.pid, 'SIGKILL');
      await running.stop(10_000);
    },
    async startAgain() {
      running = await serveMariaDb({ port: Number(new URL(url).port), dir, durable: false });
    },
    async stop(deadlineMs) {
      await running.stop(deadlineMs);
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function freshDatabase(url: string): Promise<string> {
  const name = `sidelight_${randomBytes(6).toString('hex')}`;
  const db = openSql(url);
  try {
    await sql`create database ${sql.id(name)}`.execute(db);
  } finally {
    await db.destroy();
  }
  return url.replace(/\/sidelight$/, `/${name}`);
}
