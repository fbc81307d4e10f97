/**
 * The comparison of SIDE's study with readers (Petroni et al. 2023, "Human evaluation"): what is cited for a claim beside what is
 * suggested, unnamed and in random order. In: who judges. Out: the item that is theirs next. What they say: `judge.ts`.
 */
import { randomInt } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { type Evidence, Finding } from '../../../shared/citation.ts';
import { RequestError } from '../../../shared/errors.ts';
import { hashText } from '../../../shared/hash.ts';
import { type Schema, writing } from '../database.ts';
import { optOut } from '../matching.ts';

/** Judgements that an item gets, each of another person. */
export const JUDGES = 5;

export interface BlindItem {
  id: number;
  finding: Finding;
  /** Which of the two this person sees first. */
  first: 'cited' | 'suggested';
  passages: { cited: Evidence; suggested: Evidence };
}

/** An item that others have begun and this person has not judged; else a finding joins. Null: there is none left for this person. */
export async function nextItem(db: Kysely<Schema>, userId: number, without?: number): Promise<number | null> {
  return writing(db, async (trx) => {
    const begun = await begunItem(trx, userId, without);
    return begun ?? (await addItem(trx));
  });
}

/** Throws RequestError `not_found`, also where the article has opted out since. */
export async function getItem(db: Kysely<Schema>, id: number, userId: number): Promise<BlindItem> {
  const row = await db
    .selectFrom('blind_items')
    .innerJoin('findings', 'findings.id', 'blind_items.finding_id')
    .select('blind_items.finding')
    .where('blind_items.id', '=', id)
    .where((at) => at.not(at.exists(optOut(at))))
    .executeTakeFirst();
  const finding = row === undefined ? null : Finding.parse(JSON.parse(row.finding));
  const passages = finding === null ? null : passagesOf(finding);
  if (finding === null || passages === null) throw new RequestError('not_found', `There is no comparison ${id}.`);
  return { id, finding, first: firstOf(id, userId), passages };
}

/** As good as random, and the same whenever this person asks. */
export function firstOf(item: number, userId: number): 'cited' | 'suggested' {
  return Number.parseInt(hashText(`${item} ${userId}`).slice(0, 8), 16) % 2 === 0 ? 'cited' : 'suggested';
}

/** The one with the most judgements: five of one item say more than one of five. */
async function begunItem(trx: Transaction<Schema>, userId: number, without = 0): Promise<number | null> {
  const row = await trx
    .selectFrom('blind_items')
    .innerJoin('findings', 'findings.id', 'blind_items.finding_id')
    .leftJoin('blind_judgements', 'blind_judgements.item_id', 'blind_items.id')
    .select(['blind_items.id'])
    .select(({ fn }) => fn.count<number>('blind_judgements.user_id').as('judges'))
    .where('blind_items.id', '!=', without)
    .where((at) => at.not(at.exists(optOut(at))))
    .where('blind_items.id', 'not in', (own) =>
      own.selectFrom('blind_judgements').select('item_id').where('user_id', '=', userId),
    )
    .groupBy('blind_items.id')
    .having(({ fn }) => fn.count<number>('blind_judgements.user_id'), '<', JUDGES)
    .orderBy('judges', 'desc')
    .orderBy('blind_items.id')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Any finding with both passages may join, whatever its score: drawn at random. */
async function addItem(trx: Transaction<Schema>): Promise<number | null> {
  const rows = await trx
    .selectFrom('findings')
    .select('id')
    .where('has_suggestion', '=', 1)
    .where('state', '!=', 'closed')
    .where((at) => at.not(at.exists(optOut(at))))
    .where('id', 'not in', (joined) => joined.selectFrom('blind_items').select('finding_id'))
    .limit(DRAWN_FROM)
    .execute();
  const left = rows.map(({ id }) => id);
  while (left.length > 0) {
    const [id] = left.splice(randomInt(left.length), 1);
    const item = id === undefined ? null : await join(trx, id);
    if (item !== null) return item;
  }
  return null;
}

const DRAWN_FROM = 10_000;

async function join(trx: Transaction<Schema>, id: number): Promise<number | null> {
  const row = await trx.selectFrom('findings').select('finding').where('id', '=', id).executeTakeFirstOrThrow();
  if (passagesOf(Finding.parse(JSON.parse(row.finding))) === null) return null;
  const item = { finding_id: id, finding: row.finding, created_at: new Date().toISOString() };
  const added = await trx.insertInto('blind_items').values(item).returning('id').executeTakeFirstOrThrow();
  return added.id;
}

/** A text that a person gave is private, and is shown to nobody else. */
function passagesOf({ evidence, suggestion, citations }: Finding): BlindItem['passages'] | null {
  if (evidence === null || suggestion === null || citations.some(({ given }) => given)) return null;
  return { cited: evidence, suggested: suggestion.evidence };
}
