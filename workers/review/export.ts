/**
 * What people said → labelled data, one record a line: pairs for evaluation and training (`workers/evaluation/pairs.ts`), judgements for
 * `evaluate agreement`, or decisions as they are. People are pseudonyms. Left out and counted is what has no label or no text.
 */
import { createHmac } from 'node:crypto';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { Finding } from '../../shared/citation.ts';
import { Row as FoundRow } from '../../shared/found.ts';
import type { LabelledPair } from '../evaluation/pairs.ts';
import type { Texts } from '../source/texts.ts';
import { blindJudgements } from './blind/results.ts';
import { COLUMNS } from './checks/feedback.ts';
import type { Schema } from './database.ts';
import type { Export } from './export-formats.ts';
import { type Labelled, type LeftOut, labelOfDecision, labelOfFeedback } from './export-labels.ts';

export interface ExportSources {
  db: Kysely<Schema>;
  texts: Pick<Texts, 'get'>;
  /** Makes pseudonyms that nobody else can make again. */
  secret: string;
  /** ISO time; '': from the beginning. */
  since: string;
  onLeftOut: (why: LeftOut) => void;
}

/** In the order in which it was said. */
export async function* exportFeedback(format: Export, sources: ExportSources): AsyncGenerator<object> {
  if (format === 'judgements') yield* judgements(sources);
  else if (format === 'decisions') yield* decisions(sources);
  else yield* pairs(sources);
}

async function* judgements({ db, secret, since }: ExportSources): AsyncGenerator<object> {
  for (const said of await blindJudgements(db, since)) yield { ...said, judge: pseudonym(secret, said.judge) };
}

async function* decisions({ db, secret, since }: ExportSources): AsyncGenerator<object> {
  for await (const { judged, page_id: page, user_id: user, ...row } of inParts((after) => decided(db, since, after))) {
    const claim = Finding.nullable().parse(JSON.parse(judged ?? 'null'));
    const { text = null, hash = null, section = [] } = claim?.claim ?? {};
    const citations = claim?.citations.map((one) => ({ hash: one.hash, url: one.url, contentHash: one.contentHash }));
    const about = {
      page: { id: page, title: row.page_title },
      claim: { hash, text, section },
      citations: citations ?? [],
    };
    const { page_title: _, ...rest } = row;
    yield { ...rest, ...about, score: claim?.score ?? null, by: user === null ? null : pseudonym(secret, user) };
  }
}

async function* pairs(sources: ExportSources): AsyncGenerator<LabelledPair & object> {
  const { db, since, onLeftOut } = sources;
  for await (const row of inParts((after) => decided(db, since, after))) {
    const made = await pairOfDecision(row, sources);
    if ('leftOut' in made) onLeftOut(made.leftOut);
    else yield made;
  }
  for await (const row of inParts((after) => answered(db, since, after))) {
    const made = pairOfFeedback(row, sources);
    if ('leftOut' in made) onLeftOut(made.leftOut);
    else yield made;
  }
}

type Pair = (LabelledPair & Said) | { leftOut: LeftOut };

/** What a pair has beside what evaluation and training read. */
interface Said {
  /** Pseudonym. */
  by: string | null;
  at: string;
  model: string | null;
  score: number | null;
}

async function pairOfDecision(row: DecidedRow, { texts, secret }: ExportSources): Promise<Pair> {
  const { decision, verdict, reason, undone_at: undoneAt, judged } = row;
  if (undoneAt !== null) return { leftOut: 'undone' };
  if (judged === null || verdict === null) return { leftOut: 'not_kept' };
  const labelled: Labelled = labelOfDecision(decision, verdict, reason);
  if ('leftOut' in labelled) return labelled;
  const finding = Finding.parse(JSON.parse(judged));
  const read = await textsOf(finding, texts);
  if ('leftOut' in read) return read;
  const { text, section, context } = finding.claim;
  return {
    id: `decision-${row.id}`,
    claim: { text, title: finding.page.title, section, context },
    ...{ sources: read.sources, label: labelled.label, kind: reason ?? verdict },
    article: `${finding.wiki} ${finding.page.title}`,
    by: row.user_id === null ? null : pseudonym(secret, row.user_id),
    ...{ at: row.created_at, model: finding.model, score: finding.score },
  };
}

type Read = { sources: LabelledPair['sources'] } | { leftOut: LeftOut };

/** All that was judged together, or nothing: the label is of all of them. */
async function textsOf({ citations }: Finding, texts: ExportSources['texts']): Promise<Read> {
  const judged = citations.filter(({ contentHash }) => contentHash !== undefined);
  if (judged.some(({ given }) => given)) return { leftOut: 'given_text' };
  const sources: LabelledPair['sources'] = [];
  for (const { contentHash = '', readUrl, url, title } of judged) {
    const text = await texts.get(contentHash);
    if (text !== null) sources.push({ url: readUrl ?? url ?? '', title: title ?? '', text });
  }
  return sources.length === 0 || sources.length < judged.length ? { leftOut: 'text_gone' } : { sources };
}

const ShownRow = FoundRow.extend({ column: z.enum(COLUMNS) });

function pairOfFeedback(row: AnsweredRow, { secret }: ExportSources): Pair {
  const shown = ShownRow.parse(JSON.parse(row.row));
  const labelled = labelOfFeedback(row.question, row.answer, shown.column);
  if ('leftOut' in labelled) return labelled;
  return {
    id: `check-${row.id}`,
    claim: { text: row.claim ?? '', title: row.page_title ?? '', section: [], context: '' },
    sources: [{ url: shown.url, title: shown.title, text: shown.passage }],
    ...{ label: labelled.label, kind: `check_${shown.column}`, article: row.check_id },
    ...{ by: pseudonym(secret, row.user_id), at: row.created_at, model: null, score: shown.support },
  };
}

type DecidedRow = Awaited<ReturnType<typeof decided>>[number];
type AnsweredRow = Awaited<ReturnType<typeof answered>>[number];

function decided(db: Kysely<Schema>, since: string, after: number) {
  return db
    .selectFrom('decisions')
    .innerJoin('findings', 'findings.id', 'decisions.finding_id')
    .select(['decisions.id', 'finding_id', 'findings.wiki', 'page_id', 'page_title', 'decisions.decision'])
    .select(['decisions.reason', 'comment', 'user_id', 'decisions.created_at', 'undone_at'])
    .select(['decisions.verdict', 'decisions.revision', 'decisions.model', 'judged'])
    .where('decisions.created_at', '>=', since)
    .where('decisions.id', '>', after)
    .orderBy('decisions.id')
    .limit(AT_ONCE)
    .execute();
}

function answered(db: Kysely<Schema>, since: string, after: number) {
  return db
    .selectFrom('feedback')
    .innerJoin('checks', 'checks.id', 'feedback.check_id')
    .select(['feedback.id', 'check_id', 'user_id', 'question', 'answer', 'row', 'feedback.created_at'])
    .select(['claim', 'page_title'])
    .where('feedback.created_at', '>=', since)
    .where('feedback.id', '>', after)
    .orderBy('feedback.id')
    .limit(AT_ONCE)
    .execute();
}

/** Each row holds a finding. */
const AT_ONCE = 500;

async function* inParts<T extends { id: number }>(read: (after: number) => Promise<T[]>): AsyncGenerator<T> {
  for (let after = 0; ; ) {
    const rows = await read(after);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/** The same for one person in all exports of an installation. */
function pseudonym(secret: string, person: number | string): string {
  return createHmac('sha256', secret).update(`person ${person}`).digest('hex').slice(0, 16);
}
