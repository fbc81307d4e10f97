/**
 * The way of the data: every stage in order, with the schema of what it takes, what it answers to its parent, and the id
 * that makes doing it twice harmless. Read this file first. Handlers live in bot/ and workers/, queues in `queue.ts`.
 */
import { z } from 'zod';
import {
  Citation,
  Claim,
  ClaimPair,
  Finding,
  Hash,
  Page,
  type SearchCoverage,
  UnavailableReason,
  WikiId,
} from './citation.ts';
import { Found } from './found.ts';
import { hashCitations, hashText } from './hash.ts';
import { Fingerprint } from './shingles.ts';

/** A run of a worklist, a requeue, or a check: its work is apart from all other work on the same revision, and can be cancelled. */
export const RequestId = z.string().regex(/^[a-z0-9][a-z0-9_]{0,40}$/);

/** Where a claim stands: a page of a wiki at a revision; and who asked for it to be checked, if somebody did. */
const Place = z.object({
  wiki: WikiId,
  page: Page,
  revision: z.int().positive(),
  /** Absent: an edit did. */
  request: RequestId.optional(),
});

/** A claim to search for, wherever it stands. */
const Search = z.object({ wiki: WikiId, claim: Claim, request: RequestId.optional() });

/** What a finding hangs on: a claim and its group of citations (`hashCitations`). */
export const Anchor = z.object({ claim: Hash, citations: Hash });
export type Anchor = z.infer<typeof Anchor>;

/** A claim of a revision: what its findings hang on, and by what it is known again in other words. */
export const StandingClaim = Anchor.extend({
  /** Hash of each of its citations. */
  sources: z.array(Hash).default([]),
  /** Of its text: `sketchWords`. */
  words: z
    .string()
    .regex(/^[0-9a-f]{0,96}$/)
    .default(''),
  /** It is checked now, on account of this revision. */
  checking: z.literal(true).optional(),
});
export type StandingClaim = z.infer<typeof StandingClaim>;

/** A log entry that gave a page back with the revision that it had before. */
const Restored = z.string().regex(/^log-\d+$/);

/** Names a generation of the corpus: a folder, and a part of an index's name. */
export const Generation = z.string().regex(/^[a-z0-9][a-z0-9-]{0,40}$/);

/** One passage that a retriever found. `score` means something only within its own arm. */
export const Hit = z.object({ passageId: z.int().nonnegative(), score: z.number() });
export type Hit = z.infer<typeof Hit>;

/** How many passages each arm gives to a search, however many shards it has (SIDE, "Retrieval": 100 + 100). */
export const TOP = 100;

/** What one retriever found. `shards`: parts of its own index that were asked and that answered in time. */
export const Retrieved = z.object({
  hits: z.array(Hit),
  shards: z.object({ asked: z.int().positive(), answered: z.int().nonnegative() }),
});
export type Retrieved = z.infer<typeof Retrieved>;

export const stages = {
  /** A worklist → its articles, some at a time: each job publishes a few articles and the job that goes on. */
  worklists: {
    input: z.object({
      wiki: WikiId,
      worklist: z.int().positive(),
      /** Number of the run; 0 begins a new one, as a schedule does. */
      run: z.int().nonnegative(),
      step: z.int().nonnegative(),
    }),
    answer: z.null(),
  },
  /** A revision → its claims, and which findings of the page still have their claim. */
  articles: {
    input: z.object({
      ...Place.shape,
      /** The revision before the edit; null for a new page: every claim counts as touched. */
      previous: z.int().positive().nullable(),
      /**
       * Claims to verify. `touched`: those the edit changed; `all`: as a worklist asks; `chosen`: those of `chosen` that the
       * revision still has, as a requeue asks; `none`: findings only follow.
       */
      scope: z.enum(['touched', 'all', 'chosen', 'none']),
      chosen: z.array(Anchor).max(1000).optional(),
      /** The edit undid others: claims that are gone with it were reverted. */
      reverts: z.boolean().optional(),
      restored: Restored.optional(),
    }),
    answer: z.null(),
  },
  /** One citation → readable text in the source store, or a coded reason why not. */
  sources: {
    input: z.object({ ...Place.shape, claimHash: Hash, citation: Citation }),
    answer: z.object({
      citationHash: Hash,
      /** Key of the source store; null if nothing is stored for it. */
      sourceKey: Hash.nullable(),
      reason: UnavailableReason.nullable(),
    }),
  },
  /** A text of the source store → passages in the corpus, both arms of one shard. */
  corpus: {
    input: z.object({ sourceKey: Hash, contentHash: Hash }),
    answer: z.null(),
  },
  /** A claim and all its sources → verdict, score, evidence. Children: `sources`. */
  verification: {
    input: z.object({
      ...Place.shape,
      ...ClaimPair.shape,
      article: Fingerprint,
      suggest: z.enum(['always', 'below_threshold']),
    }),
    answer: z.null(),
  },
  /** A claim → the top passages of one index. The generation is named, so that all arms of a search answer for the same one. */
  'retrieval-sparse': {
    input: z.object({ ...Search.shape, generation: Generation }),
    answer: Retrieved,
  },
  'retrieval-dense': {
    input: z.object({ ...Search.shape, generation: Generation, shard: z.int().nonnegative() }),
    answer: Retrieved,
  },
  /** A finding and merged passages → the finding with the best candidate that beats what is cited. Children: `retrieval-*`. */
  suggestion: {
    /** `article`: so that no copy of it is suggested. */
    input: z.object({
      finding: Finding,
      article: Fingerprint,
      generation: Generation,
      request: RequestId.optional(),
    }),
    answer: z.null(),
  },
  /**
   * A sentence that need not stand anywhere → what the corpus has for and against it. Without a generation it chooses one and comes
   * again. Children then: `retrieval-*`.
   */
  find: {
    input: z.object({ wiki: WikiId, claim: Claim, request: RequestId, generation: Generation.optional() }),
    answer: z.null(),
  },
  /**
   * A finding → a row on the review page; a revision → findings whose claim is gone are closed; what was found for a sentence → its
   * check.
   */
  review: {
    input: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('finding'), finding: Finding, request: RequestId.optional() }),
      z.object({
        kind: z.literal('revision'),
        ...Place.shape,
        /** Every claim of the revision with its group of citations (`hashCitations`). */
        anchors: z.array(StandingClaim),
        /** Claims found on the page and how many of them are checked now: the page's coverage. */
        claims: z.int().nonnegative(),
        checking: z.int().nonnegative(),
        /** The edit undid others: claims that are gone with it were reverted. */
        reverts: z.boolean().optional(),
        restored: Restored.optional(),
      }),
      z.object({
        kind: z.literal('page_deleted'),
        wiki: WikiId,
        page: Page,
        /** What told of it: a page may be deleted, restored and deleted again. */
        event: z.string().regex(/^(log|revision)-\d+$/),
      }),
      z.object({ kind: z.literal('found'), request: RequestId, found: Found }),
      /** A cited page that could not be read can be: open claims that it was not read for are checked again. */
      z.object({ kind: z.literal('source_back'), citation: Hash, contentHash: Hash }),
    ]),
    answer: z.null(),
  },
} as const;

export type Stage = keyof typeof stages;
/** In the order of the way of the data. */
// Object.keys loses the key type; the object is a const with exactly these keys
export const STAGE_NAMES = Object.keys(stages) as readonly Stage[];
export type Input<S extends Stage> = z.infer<(typeof stages)[S]['input']>;
export type Answer<S extends Stage> = z.infer<(typeof stages)[S]['answer']>;

/** gadget > requeue > worklist > patrol. BullMQ runs lower numbers first, and 0 before all of them: so never 0. */
export const PRIORITY = { gadget: 1, requeue: 2, worklist: 3, patrol: 4 } as const;
/** An integer from 1 to 2,097,152, BullMQ's largest. What a job leads to has its priority. */
export type Priority = number;

/** Of an edit: the newest first, by minutes, behind all that people asked for. After two years of minutes the count begins anew. */
export function patrolPriority(time: Date): Priority {
  return 2 ** 21 - (Math.floor(time.getTime() / 60_000) % 2 ** 20);
}

/** One job to do next. Its children run first, and their answers reach its handler; a child that fails is left out. */
export type Next = { [S in Stage]: { stage: S; input: Input<S>; children?: Next[] } }[Stage];

/** Scores of one arm compare, also between its shards; those of different arms don't. */
export type Arm = 'sparse' | 'dense';

/** What the children of a job answered, by stage, and how many were asked. */
export interface Gathered {
  sources: Answer<'sources'>[];
  retrieval: (Retrieved & { arm: Arm })[];
  coverage: SearchCoverage;
}

/** What a handler gives back: an answer for its parent, and what comes next. It never sees a queue. */
export interface Outcome<S extends Stage> {
  answer: Answer<S>;
  next: Next[];
}

export interface Context {
  gathered: Gathered;
  signal: AbortSignal;
}

/** Expected outcomes are values; transient errors are thrown and retried; a broken payload never reaches a handler. */
export type Handler<S extends Stage> = (input: Input<S>, context: Context) => Promise<Outcome<S>>;

export type Handlers = { [S in Stage]?: Handler<S> };

/** Name of the queue that a job goes to: a dense shard has its own, so that any host can hold it. */
export function queueOf(job: Next): string {
  return job.stage === 'retrieval-dense' ? denseQueue(job.input.shard) : job.stage;
}

export function denseQueue(shard: number): string {
  return `retrieval-dense-${shard}`;
}

/** The same work has the same id, so that a queue holds it once. BullMQ allows no ':' in it. */
export function jobId(job: Next): string {
  switch (job.stage) {
    case 'worklists':
      return `${wikiKey(job.input.wiki)}-${job.input.worklist}-${job.input.run}-${job.input.step}`;
    case 'articles':
      return articlesId(job.input);
    case 'sources':
      return `${place(job.input)}-${job.input.claimHash}-${job.input.citation.hash}`;
    case 'corpus':
      return `${job.input.sourceKey}-${job.input.contentHash}`;
    case 'verification':
      return `${place(job.input)}-${job.input.claim.hash}-${hashCitations(job.input.citations)}`;
    case 'retrieval-sparse':
    case 'retrieval-dense':
    case 'find':
      return searchId(job.input);
    case 'suggestion':
      return `${findingId(job.input.finding, job.input.request)}-${job.input.generation}`;
    case 'review':
      return reviewId(job.input);
  }
}

/** A restored page has a revision that was read before, and each choice of claims is work of its own. */
function articlesId(input: Input<'articles'>): string {
  const { scope, restored, chosen = [] } = input;
  const keys = chosen.map(({ claim, citations }) => `${claim}-${citations}`);
  const part = scope === 'chosen' ? `chosen-${hashText(keys.sort().join())}` : scope;
  return restored === undefined ? `${place(input)}-${part}` : `${place(input)}-${part}-${restored}`;
}

/** No generation has this name: `Generation` allows no '_'. */
const FIRST = '_';

function searchId({ wiki, claim, request, generation = FIRST }: Input<'find'> | Input<'retrieval-sparse'>): string {
  return `${request === undefined ? '' : requestPrefix(request)}${wikiKey(wiki)}-${claim.hash}-${generation}`;
}

function reviewId(input: Input<'review'>): string {
  switch (input.kind) {
    case 'finding':
      return `${findingId(input.finding, input.request)}-${input.finding.searched === null ? 'verified' : 'searched'}`;
    case 'revision':
      return `${place(input)}-revision${input.restored === undefined ? '' : `-${input.restored}`}`;
    case 'found':
      return `${requestPrefix(input.request)}found`;
    case 'page_deleted':
      return `${wikiKey(input.wiki)}-${input.page.id}-deleted-${input.event}`;
    case 'source_back':
      return `source-${input.citation}-${input.contentHash}`;
  }
}

function findingId(finding: Finding, request?: string): string {
  return `${place(finding, request)}-${finding.claim.hash}-${hashCitations(finding.citations)}`;
}

function place(
  at: Pick<z.infer<typeof Place>, 'wiki' | 'page' | 'revision' | 'request'>,
  request = at.request,
): string {
  const revision = `${wikiKey(at.wiki)}-${at.page.id}-${at.revision}`;
  return request === undefined ? revision : `${requestPrefix(request)}${revision}`;
}

/** What the ids of all jobs that a request led to begin with. */
export function requestPrefix(request: string): string {
  return `${request}-for-`;
}

function wikiKey(wiki: string): string {
  return wiki.replace(':', '_');
}
