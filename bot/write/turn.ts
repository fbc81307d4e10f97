/**
 * Whose turn it is to write: one process at a time for an account on a wiki, and a pause between two edits, kept in a file that
 * all processes of the machine share. In: a path, a clock. Out: a turn, or null where another process keeps it.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { openDatabase } from '../../workers/sqlite.ts';

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Rejects when it is aborted. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

export const CLOCK: Clock = {
  now: () => Date.now(),
  wait: (ms, signal) => wait(ms, undefined, signal === undefined ? {} : { signal }),
};

export interface Turns {
  /** Waits for another writer, but no longer than `PATIENCE_MS`. */
  take(account: string, signal?: AbortSignal): Promise<Turn | null>;
  /** A turn that was not released runs out. */
  close(): void;
}

export interface Turn {
  /** Milliseconds until the next edit may be made; null: this process stood still for so long that another has the turn. */
  untilEdit(intervalMs: number): number | null;
  /** Just before an edit is sent: its answer may be lost. */
  edits(): void;
  release(): void;
}

export function openTurns(path: string, clock: Clock = CLOCK): Turns {
  const database = openDatabase(path, SCHEMA);
  const taking = database.prepare(
    `INSERT INTO writers (account, holder, expires_at) VALUES (@account, @holder, @expires)
     ON CONFLICT (account) DO UPDATE SET holder = @holder, expires_at = @expires
     WHERE holder IS NULL OR holder = @holder OR expires_at <= @now`,
  );
  const renewing = database.prepare(
    'UPDATE writers SET expires_at = @expires WHERE account = @account AND holder = @holder',
  );
  const reading = database.prepare<[string], number>('SELECT edited_at FROM writers WHERE account = ?').pluck();
  const editing = database.prepare('UPDATE writers SET edited_at = @now WHERE account = @account');
  const releasing = database.prepare('UPDATE writers SET holder = NULL WHERE account = @account AND holder = @holder');

  const renewals = new Set<NodeJS.Timeout>();

  function turnOf(account: string, holder: string): Turn {
    const renew = () => renewing.run({ account, holder, expires: clock.now() + TERM_MS }).changes > 0;
    const renewal = setInterval(renew, TERM_MS / 3).unref();
    renewals.add(renewal);
    return {
      untilEdit(intervalMs) {
        if (!renew()) return null;
        const rest = (reading.get(account) ?? 0) + intervalMs - clock.now();
        return Math.min(intervalMs, Math.max(0, rest)); // not longer, where the machine's clock was set back
      },
      edits: () => void editing.run({ account, now: clock.now() }),
      release() {
        clearInterval(renewal);
        renewals.delete(renewal);
        releasing.run({ account, holder });
      },
    };
  }

  return {
    async take(account, signal) {
      const holder = randomUUID();
      const begun = clock.now();
      for (;;) {
        const now = clock.now();
        if (taking.run({ account, holder, now, expires: now + TERM_MS }).changes > 0) return turnOf(account, holder);
        if (now - begun >= PATIENCE_MS) return null;
        await clock.wait(ASK_EVERY_MS, signal);
      }
    },
    close() {
      for (const renewal of renewals) clearInterval(renewal);
      database.close();
    },
  };
}

/** A process that died holds its turn no longer than this. */
export const TERM_MS = 60_000;
/** Longer than TERM_MS, so that a dead process is outlived. */
export const PATIENCE_MS = 2 * TERM_MS;
const ASK_EVERY_MS = 1000;

const SCHEMA = {
  version: 1,
  sql: `CREATE TABLE IF NOT EXISTS writers (
    account TEXT PRIMARY KEY,
    holder TEXT,
    expires_at INTEGER NOT NULL,
    edited_at INTEGER NOT NULL DEFAULT 0
  ) STRICT`,
};
