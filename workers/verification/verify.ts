/**
 * Stage `verification`: a claim and the answers of its sources → a finding for review, and a search for a better source where
 * the claim is low-scoring, unsourced or unread. Texts come from the source store; nothing is fetched.
 */
import type { Finding, Source } from '../../shared/citation.ts';
import type { Gathered, Handler, Input, Next } from '../../shared/pipeline.ts';
import type { Fingerprint } from '../../shared/shingles.ts';
import { judge, type Read } from './judge.ts';
import type { Verifier } from './verifier.ts';

export interface SourceTexts {
  get(key: string): Promise<Source | null>;
}

export function createVerify(dependencies: {
  verifier: Verifier;
  store: SourceTexts;
  /** How many dense shards a search asks. */
  denseShards: number;
}): Handler<'verification'> {
  const { verifier, store, denseShards } = dependencies;
  return async (input, { gathered }) => {
    const { wiki, page, revision, claim, citations, article, suggest } = input;
    const sources = await readSources(input, gathered, store);
    const judged = await judge({ claim, citations }, sources, verifier);
    const finding: Finding = { wiki, page, revision, claim, ...judged, suggestion: null, searched: null };
    const review: Next = { stage: 'review', input: { kind: 'finding', finding } };
    const low = finding.score === null || finding.score < verifier.threshold;
    return {
      answer: null,
      next: low || suggest === 'always' ? [review, search(finding, article, denseShards)] : [review],
    };
  };
}

/** In the order of the citations. A source whose job failed, or whose text the store lost, is null. */
async function readSources(input: Input<'verification'>, { sources }: Gathered, store: SourceTexts): Promise<Read[]> {
  const answers = new Map(sources.map((answer) => [answer.citationHash, answer]));
  return Promise.all(
    input.citations.map(async ({ hash }) => {
      const { sourceKey = null, reason = null } = answers.get(hash) ?? {};
      if (reason !== null) return { kind: 'unavailable', reason };
      return sourceKey === null ? null : store.get(sourceKey);
    }),
  );
}

function search(finding: Finding, article: Fingerprint, denseShards: number): Next {
  const { wiki, page, revision, claim } = finding;
  const asked = { wiki, page, revision, claim };
  const dense = Array.from(
    { length: denseShards },
    (_, shard): Next => ({ stage: 'retrieval-dense', input: { ...asked, shard } }),
  );
  const children: Next[] = [{ stage: 'retrieval-sparse', input: asked }, ...dense];
  return { stage: 'suggestion', input: { finding, article }, children };
}
