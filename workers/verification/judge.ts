/**
 * One claim–citation pair and what was read of its citations → what a finding says of them. The queue's way and the command
 * line's go through here, so that both say the same. Looks for no better source.
 */
import type {
  CheckedCitation,
  Citation,
  Claim,
  ClaimPair,
  Evidence,
  Finding,
  ReadableSource,
  SecondOpinion,
  UnavailableSource,
} from '../../shared/citation.ts';
import { findCited } from './cited-pages.ts';
import { isForeign } from './language.ts';
import type { Page } from './passages.ts';
import { isNearThreshold, type SecondOpinions } from './second-opinion/second-opinions.ts';
import type { Judgement, Verifier } from './verifier.ts';

export type Judged = Omit<Finding, 'wiki' | 'page' | 'revision' | 'claim' | 'suggestion' | 'searched'>;

/** Null: nothing came back, not even a reason. */
export type Read = ReadableSource | Pick<UnavailableSource, 'kind' | 'reason'> | null;

export interface Judges {
  verifier: Verifier;
  /** Null: none is asked for. `margin`: how near the threshold a score must be. */
  secondOpinion: { opinions: SecondOpinions; margin: number } | null;
}

/** `sources` in the order of the pair's citations. Unread sources never count against a claim. Throws where the model fails. */
export async function judge(
  { claim, citations }: ClaimPair,
  sources: readonly Read[],
  judges: Judges,
  signal: AbortSignal,
): Promise<Judged> {
  const legible = isForeign(claim.text) ? [] : sources.filter(isReadable).filter(({ text }) => !isForeign(text));
  const pages = legible.map((source) => withCited(source, citations[sources.indexOf(source)]));
  const judgement = pages.length === 0 ? null : await judges.verifier.verify(claim, pages);
  const checked = citations.map((citation, at) => check(citation, sources[at] ?? null, legible, judgement));
  const model = judges.verifier.version;
  if (judgement === null) return { ...UNJUDGED, ...whyUnjudged(checked), citations: checked, model };
  const { score, failed, verdict, missing, mismatches, uncheckable } = judgement;
  const evidence = withoutPrivate(judgement.evidence, legible);
  const secondOpinion = await askIfNear(claim, pages, judgement, judges, signal);
  const said = { score, failed, verdict, evidence, missing, mismatches, uncheckable, secondOpinion };
  return { ...said, citations: checked, reason: null, model };
}

/** Findings are public: of a text that a person gave, the quote and no more. */
function withoutPrivate(evidence: Evidence | null, sources: readonly ReadableSource[]): Evidence | null {
  const isGiven = sources.some(({ url, given }) => given && url === evidence?.url);
  return evidence === null || !isGiven ? evidence : { ...evidence, passage: evidence.quote };
}

type CitedSource = ReadableSource & Pick<Page, 'cited'>;

/** A source as the engine reads it: with what the citation names of its pages. */
function withCited(source: ReadableSource, citation: Citation | undefined): CitedSource {
  const cited = citation === undefined ? [] : findCited(source, citation);
  return cited.length === 0 ? source : { ...source, cited };
}

function isReadable(source: Read): source is ReadableSource {
  return source?.kind === 'readable';
}

const UNJUDGED = {
  score: null,
  failed: null,
  evidence: null,
  missing: [],
  mismatches: [],
  uncheckable: null,
  secondOpinion: null,
};

function whyUnjudged(checked: readonly CheckedCitation[]): Pick<Judged, 'verdict' | 'reason'> {
  if (checked.length === 0) return { verdict: 'unsourced', reason: null };
  const isRead = checked.some(({ reason }) => reason === 'unsupported_language');
  return isRead
    ? { verdict: 'unsupported_language', reason: null }
    : { verdict: 'unavailable', reason: checked[0]?.reason ?? null };
}

function check(
  citation: Citation,
  source: Read,
  legible: readonly ReadableSource[],
  judgement: Judgement | null,
): CheckedCitation {
  const unread = { ...citation, readUrl: null, archivedAt: null, reliability: null };
  if (!isReadable(source)) return { ...unread, score: null, reason: source?.reason ?? 'unreachable' };
  const { finalUrl: readUrl, archivedAt, contentHash, fetchedAt, publishedAt, given } = source;
  const dates = { archivedAt, fetchedAt, ...(publishedAt && { publishedAt }) };
  const read = { ...unread, readUrl, ...dates, contentHash, ...(given && { given }) };
  if (!legible.includes(source)) return { ...read, score: null, reason: 'unsupported_language' };
  const score = judgement?.perSource.find(({ url }) => url === source.url)?.score ?? null;
  return { ...read, score, reason: null };
}

/**
 * Only where our own score might as well have fallen on the other side; what no page can settle, no model can. What a person gave
 * stays on this machine.
 */
async function askIfNear(
  claim: Claim,
  pages: readonly CitedSource[],
  { verdict, score }: Judgement,
  { verifier, secondOpinion }: Judges,
  signal: AbortSignal,
): Promise<SecondOpinion | null> {
  if (secondOpinion === null || verdict === 'uncheckable' || pages.some(({ given }) => given)) return null;
  if (!isNearThreshold(score, verifier.threshold, secondOpinion.margin)) return null;
  return secondOpinion.opinions.ask(claim, pages, signal);
}
