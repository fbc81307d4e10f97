/**
 * The vocabulary: what a claim, a citation, a source, a passage, a verdict, a suggestion, a finding and a decision are.
 * Every schema here is the only definition of its type. Nothing in this file does anything.
 */
import { z } from 'zod';

/** First 16 hex digits of a SHA-256 (see `hash.ts`): short enough for a job id, long enough not to collide on a wiki. */
export const Hash = z.string().regex(/^[0-9a-f]{16}$/);

/** Host (and port) that names a wiki, as recent-change events do in `server_name`: `en.wikipedia.org`. */
export const WikiId = z.string().regex(/^[a-z0-9.-]+(:\d+)?$/i);

export const Page = z.object({ id: z.int().nonnegative(), title: z.string().min(1).max(512) });
export type Page = z.infer<typeof Page>;

/**
 * One sentence, clause, list item or table row that a citation marker stands behind, as WAFER feeds it to the models
 * (Petroni et al. 2023, "Methods: WAFER"). Text carries no markup, no [n] and no template residue.
 */
export const Claim = z.object({
  hash: Hash,
  /** The claim itself, plain text. */
  text: z.string().min(1).max(4000),
  /** Character offset in `text` where the marker stands: `[CIT]` goes here. */
  markerOffset: z.int().nonnegative(),
  /** The sentences of the same paragraph before the claim; '' at its beginning. */
  context: z.string().max(8000),
  /**
   * The end of `context` that the claim can't be judged without ("It was …"): at most two sentences, none with a marker of its
   * own. Absent where the claim stands for itself.
   */
  antecedent: z.string().min(1).max(8000).optional(),
  /** Headings from the outermost to the innermost; [] in the lead. */
  section: z.array(z.string().max(500)),
  /** Title of the article. */
  title: z.string().max(512),
  kind: z.enum(['sentence', 'list_item', 'table_row', 'caption', 'infobox_row', 'quotation']),
  /** The inline template that editors left behind this claim. */
  trigger: z.enum(['failed_verification', 'citation_needed']).nullable(),
});
export type Claim = z.infer<typeof Claim>;

/** One reference behind a claim. Its identity is `hash`, never the number a reader sees. */
export const Citation = z.object({
  /** Hash of the canonical URL, or of the reference's text where it has none. */
  hash: Hash,
  url: z.string().max(4000).nullable(),
  archiveUrl: z.string().max(4000).nullable(),
  /** `url-status=` of the citation template, where it says so. */
  urlStatus: z.enum(['live', 'dead', 'unfit', 'usurped', 'deviated']).nullable(),
  /** Title of the work, from the citation template or the link's text. */
  title: z.string().max(1000).nullable(),
  /** The reference as a reader sees it. */
  text: z.string().max(4000),
  /** ISO date of `access-date=`, where it parses. */
  accessDate: z.iso.date().nullable(),
  /** Name of a named reference. */
  name: z.string().max(500).nullable(),
  /** How the marker stands in the wikitext. */
  form: z.enum(['ref', 'short_footnote']),
  /** Pages of the work, as cited: '12', '12–14', 'iv'. Absent where none are named. */
  pages: z.string().min(1).max(200).optional(),
});
export type Citation = z.infer<typeof Citation>;

/** Adjacent markers are one pair: one claim, judged against all its citations together. No citations: {{citation needed}}. */
export const ClaimPair = z.object({ claim: Claim, citations: z.array(Citation) });
export type ClaimPair = z.infer<typeof ClaimPair>;

/** Why a source could not be read. None of these is ever published as "does not support". */
export const UnavailableReason = z.enum([
  /** Failed at three looks at least, the first and the last at least three days apart; or a person says so. */
  'dead',
  /** It is not there (404, 410, sent to the front page), and was not for long enough to be called dead. */
  'not_found',
  'blocked',
  'timeout',
  'paywall',
  'login',
  'script_shell',
  'consent',
  'scanned_pdf',
  'catalogue',
  'truncated',
  'no_url',
  'invalid_url',
  'robots',
  'unsupported_type',
  'unsupported_language',
  'refused_address',
  'too_large',
  'too_many_redirects',
  'unreachable',
]);
export type UnavailableReason = z.infer<typeof UnavailableReason>;

/** A page that was read. `text`: one block (paragraph, list item, table row with its headers) a line, lines parted by '\n'. */
export const ReadableSource = z.object({
  kind: z.literal('readable'),
  /** The URL that was asked for, as cited. */
  url: z.string(),
  /** Where it was found after redirects, or the archive's address. */
  finalUrl: z.string(),
  title: z.string(),
  text: z.string().min(1),
  /** Hash of `text`. */
  contentHash: Hash,
  type: z.enum(['html', 'pdf', 'text']),
  /** BCP 47, '' if unknown. */
  language: z.string(),
  /** ISO time of the fetch. */
  fetchedAt: z.iso.datetime(),
  /** ISO time of the archive's snapshot; null for the live page. */
  archivedAt: z.iso.datetime().nullable(),
  /** Name of the site, where the page says it. */
  site: z.string().max(500).optional(),
  /** Day on which the page says that it was published. */
  publishedAt: z.iso.date().optional(),
  /** What the page says is its own address. */
  canonicalUrl: z.string().max(4000).optional(),
  /** Of a PDF: the character of `text` at which each page begins, and what the document calls it, '' for none. */
  pages: z.array(z.object({ start: z.int().nonnegative(), label: z.string().max(50) })).optional(),
  /** A person gave its text, since it can't be fetched: it is private, joins no corpus and no export. */
  given: z.literal(true).optional(),
});
export type ReadableSource = z.infer<typeof ReadableSource>;

export const UnavailableSource = z.object({
  kind: z.literal('unavailable'),
  url: z.string().nullable(),
  reason: UnavailableReason,
  /** What the response showed, for a maintainer: 'HTTP 404', 'ECONNREFUSED'. */
  detail: z.string().max(500),
  fetchedAt: z.iso.datetime(),
});
export type UnavailableSource = z.infer<typeof UnavailableSource>;

export const Source = z.discriminatedUnion('kind', [ReadableSource, UnavailableSource]);
export type Source = z.infer<typeof Source>;

/** About 100 words of a page on sentence boundaries (SIDE, "Methods"). Offsets are characters in the page's text. */
export const Passage = z.object({
  url: z.string(),
  title: z.string(),
  text: z.string().min(1),
  start: z.int().nonnegative(),
  end: z.int().nonnegative(),
});
export type Passage = z.infer<typeof Passage>;

/** A verbatim quote, located in the fetched text. */
export const Evidence = z.object({
  /** At most 50 words. */
  quote: z.string().min(1),
  url: z.string(),
  title: z.string(),
  /** `text.slice(start, end) === quote` in the source's text. */
  start: z.int().nonnegative(),
  end: z.int().nonnegative(),
  /** What the document calls the page, or its number; absent where it has none. */
  page: z.string().min(1).max(50).optional(),
  /** The passage around the quote, for people; below what introduces its list or table. */
  passage: z.string(),
});
export type Evidence = z.infer<typeof Evidence>;

export const Verdict = z.enum([
  'supported',
  /** `missing` has the words that nothing supports. */
  'partially_supported',
  'not_supported',
  /** The page says otherwise. */
  'contradicted',
  /** No page can settle it: `uncheckable` says why. */
  'uncheckable',
  /** Nothing could be read: `reason` says why. */
  'unavailable',
  /** Claim or pages are in a language in which the engine was not measured. */
  'unsupported_language',
  'unsourced',
]);
export type Verdict = z.infer<typeof Verdict>;

/** Why no source need support it: https://en.wikipedia.org/wiki/Wikipedia:When_to_cite, WP:CALC, WP:BLUE. */
export const UncheckableReason = z.enum(['opinion', 'routine_calculation', 'sky_is_blue']);
export type UncheckableReason = z.infer<typeof UncheckableReason>;

/** Characters of a text: `text.slice(start, end)`. */
export const Span = z.object({ start: z.int().nonnegative(), end: z.int().nonnegative() });
export type Span = z.infer<typeof Span>;

/** A detail of the claim beside what the page says of the same thing. Found by rule, not by a model. */
export const Mismatch = z.object({
  code: z.enum(['number', 'date', 'unit', 'range', 'name', 'opposite']),
  /** In the claim's text. */
  claim: Span,
  /** The page's own words. */
  page: Evidence.omit({ passage: true }),
});
export type Mismatch = z.infer<typeof Mismatch>;

/** What another model said of the same claim and pages; never its prose. */
export const SecondOpinion = z.object({
  /** A verdict, or why there is none. */
  answer: z.enum([
    'supported',
    'partially_supported',
    'not_supported',
    'contradicted',
    'timeout',
    'over_budget',
    'failed',
    'malformed',
  ]),
  /** As the endpoint names it. */
  model: z.string().min(1).max(200),
  /** Its quotes that were found verbatim in the pages. */
  evidence: z.array(Evidence).max(5),
});
export type SecondOpinion = z.infer<typeof SecondOpinion>;

/** What a list of a wiki says of a site. `mixed`: it depends on topic, author or time. */
export const ReliabilityStatus = z.enum([
  'generally_reliable',
  'no_consensus',
  'mixed',
  'generally_unreliable',
  'deprecated',
  'blacklisted',
  'wiki_mirror',
]);
export type ReliabilityStatus = z.infer<typeof ReliabilityStatus>;

/** What the editors of a wiki have agreed on about a site, and where: one input among many, which says nothing about a claim. */
export const Reliability = z.object({
  status: ReliabilityStatus,
  /** The wiki that the list stands on: not the claim's for a list that all wikis of a farm share. */
  wiki: WikiId,
  /** Title of the list's page. */
  list: z.string().min(1).max(512),
  /** Of that page, when it was read. */
  revision: z.int().positive(),
  /** Day of that revision. */
  date: z.iso.date(),
});
export type Reliability = z.infer<typeof Reliability>;

/** What was found of one citation: enough for a person to see what was read. */
export const CheckedCitation = Citation.extend({
  /** P(supported) of this source alone; null if it could not be read. */
  score: z.number().min(0).max(1).nullable(),
  reason: UnavailableReason.nullable(),
  /** Where the text that was judged came from. */
  readUrl: z.string().nullable(),
  archivedAt: z.iso.datetime().nullable(),
  /** When it was fetched. */
  fetchedAt: z.iso.datetime().optional(),
  /** Day on which the page says that it was published. */
  publishedAt: z.iso.date().optional(),
  /** Hash of the text that was judged; absent if none was. */
  contentHash: Hash.optional(),
  /** That text was given by a person. */
  given: z.literal(true).optional(),
  /** Null where no list has its site. */
  reliability: Reliability.nullable().default(null),
});
export type CheckedCitation = z.infer<typeof CheckedCitation>;

/** A better source: its page's best passage beats what is cited by at least the margin. */
export const Suggestion = z.object({
  url: z.string(),
  title: z.string(),
  score: z.number().min(0).max(1),
  evidence: Evidence,
  /** When it was fetched. */
  fetchedAt: z.iso.datetime().optional(),
  /** Day on which the page says that it was published. */
  publishedAt: z.iso.date().optional(),
  /** Null where no list has its site. */
  reliability: Reliability.nullable().default(null),
});
export type Suggestion = z.infer<typeof Suggestion>;

/** How much of the corpus answered. `searched: null` on a finding means "not searched", never "no better source". */
export const SearchCoverage = z.object({
  shardsAsked: z.int().nonnegative(),
  shardsAnswered: z.int().nonnegative(),
  /** Queues whose retriever gave no answer in time, for a maintainer. */
  missing: z.array(z.string().max(100)).default([]),
});
export type SearchCoverage = z.infer<typeof SearchCoverage>;

export const Finding = z.object({
  wiki: WikiId,
  page: Page,
  revision: z.int().nonnegative(),
  claim: Claim,
  citations: z.array(CheckedCitation),
  verdict: Verdict,
  /** Calibrated P(supported); null where nothing could be judged. */
  score: z.number().min(0).max(1).nullable(),
  evidence: Evidence.nullable(),
  /** Calibrated P(failed verification): nothing of the claim is supported; null where nothing could be judged. */
  failed: z.number().min(0).max(1).nullable().default(null),
  /** The claim's words that no page supports, in their order. */
  missing: z.array(Span).default([]),
  mismatches: z.array(Mismatch).default([]),
  uncheckable: UncheckableReason.nullable().default(null),
  /** Null where none was asked for. */
  secondOpinion: SecondOpinion.nullable().default(null),
  /** Why the verdict is `unavailable`. */
  reason: UnavailableReason.nullable(),
  /** Version of the model that judged. */
  model: z.string().min(1),
  suggestion: Suggestion.nullable(),
  searched: SearchCoverage.nullable(),
});
export type Finding = z.infer<typeof Finding>;

/** What a person says of a finding. `accept`: it is right, the citation fails. */
export const Decision = z.enum(['accept', 'reject', 'cant_tell', 'skip']);
export type Decision = z.infer<typeof Decision>;

/** Why a person decided so. */
export const DecisionReason = z.enum([
  /** The source says otherwise. */
  'source_disagrees',
  /** The source says nothing of it. */
  'source_silent',
  /** The source supports a part of it. */
  'partly',
  'source_unreadable',
  /** The article says it in other words by now. */
  'claim_reworded',
]);
export type DecisionReason = z.infer<typeof DecisionReason>;

/** Why a finding is no longer open: a person decided, or what happened to its claim in the article. */
export const ClosedBecause = z.enum([
  'decided',
  /** The claim stands, with other citations. */
  'fixed',
  /** An edit undid the one that had brought the claim or its citations. */
  'reverted',
  /** The citations stand behind the claim in other words, which are checked anew. */
  'reworded',
  /** The claim and its citations are gone. */
  'removed',
  'page_deleted',
  /** Another model judged the same claim and citations. */
  'superseded',
]);
export type ClosedBecause = z.infer<typeof ClosedBecause>;
