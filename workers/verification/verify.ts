/**
 * Stage `verification`: a claim and the answers of its sources → a finding for review, and a search for a better source where
 * the claim is low-scoring, unsourced or unread. Texts come from the source store; nothing is fetched.
 */
import type { CheckedCitation, Finding, Reliability, Source } from '../../shared/citation.ts';
import type { Gathered, Handler, Input, Next } from '../../shared/pipeline.ts';
import type { Fingerprint } from '../../shared/shingles.ts';
import { type Judges, judge, type Read } from './judge.ts';
import type { Verifier } from './verifier.ts';

export interface SourceTexts {
  get(key: string): Promise<Source | null>;
}

export interface SearchedGenerations {
  /** The generation of the corpus to search; null where there is none yet: then the finding says "not searched". */
  current(): Promise<SearchedGeneration | null>;
}

export interface SiteLists {
  /** What the wiki's own lists say of the site that an address is on; null if none has it. */
  reliability(wiki: string, url: string): Reliability | null;
}

export interface SearchedGeneration {
  generation: string;
  shards: readonly { shard: number }[];
}

export function createVerify(dependencies: {
  judges: Judges;
  store: SourceTexts;
  generations: SearchedGenerations;
  /** Lists as they stand now. */
  reliability: { current(): Promise<SiteLists> };
}): Handler<'verification'> {
  const { judges, store, generations, reliability } = dependencies;
  return async (input, { gathered, signal }) => {
    const { wiki, page, revision, claim, citations, article, suggest } = input;
    const asked = input.request === undefined ? {} : { request: input.request };
    const sources = await readSources(input, gathered, store);
    const judged = await judge({ claim, citations }, sources, judges, signal);
    const lists = await reliability.current();
    const checked = judged.citations.map((citation) => weigh(citation, wiki, lists));
    const unsearched = { suggestion: null, searched: null };
    const finding: Finding = { wiki, page, revision, claim, ...judged, citations: checked, ...unsearched };
    const review: Next = { stage: 'review', input: { kind: 'finding', finding, ...asked } };
    const wanted = isToSource(finding, judges.verifier) || suggest === 'always';
    const generation = wanted ? await generations.current() : null;
    return {
      answer: null,
      next: generation === null ? [review] : [review, search(finding, { article, ...asked }, generation)],
    };
  };
}

/** For people to see beside the score, which it does not change. */
function weigh(citation: CheckedCitation, wiki: string, lists: SiteLists): CheckedCitation {
  return { ...citation, reliability: citation.url === null ? null : lists.reliability(wiki, citation.url) };
}

/** Low-scoring, unsourced or unread, and such that a page could settle it in a language that the engine reads. */
function isToSource({ score, verdict }: Finding, { threshold }: Verifier): boolean {
  if (verdict === 'uncheckable' || verdict === 'unsupported_language') return false;
  return score === null || score < threshold;
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

/** Every arm of one generation, whatever becomes the current one meanwhile. */
function search(
  finding: Finding,
  { article, ...request }: { article: Fingerprint; request?: string },
  { generation, shards }: SearchedGeneration,
): Next {
  const { wiki, claim } = finding;
  const asked = { wiki, claim, generation, ...request };
  const dense = shards.map(({ shard }): Next => ({ stage: 'retrieval-dense', input: { ...asked, shard } }));
  const children: Next[] = [{ stage: 'retrieval-sparse', input: asked }, ...dense];
  return { stage: 'suggestion', input: { finding, article, generation, ...request }, children };
}
