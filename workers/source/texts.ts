/**
 * Texts of fetched pages by their hash, and which of them stay though their page has another text by now: what people decided on is
 * labelled data (`workers/review/export.ts`). Never what a person gave.
 */
import type { Database } from 'better-sqlite3';

export interface Texts {
  /** By a source's `contentHash`. Null: there is no such text any more. */
  get(contentHash: string): string | null;
  /** From now on. One that is not there is passed over. */
  keep(contentHashes: readonly string[]): void;
}

export const KEPT_SQL = 'CREATE TABLE IF NOT EXISTS kept (hash TEXT PRIMARY KEY) STRICT;';

export function openTexts(database: Database): Texts {
  const select = database.prepare<[string], string>('SELECT text FROM texts WHERE hash = ?').pluck();
  const insert = database.prepare('INSERT INTO kept SELECT hash FROM texts WHERE hash = ? ON CONFLICT DO NOTHING');
  return {
    get: (contentHash) => select.get(contentHash) ?? null,
    keep: database.transaction((contentHashes: readonly string[]) => {
      for (const contentHash of contentHashes) insert.run(contentHash);
    }).immediate,
  };
}
