/** The review database: its tables as types, opened and migrated. In: a place. Out: Kysely. Queries live beside their verbs. */
import type { Generated, Kysely, Migration, Transaction } from 'kysely';
import type { ClosedBecause, Decision, DecisionReason, UnavailableReason, Verdict } from '../../shared/citation.ts';
import { openStore, type StoreKind } from '../../shared/sql/stores.ts';
import { type DatabasePlace, transact } from '../../shared/sql.ts';
import * as findings from './migrations/0001-findings.ts';
import * as positions from './migrations/0002-positions.ts';
import * as following from './migrations/0003-following.ts';
import * as triage from './migrations/0004-triage.ts';

export interface Schema {
  findings: FindingTable;
  citations: CitationTable;
  decisions: DecisionTable;
  pages: PageTable;
  users: UserTable;
  sessions: SessionTable;
  tokens: TokenTable;
  leases: LeaseTable;
  page_facts: PageFactsTable;
  page_groups: PageGroupTable;
  saved_filters: SavedFilterTable;
  opt_outs: OptOutTable;
  checks: CheckTable;
  check_keys: CheckKeyTable;
  check_claims: CheckClaimTable;
  feedback: FeedbackTable;
  blind_items: BlindItemTable;
  blind_judgements: BlindJudgementTable;
  finding_changes: FindingChangeTable;
}

/** One row an anchor (claim and its group of citations) and model version. Times are ISO. */
export interface FindingTable {
  id: Generated<number>;
  wiki: string;
  page_id: number;
  page_title: string;
  /** The newest revision it was judged at. */
  revision: number;
  claim_hash: string;
  citations_hash: string;
  model: string;
  verdict: Verdict;
  score: number | null;
  reason: UnavailableReason | null;
  /** A `Finding` as JSON. */
  finding: string;
  /** `accepted`: a person says that it is right, and nobody has mended it. */
  state: 'open' | 'accepted' | 'closed';
  closed_because: ClosedBecause | null;
  /** The last one; `decisions` keeps them all. Null again for a finding that opened again. */
  decision: Decision | null;
  /** Why it opened again after a person had decided; null once a person decides anew. */
  reopened_because: ReopenedBecause | null;
  /** How often people put it off: each sends it once more behind the others. */
  deferrals: number;
  /** Place in the queue, lowest first. */
  position: number;
  created_at: string;
  updated_at: string;
  /** When it was judged last. */
  judged_at: string;
  /** Id of the user whose decision stands. */
  decided_by: number | null;
  /** Of its page, a day; null: not known. */
  views: number | null;
  has_suggestion: Generated<0 | 1>;
  /** What is expected of a decision on it: `gain.ts`. */
  gain: Generated<number>;
  /** The score; 2 for none, so that it comes last. */
  by_score: Generated<number>;
  /** The views; -1 for not known, so that they come last. */
  by_views: Generated<number>;
}

export type ReopenedBecause = 'source_changed';

/** The citations of each finding: by them it is found. */
export interface CitationTable {
  finding_id: number;
  hash: string;
  /** Why it could not be read; null if it was. */
  reason: UnavailableReason | null;
  /** Of its address, without `www.`; null: it has none, or the finding is from before it was kept. */
  host: string | null;
}

export interface DecisionTable {
  id: Generated<number>;
  finding_id: number;
  decision: Decision;
  /** Null for decisions from before there was a sign-in. */
  user_id: number | null;
  reason: DecisionReason | null;
  comment: string | null;
  created_at: string;
  /** What was decided on; null for decisions from before that was kept. */
  verdict: Verdict | null;
  revision: number | null;
  model: string | null;
  /** The `Finding` that was decided on, as JSON; null for decisions from before it was kept. */
  judged: string | null;
  /** State of the finding before, as JSON (`undo.ts`); null for decisions from before it was kept. */
  undo_to: string | null;
  undone_at: string | null;
}

/** What the newest revision of a page holds. */
export interface PageTable {
  wiki: string;
  page_id: number;
  title: string;
  revision: number;
  claims: number;
  /** How many of its anchors have a finding. */
  checked: number;
  /** All its claims, as a JSON array: see `page.ts`. */
  anchors: string;
  /** What became of claims that it had before, as a JSON array, newest first: see `page.ts`. Null: none is known. */
  gone: string | null;
  deleted: 0 | 1;
  /** Number of the newest log entry that deleted or restored it; 0: none did. */
  last_log: number;
}

/** Who has signed in with the wiki's account. */
export interface UserTable {
  id: Generated<number>;
  wiki: string;
  /** The wiki's own id of the account: names change. */
  subject: string;
  name: string;
  /** Of the wiki, as a JSON array, when it was asked last. */
  groups: string;
  blocked: 0 | 1;
  signed_in_at: string;
  /** When the wiki was asked last about groups and blocks: ms. */
  asked_at: number;
}

export interface SessionTable {
  /** SHA-256 of what the cookie holds, hexadecimal. */
  id: string;
  user_id: number | null;
  /** JSON. */
  data: string;
  /** ms */
  expires_at: number;
}

/** Of a maintainer, for programs. */
export interface TokenTable {
  id: Generated<number>;
  user_id: number;
  name: string;
  /** SHA-256, hexadecimal. */
  hash: string;
  created_at: string;
  used_at: string | null;
  revoked_at: string | null;
}

/** Who looks at a finding now, so that nobody else is given it. */
export interface LeaseTable {
  finding_id: number;
  user_id: number;
  /** ms */
  expires_at: number;
}

/** What the wiki says of a page. */
export interface PageFactsTable {
  wiki: string;
  page_id: number;
  /** A day, on average; null: the wiki does not say. */
  views: number | null;
  read_at: string;
}

export interface PageGroupTable {
  wiki: string;
  page_id: number;
  kind: 'project' | 'category' | 'worklist' | 'user';
  name: string;
}

export interface SavedFilterTable {
  id: Generated<number>;
  user_id: number;
  name: string;
  /** As it stands in an address, without `?`. */
  query: string;
}

/** Pages that patrol leaves alone. */
export interface OptOutTable {
  wiki: string;
  page_id: number;
  page_title: string;
  user_id: number;
  comment: string | null;
  created_at: string;
}

/** What somebody asked to have checked: a page, some of its claims, or a free claim. */
export interface CheckTable {
  /** A `RequestId`. */
  id: string;
  kind: 'page' | 'claims' | 'sentence';
  wiki: string;
  page_id: number | null;
  page_title: string | null;
  revision: number | null;
  claim: string | null;
  /** Hash of what is checked: who asks for the same while it runs gets this one. */
  subject: string;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  /** Why it failed. */
  reason: 'no_page' | 'unreadable' | 'failed' | null;
  /** How many claims are checked; null: not known yet. */
  claims: number | null;
  /** A `Found` as JSON, of a sentence. */
  found: string | null;
  created_at: string;
  finished_at: string | null;
}

/** Who waits for a check: it is cancelled when nobody does any more. */
export interface CheckKeyTable {
  check_id: string;
  /** SHA-256, hexadecimal. */
  hash: string;
}

/** Claims of which a check has brought a finding. */
export interface CheckClaimTable {
  check_id: string;
  claim_hash: string;
  citations_hash: string;
}

/** What a person says of a row that was found for a free claim. */
export interface FeedbackTable {
  id: Generated<number>;
  check_id: string;
  user_id: number;
  url: string;
  question: 'label' | 'relevance';
  answer: 'yes' | 'no';
  /** The row as it was shown, with its column, as JSON. */
  row: string;
  created_at: string;
}

/** A finding with a suggestion, as it was when it joined the comparison. */
export interface BlindItemTable {
  id: Generated<number>;
  finding_id: number;
  /** A `Finding` as JSON. */
  finding: string;
  created_at: string;
}

export interface BlindJudgementTable {
  item_id: number;
  user_id: number;
  /** Which of the two stood first. */
  first: 'cited' | 'suggested';
  cited: 'enough' | 'partial' | 'none';
  suggested: 'enough' | 'partial' | 'none';
  preferred: 'cited' | 'suggested' | 'neither';
  created_at: string;
}

/** Kept by triggers: the number of the last change of each finding. */
export interface FindingChangeTable {
  seq: Generated<number>;
  finding_id: number;
}

/** Throws as openStore does. */
export function openReviewDatabase(place: DatabasePlace): Promise<Kysely<Schema>> {
  return openStore<Schema>(place, REVIEW_STORE);
}

/** By name, in order. A file that was released is never changed; a new one is added. */
export const MIGRATIONS: Record<string, Migration> = {
  '0001-findings': findings,
  '0002-positions': positions,
  '0003-following': following,
  '0004-triage': triage,
};

export const REVIEW_STORE: StoreKind = { migrations: MIGRATIONS, table: 'kysely_migration' };

/**
 * A transaction that writes. They take turns, on all hosts: what one read is still so when it writes, and the numbers of changes rise
 * in the order in which others see them.
 */
export function writing<T>(db: Kysely<Schema>, work: (trx: Transaction<Schema>) => Promise<T>): Promise<T> {
  return transact(db, work, { turn: 'review' });
}
