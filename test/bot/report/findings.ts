/** Findings for tests of reports. */
import { type Finding, Finding as FindingSchema } from '../../../shared/citation.ts';
import { hashCitation, hashClaim } from '../../../shared/hash.ts';
import { aCitation, aClaim, aFinding } from '../../support/examples.ts';

export interface Told {
  title: string;
  pageId: number;
  claim: string;
  verdict: Finding['verdict'];
  reason: Finding['reason'];
  url: string | null;
  citedTitle: string;
  quote: string | null;
  given: boolean;
  suggestion: { url: string; title: string; quote: string } | null;
}

/** As the verification would have made it. */
export function tell(wiki: string, told: Partial<Told>): Finding {
  const { title = 'Orrin Bay', pageId = 7, claim = aClaim.text, citedTitle = 'The mill', quote = null } = told;
  const url = told.url === undefined ? aCitation.url : told.url;
  const cited = { ...aCitation, url, title: citedTitle, hash: hashCitation({ url, text: citedTitle }) };
  const checked = { score: 0.2, reason: null, readUrl: url, archivedAt: null, reliability: null };
  return FindingSchema.parse({
    ...aFinding,
    wiki,
    page: { id: pageId, title },
    claim: { ...aClaim, text: claim, hash: hashClaim(claim), markerOffset: claim.length },
    citations: [{ ...cited, ...checked, ...(told.given ? { given: true } : {}) }],
    verdict: told.verdict ?? 'not_supported',
    reason: told.reason ?? null,
    score: told.reason ? null : 0.2,
    evidence: quote === null ? null : evidence(url ?? '', citedTitle, quote),
    suggestion: told.suggestion
      ? {
          url: told.suggestion.url,
          title: told.suggestion.title,
          score: 0.9,
          evidence: evidence(told.suggestion.url, told.suggestion.title, told.suggestion.quote),
        }
      : null,
  });
}

function evidence(url: string, title: string, quote: string) {
  return { quote, url, title, start: 0, end: quote.length, passage: quote };
}
