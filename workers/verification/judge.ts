/**
 * One claim–citation pair and what was read of its citations → what a finding says of them. The queue's way and the command
 * line's go through here, so that both say the same. Looks for no better source.
 */
import type {
  CheckedCitation,
  Citation,
  ClaimPair,
  Finding,
  ReadableSource,
  UnavailableSource,
} from '../../shared/citation.ts';
import type { Judgement, Verifier } from './verifier.ts';

export type Judged = Pick<Finding, 'citations' | 'verdict' | 'score' | 'evidence' | 'reason' | 'model'>;

/** Null: nothing came back, not even a reason. */
export type Read = ReadableSource | Pick<UnavailableSource, 'kind' | 'reason'> | null;

/** `sources` in the order of the pair's citations. Unread sources never count against a claim. Throws where the model fails. */
export async function judge(
  { claim, citations }: ClaimPair,
  sources: readonly Read[],
  verifier: Verifier,
): Promise<Judged> {
  const readable = sources.filter(isReadable);
  const judgement = readable.length === 0 ? null : await verifier.verify(claim, readable);
  const checked = citations.map((citation, at) => check(citation, sources[at] ?? null, judgement));
  const model = verifier.version;
  if (judgement !== null) {
    const { verdict, score, evidence } = judgement;
    return { citations: checked, verdict, score, evidence, reason: null, model };
  }
  const reason = checked[0]?.reason ?? null;
  const verdict = citations.length === 0 ? 'unsourced' : 'unavailable';
  return { citations: checked, verdict, score: null, evidence: null, reason, model };
}

function isReadable(source: Read): source is ReadableSource {
  return source?.kind === 'readable';
}

function check(citation: Citation, source: Read, judgement: Judgement | null): CheckedCitation {
  if (!isReadable(source)) {
    return { ...citation, score: null, reason: source?.reason ?? 'unreachable', readUrl: null, archivedAt: null };
  }
  const score = judgement?.perSource.find(({ url }) => url === source.url)?.score ?? null;
  return { ...citation, score, reason: null, readUrl: source.finalUrl, archivedAt: source.archivedAt };
}
