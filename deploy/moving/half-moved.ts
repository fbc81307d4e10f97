/**
 * A place into which a move was begun and not ended is no database yet: what people did in it would be lost when the move is repeated.
 * In: places. Out: a refusal, or nothing. Makes no file.
 */
import { existsSync } from 'node:fs';
import type { Config } from '../../shared/config.ts';
import { RefuseToStart, TransientError } from '../../shared/errors.ts';
import { type DatabasePlace, isShared, openSql, redact } from '../../shared/sql.ts';
import { begunStores } from './copy.ts';

/** Throws RefuseToStart. A place that does not answer is passed over: who opens it says so. */
export async function refuseHalfMoved(places: Config['databases']): Promise<void> {
  const { judgements: _, ...stores } = places; // a cache, which is never moved
  for (const place of new Set(Object.values(stores))) {
    if (!isShared(place) && !existsSync(place)) continue;
    if ((await begunIn(place)).length === 0) continue;
    throw new RefuseToStart(
      `${redact(place)}: a move into it was begun and not ended: repeat \`sidelight migrate\` (or \`restore\`) as it was begun`,
    );
  }
}

async function begunIn(place: DatabasePlace): Promise<string[]> {
  const db = openSql<unknown>(place);
  try {
    return await begunStores(db);
  } catch (error) {
    if (error instanceof TransientError) return [];
    throw error;
  } finally {
    await db.destroy();
  }
}
