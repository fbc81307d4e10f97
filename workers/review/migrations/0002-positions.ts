/** Places in the queue by the ranks of all verdicts, contradicted first. What was put off stays so often behind the others. */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`UPDATE findings SET position = deferrals * 16 + COALESCE(score, 0) + CASE verdict
    WHEN 'contradicted' THEN 0 WHEN 'not_supported' THEN 2 WHEN 'partially_supported' THEN 4 WHEN 'unsourced' THEN 6
    WHEN 'unavailable' THEN 8 WHEN 'unsupported_language' THEN 10 WHEN 'uncheckable' THEN 12 ELSE 14 END`.execute(db);
}
