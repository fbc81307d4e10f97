/** Claims of articles with their citations, as the bot publishes them: payloads of the size that a wiki's have, made up. Out: Next[]. */
import type { Citation, Claim, Finding } from '../../../shared/citation.ts';
import { hashClaim } from '../../../shared/hash.ts';
import type { Next } from '../../../shared/pipeline.ts';
import { claimText } from '../verification/inputs.ts';

/** Articles of ten claims, one citation each. Three jobs a claim: its source, its verification, its row for review. */
export function makeArticles(claims: number, round: number): Next[][] {
  const all = Array.from({ length: claims }, (_, at) => makeClaim(at, round));
  return Array.from({ length: Math.ceil(claims / 10) }, (_, at) => all.slice(at * 10, at * 10 + 10));
}

export const JOBS_A_CLAIM = 3;

function makeClaim(number: number, round: number): Next {
  const { text, title, section, context } = claimText(number);
  const claim: Claim = {
    ...{ hash: hashClaim(`${round}-${number}`), text, markerOffset: text.length, context, section, title },
    ...{ kind: 'sentence', trigger: null },
  };
  const url = `https://archive-${number % 97}.example/page/${number}`;
  const citation: Citation = {
    ...{ hash: hashClaim(url), url, archiveUrl: null, urlStatus: null, title: 'The harbour', name: null, form: 'ref' },
    ...{ text: 'The harbour. Harbour Archive, 12 May 2014. Retrieved 3 June 2019.', accessDate: '2019-06-03' },
  };
  const at = {
    wiki: 'bench.example',
    page: { id: Math.floor(number / 10) + 1, title },
    revision: round * 1e6 + number + 1,
  };
  const sources: Next = { stage: 'sources', input: { ...at, claimHash: claim.hash, citation } };
  const input = { ...at, claim, citations: [citation], article: [], suggest: 'below_threshold' as const };
  return { stage: 'verification', input, children: [sources] };
}

/** What an empty verification hands on. */
export function findingOf(input: Extract<Next, { stage: 'verification' }>['input']): Finding {
  const { wiki, page, revision, claim, citations } = input;
  return {
    ...{ wiki, page, revision, claim, citations: citations.map((citation) => ({ ...citation, ...UNREAD })) },
    ...{
      verdict: 'supported',
      score: 0.9,
      evidence: null,
      failed: 0.1,
      missing: [],
      mismatches: [],
      uncheckable: null,
    },
    ...{ secondOpinion: null, reason: null, model: 'bench-1', suggestion: null, searched: null },
  };
}

const UNREAD = { score: 0.9, reason: null, readUrl: null, archivedAt: null, reliability: null } as const;
