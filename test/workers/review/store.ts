/** A real review database on disk for one test file, people who decide, and findings to fill it with. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import type { Finding } from '../../../shared/citation.ts';
import { hashClaim } from '../../../shared/hash.ts';
import type { StandingClaim } from '../../../shared/pipeline.ts';
import { openReviewDatabase, type Schema } from '../../../workers/review/database.ts';
import type { DecisionRequest } from '../../../workers/review/decide.ts';
import { createDecisions, type Decisions } from '../../../workers/review/decisions.ts';
import type { Filter } from '../../../workers/review/filter.ts';
import { createFindings, type Findings } from '../../../workers/review/findings.ts';
import type { Person } from '../../../workers/review/leases.ts';
import { claimOf } from '../../../workers/review/page.ts';
import type { Row } from '../../../workers/review/queue.ts';
import { keepUser } from '../../../workers/review/session/users.ts';
import { aCitation, aFinding } from '../../support/examples.ts';

export interface Store {
  db: Kysely<Schema>;
  findings: Findings;
  decisions: Decisions;
  /** Takes the finding and decides, as Ada. */
  decide(id: number, request: DecisionRequest): Promise<Row>;
  close(): Promise<void>;
}

/** An empty database for as long as a store is open. */
export type Ground = () => Promise<{ place: string; leave(): Promise<void> }>;

const inFile: Ground = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'review-'));
  return { place: join(folder, 'review.sqlite'), leave: () => rm(folder, { recursive: true }) };
};

let ground = inFile;

/** Stores of this test file lie there from now on, instead of in files of SQLite. */
export function layStoresOn(other: Ground): void {
  ground = other;
}

export async function openStore(): Promise<Store> {
  const { place, leave } = await ground();
  const db = await openReviewDatabase(place);
  return {
    db,
    findings: createFindings(db),
    decisions: createDecisions(db),
    decide: (id, request) => decideAs(db, 'Ada', id, request),
    async close() {
      await db.destroy();
      await leave();
    },
  };
}

/** An account that has signed in. */
export async function aPerson(db: Kysely<Schema>, name: string): Promise<Person> {
  const account = { wiki: aFinding.wiki, subject: `subject of ${name}`, name, groups: ['user'], blocked: false };
  return { id: await keepUser(db, account), name };
}

/** Takes the finding and decides. */
export async function decideAs(db: Kysely<Schema>, name: string, id: number, request: DecisionRequest): Promise<Row> {
  const decisions = createDecisions(db);
  const person = await aPerson(db, name);
  await decisions.take(id, person);
  return decisions.decide(id, request, person);
}

export const ALL: Filter = { state: 'all', verdict: 'all' };
export const OPEN: Filter = { state: 'open' };

/** The example finding with another claim text. */
export function findingOf(text: string, changes: Partial<Finding> = {}): Finding {
  return { ...aFinding, claim: { ...aFinding.claim, hash: hashClaim(text), text }, ...changes };
}

export function searched(finding: Finding): Finding {
  const evidence = {
    quote: 'The mill shut in 1931.',
    url: 'https://better.example/mill',
    title: 'Mills of the bay',
    start: 13,
    end: 35,
    passage: 'Wages fell. The mill shut in 1931. Then it burned.',
  };
  return {
    ...finding,
    searched: { shardsAsked: 8, shardsAnswered: 7, missing: [] },
    suggestion: { url: evidence.url, title: evidence.title, score: 0.91, evidence, reliability: null },
  };
}

/** The example finding, with all that may be found of a claim that fails. */
export function failing(verdict: 'contradicted' | 'not_supported' | 'partially_supported'): Finding {
  const { text } = aFinding.claim;
  const span = (words: string) => ({ start: text.indexOf(words), end: text.indexOf(words) + words.length });
  const page = { quote: 'in March 1934', url: 'https://orrin.example/mill', title: 'The mill', start: 9, end: 22 };
  const evidence = { ...page, passage: 'It shut in March 1934.' };
  return {
    ...aFinding,
    verdict,
    failed: 0.7,
    missing: [span('at Orrin Bay'), span('in 1931')],
    mismatches: [{ code: 'date', claim: span('1931'), page }],
    secondOpinion: { answer: 'partially_supported', model: 'org/other-32b', evidence: [evidence] },
  };
}

/** The revision job of a page on which these findings' claims stand. */
export function revisionWith(revision: number, ...present: Finding[]) {
  const anchors: StandingClaim[] = present.map(claimOf);
  const { wiki, page } = aFinding;
  return { kind: 'revision', wiki, page, revision, anchors, claims: anchors.length, checking: 0 } as const;
}

export function citing(finding: Finding, url: string): Finding {
  const citation = {
    ...aCitation,
    url,
    hash: hashClaim(url),
    score: 0.4,
    reason: null,
    readUrl: url,
    archivedAt: null,
    reliability: null,
  };
  return { ...finding, citations: [citation] };
}

/** The same claim with a tag in place of its citations. */
export function unsourced(finding: Finding): Finding {
  return { ...finding, citations: [], verdict: 'unsourced', score: null };
}
