/** What people say of the rows that were found for a sentence: kept with the row as it was shown. The last word of each person counts. */
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { RequestError } from '../../../shared/errors.ts';
import type { Found, Row } from '../../../shared/found.ts';
import { type Schema, writing } from '../database.ts';
import type { Check } from './check.ts';

export const FeedbackRequest = z.object({
  /** Of the row. */
  url: z.string().min(1).max(4000),
  question: z.enum(['label', 'relevance']),
  answer: z.enum(['yes', 'no']),
});
export type FeedbackRequest = z.infer<typeof FeedbackRequest>;

/** Each column is a label. */
export const COLUMNS = ['supports', 'refutes', 'other'] as const;
export type Column = (typeof COLUMNS)[number];

/** What a person has said of each row, by its address. */
export type Said = ReadonlyMap<string, Partial<Record<FeedbackRequest['question'], FeedbackRequest['answer']>>>;

/** Throws RequestError `not_found` for an address that the check has not found. */
export async function giveFeedback(
  db: Kysely<Schema>,
  { id, found }: Check,
  { url, question, answer }: FeedbackRequest,
  person: { id: number },
): Promise<void> {
  const row = found === null ? null : rowAt(found, url);
  if (row === null) throw new RequestError('not_found', 'This check has found no such page.');
  const of = { check_id: id, user_id: person.id, url, question };
  await writing(db, async (trx) => {
    await trx
      .deleteFrom('feedback')
      .where((at) => at.and(of))
      .execute();
    const kept = { answer, row: JSON.stringify(row), created_at: new Date().toISOString() };
    await trx
      .insertInto('feedback')
      .values({ ...of, ...kept })
      .execute();
  });
}

export async function feedbackOf(db: Kysely<Schema>, id: string, person: { id: number } | null): Promise<Said> {
  if (person === null) return new Map();
  const rows = await db
    .selectFrom('feedback')
    .select(['url', 'question', 'answer'])
    .where((at) => at.and({ check_id: id, user_id: person.id }))
    .execute();
  const said = new Map<string, Partial<Record<FeedbackRequest['question'], FeedbackRequest['answer']>>>();
  for (const { url, question, answer } of rows) said.set(url, { ...said.get(url), [question]: answer });
  return said;
}

function rowAt(found: Found, url: string): ({ column: Column } & Row) | null {
  for (const column of COLUMNS) {
    const row = found[column].find((one) => one.url === url);
    if (row !== undefined) return { column, ...row };
  }
  return null;
}
