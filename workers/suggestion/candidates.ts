/** May this page be suggested for this finding? By address and text alone; how well it supports the claim is not asked here. */
import type { Claim, Finding, ReadableSource } from '../../shared/citation.ts';
import { type Fingerprint, shareOf, shingle } from '../../shared/shingles.ts';
import { canonicalUrl, isArchiveToday, originalOfArchived, parseHttpUrl } from '../../shared/url.ts';

/** False for the page that is cited, pages of the wiki, archive.today, copies of the article, and pages that only an archive has. */
export function isCandidate(
  finding: Pick<Finding, 'wiki' | 'claim' | 'citations'>,
  article: Fingerprint,
  page: ReadableSource,
): boolean {
  const addresses = [page.url, page.finalUrl];
  return (
    page.archivedAt === null &&
    !isCited(finding, addresses) &&
    !addresses.some((url) => isOfWiki(finding.wiki, url) || isArchiveToday(hostOf(url))) &&
    shareOf(article, page.text) < COPY_OF_ARTICLE &&
    sharedShingles(finding.claim, page.text) < COPY_OF_CLAIM
  );
}

/** Whatever address of a citation leads there: as cited, its archived copy's, or where it redirects to. */
function isCited({ citations }: Pick<Finding, 'citations'>, addresses: string[]): boolean {
  const cited = citations.flatMap(({ url, archiveUrl, readUrl }) => [url, archiveUrl, readUrl].map(toCanonical));
  return addresses.map(toCanonical).some((url) => url !== null && cited.includes(url));
}

function toCanonical(url: string | null): string | null {
  return url === null ? null : canonicalUrl(url);
}

/** `en.m.wikipedia.org` is `en.wikipedia.org`. */
function isOfWiki(wiki: string, url: string): boolean {
  return hostOf(url).replace('.m.', '.') === wiki;
}

function hostOf(url: string): string {
  return parseHttpUrl(originalOfArchived(url))?.host ?? '';
}

/** Share of the 5-word shingles of the claim and its context that the text holds, 0 to 1; 0 for a claim under 5 words. */
export function sharedShingles(claim: Pick<Claim, 'text' | 'context'>, text: string): number {
  const ofClaim = shingle(`${claim.context} ${claim.text}`);
  if (ofClaim.size === 0) return 0;
  const ofText = shingle(text);
  return [...ofClaim].filter((words) => ofText.has(words)).length / ofClaim.size;
}

/** Of 456 pages that articles cite, 4 share as much (deploy/decisions/suggestions.md); copies, also edited ones, share more. */
const COPY_OF_CLAIM = 0.3;
/** A source shares names and figures with the article; a page that has a quarter of its prose took it from there. */
const COPY_OF_ARTICLE = 0.25;
