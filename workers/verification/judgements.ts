/**
 * Judgements that were made, in one SQLite file that several processes open: known by claim, pages and model version, so that
 * nothing is judged twice. An edited article brings most of its claims again.
 */
import { z } from 'zod';
import { hashText } from '../../shared/hash.ts';
import { openDatabase } from '../sqlite.ts';
import { readClaim } from './claim.ts';
import { Judgement } from './judgement.ts';
import type { Page } from './passages.ts';
import type { ClaimText, Verifier } from './verifier.ts';

export interface Judgements {
  get(key: string): Judgement | null;
  put(key: string, judgement: Judgement): void;
  close(): void;
}

/** The same verifier, asking the store first. */
export function rememberJudgements(verifier: Verifier, judgements: Judgements): Verifier {
  return {
    ...verifier,
    async verify(claim, pages) {
      const key = keyOf(verifier.version, claim, pages);
      const known = judgements.get(key);
      if (known !== null) return known;
      const judgement = await verifier.verify(claim, pages);
      judgements.put(key, judgement);
      return judgement;
    },
  };
}

/** Spans of the claim count characters of its text, so its text counts as it is. */
function keyOf(version: string, claim: ClaimText, pages: readonly Page[]): string {
  const read = pages.map(({ url, title, text, pages: starts, cited }) => {
    const known = [url, title, hashText(text)];
    return starts === undefined ? known : [...known, starts, cited ?? []];
  });
  return hashText(JSON.stringify([version, claim.text, readClaim(claim).written, read]));
}

/** Keeps the newest `most`. Creates the file if there is none; throws RefuseToStart for one that a newer Sidelight wrote. */
export function openJudgements(path: string, most = 200_000): Judgements {
  const database = openDatabase(path, SCHEMA);
  const select = database.prepare('SELECT judgement FROM judgements WHERE key = ?');
  const insert = database.prepare('INSERT OR REPLACE INTO judgements (key, judgement) VALUES (?, ?)');
  const forget = database.prepare('DELETE FROM judgements WHERE id <= ?');
  return {
    get(key) {
      const row = Row.optional().parse(select.get(key));
      return row === undefined ? null : Judgement.parse(JSON.parse(row.judgement));
    },
    put(key, judgement) {
      const { lastInsertRowid } = insert.run(key, JSON.stringify(judgement));
      forget.run(Number(lastInsertRowid) - most);
    },
    close: () => database.close(),
  };
}

/** Ids rise, so that the oldest are known by them. */
const SCHEMA = {
  version: 1,
  sql: 'CREATE TABLE IF NOT EXISTS judgements (id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, judgement TEXT NOT NULL) STRICT',
};
const Row = z.object({ judgement: z.string() });
