/**
 * A review database as a large wiki has it after months: findings with evidence and suggestions over many pages, views, groups,
 * decisions, people. Made up from a fixed seed. In: a database that is open and empty, how many. Out: nothing but rows.
 */

import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { CheckedCitation, Evidence, Finding, Verdict } from '../../../shared/citation.ts';
import { hashClaim } from '../../../shared/hash.ts';
import { Database } from '../../../shared/sql/better-sqlite3.ts';
import { weightOf } from '../../../workers/review/gain.ts';
import { positionOf } from '../../../workers/review/position.ts';
import { createProse } from '../retrieval/prose.ts';

export interface Sizes {
  findings: number;
  pages: number;
}

export const WIKI = 'en.wikipedia.example';
export const PEOPLE = Array.from({ length: 40 }, (_, index) => `Patroller ${index}`);

/** `path`: a file that was migrated. */
export function fill(path: string, { findings, pages }: Sizes): void {
  const db = new Database(path);
  try {
    db.pragma('synchronous = OFF');
    const random = createRandom(11);
    db.transaction(() => {
      fillPeople(db);
      const views = fillPages(db, pages, Math.ceil(findings / pages), random);
      fillGroups(db, pages, random);
      fillFindings(db, findings, views, random);
    })();
  } finally {
    db.close();
  }
}

type Random = () => number;

export function createRandom(seed: number): Random {
  const generator = xoroshiro128plus(seed);
  return () => uniformFloat64(generator);
}

/** Few have most, as with readers and categories. */
const skewed = (random: Random, count: number) => Math.floor(count * random() ** 3);

function fillPeople(db: Database): void {
  const insert = db.prepare(
    `INSERT INTO users (id, wiki, subject, name, groups, blocked, signed_in_at, asked_at) VALUES (?, ?, ?, ?, '[]', 0, ?, 0)`,
  );
  for (const [index, name] of PEOPLE.entries()) insert.run(index + 1, WIKI, String(index + 1), name, isoOf(0));
}

/** Views by page. */
function fillPages(db: Database, pages: number, claims: number, random: Random): (number | null)[] {
  const insert = db.prepare(
    'INSERT INTO pages (wiki, page_id, title, revision, claims, checked, anchors, deleted) VALUES (?, ?, ?, ?, ?, ?, ?, 0)',
  );
  const insertFacts = db.prepare('INSERT INTO page_facts (wiki, page_id, views, read_at) VALUES (?, ?, ?, ?)');
  const insertOptOut = db.prepare(
    'INSERT INTO opt_outs (wiki, page_id, page_title, user_id, created_at) VALUES (?, ?, ?, 1, ?)',
  );
  return Array.from({ length: pages }, (_, page) => {
    const anchors = Array.from(
      { length: claims * 4 },
      (_, claim) => `${hashClaim(`${page}-${claim}`)}-0123456789abcdef`,
    );
    insert.run(WIKI, page, titleOf(page), page + 1000, anchors.length, claims, JSON.stringify(anchors));
    const views = random() < 0.1 ? null : Math.floor(10 ** (random() * 4.5));
    insertFacts.run(WIKI, page, views, isoOf(0));
    if (page % 400 === 7) insertOptOut.run(WIKI, page, titleOf(page), isoOf(0));
    return views;
  });
}

export const titleOf = (page: number) => `Place ${page}`;

/** How many names there are of each kind, and how many of them a page has. */
export const GROUPS = { project: [150, 2], category: [4000, 5], worklist: [20, 1], user: [30, 1] } as const;

function fillGroups(db: Database, pages: number, random: Random): void {
  const insert = db.prepare('INSERT OR IGNORE INTO page_groups (wiki, page_id, kind, name) VALUES (?, ?, ?, ?)');
  for (let page = 0; page < pages; page++) {
    for (const [kind, [names, many]] of Object.entries(GROUPS)) {
      for (let one = 0; one < many; one++) insert.run(WIKI, page, kind, `${kind} ${skewed(random, names)}`);
    }
  }
}

function fillFindings(db: Database, count: number, views: readonly (number | null)[], random: Random): void {
  const insert =
    db.prepare(`INSERT INTO findings (wiki, page_id, page_title, revision, claim_hash, citations_hash, model,
    verdict, score, reason, finding, state, closed_because, decision, deferrals, position, created_at, updated_at,
    judged_at, decided_by, views, has_suggestion, gain,
    by_score, by_views)
    VALUES (@wiki, @page_id, @page_title, @revision, @claim_hash, @claim_hash, 'bench-1', @verdict, @score, @reason, @finding,
    @state, @closed_because, @decision, @deferrals, @position, @created_at, @created_at, @created_at, @decided_by, @views,
    @has_suggestion, @gain, @by_score, @by_views)`);
  const sentence = createSentences(random);
  for (let index = 0; index < count; index++) {
    const page = skewed(random, views.length);
    const finding = makeFinding(index, page, sentence, random);
    insert.run({ ...columnsOf(finding, views[page] ?? null, random), ...endOf(random) });
  }
}

function columnsOf(finding: Finding, views: number | null, random: Random) {
  const deferrals = random() < 0.05 ? 1 : 0;
  return {
    wiki: finding.wiki,
    page_id: finding.page.id,
    page_title: finding.page.title,
    revision: finding.revision,
    claim_hash: finding.claim.hash,
    verdict: finding.verdict,
    score: finding.score,
    reason: finding.reason,
    finding: JSON.stringify(finding),
    deferrals,
    position: positionOf(finding, deferrals),
    created_at: isoOf(Math.floor(random() * 400 * 86_400)),
    ...weightOf(finding, views),
  };
}

/** What became of it. */
function endOf(random: Random) {
  const by = 1 + skewed(random, PEOPLE.length);
  const drawn = random();
  if (drawn < 0.6) return { state: 'open', closed_because: null, decision: null, decided_by: null };
  if (drawn < 0.65) return { state: 'open', closed_because: null, decision: 'cant_tell', decided_by: by };
  if (drawn < 0.75) return { state: 'accepted', closed_because: null, decision: 'accept', decided_by: by };
  if (drawn < 0.85) return { state: 'closed', closed_because: 'decided', decision: 'reject', decided_by: by };
  return { state: 'closed', closed_because: 'fixed', decision: null, decided_by: null };
}

const VERDICTS: readonly [Verdict, number][] = [
  ['contradicted', 0.04],
  ['not_supported', 0.3],
  ['partially_supported', 0.5],
  ['unsourced', 0.58],
  ['unavailable', 0.72],
  ['uncheckable', 0.75],
  ['supported', 1],
];

function makeFinding(index: number, page: number, sentence: () => string, random: Random): Finding {
  const drawn = random();
  const verdict = VERDICTS.find(([, below]) => drawn < below)?.[0] ?? 'supported';
  const isJudged = !['unsourced', 'unavailable', 'uncheckable'].includes(verdict);
  const text = sentence();
  const score = verdict === 'supported' ? 0.6 + random() * 0.4 : random() * 0.6;
  const url = `https://source-${index % 997}.example/page/${index}`;
  const evidence: Evidence = {
    quote: sentence(),
    url,
    title: sentence(),
    start: 0,
    end: 80,
    passage: passageOf(sentence),
  };
  const isBetter = isJudged && verdict !== 'supported' && random() < 0.3;
  return {
    wiki: WIKI,
    page: { id: page, title: titleOf(page) },
    revision: page + 1000,
    claim: {
      hash: hashClaim(`${index}`),
      text,
      markerOffset: text.length,
      context: passageOf(sentence),
      section: ['History'],
      title: titleOf(page),
      kind: 'sentence',
      trigger: null,
    },
    citations: verdict === 'unsourced' ? [] : [citationOf(url, isJudged ? score : null)],
    verdict,
    score: isJudged ? score : null,
    evidence: isJudged ? evidence : null,
    failed: isJudged ? (1 - score) * 0.8 : null,
    missing: verdict === 'partially_supported' ? [{ start: 0, end: 12 }] : [],
    mismatches: [],
    uncheckable: verdict === 'uncheckable' ? 'opinion' : null,
    secondOpinion: null,
    reason: verdict === 'unavailable' ? (random() < 0.5 ? 'dead' : 'blocked') : null,
    model: 'bench-1',
    suggestion: isBetter
      ? { url: `${url}/better`, title: sentence(), score: 0.7 + random() * 0.3, evidence, reliability: null }
      : null,
    searched: { shardsAsked: 4, shardsAnswered: 4, missing: [] },
  };
}

function citationOf(url: string, score: number | null): CheckedCitation {
  return {
    hash: hashClaim(url),
    url,
    archiveUrl: null,
    urlStatus: null,
    title: 'A page',
    text: 'A page. Harbour Archive, 12 May 2014. Retrieved 3 June 2019.',
    accessDate: '2019-06-03',
    name: null,
    form: 'ref',
    score,
    reason: score === null ? 'dead' : null,
    readUrl: score === null ? null : url,
    archivedAt: null,
    reliability: null,
  };
}

/** Of a pool: to write a million takes longer than all else. */
function createSentences(random: Random): () => string {
  const prose = createProse(5);
  const pool = Array.from({ length: 2000 }, () => prose.sentence(12 + Math.floor(random() * 12)));
  return () => pool[Math.floor(random() * pool.length)] ?? '';
}

function passageOf(sentence: () => string): string {
  return Array.from({ length: 5 }, () => sentence()).join(' ');
}

/** So many seconds ago. */
function isoOf(seconds: number): string {
  return new Date(Date.now() - seconds * 1000).toISOString();
}
