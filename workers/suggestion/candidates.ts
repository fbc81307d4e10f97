/** Why a page may not be suggested for a finding: by its address, and by its text. How well it supports the claim is not asked here. */
import type { Claim, Finding, ReadableSource } from '../../shared/citation.ts';
import { type Fingerprint, shareOf, shingle } from '../../shared/shingles.ts';
import { canonicalUrl, originalOfArchived, parseHttpUrl } from '../../shared/url.ts';
import { detectLanguage, isMeasured } from '../verification/language.ts';
import { type ExclusionOptions, type ExclusionReason, whyExcluded } from './reliability/exclusions.ts';

/** Why a page was passed over; logged, not published. */
export type PassedOver =
  | ExclusionReason
  | 'cited'
  | 'same_wiki'
  | 'copy'
  | 'unsupported_language'
  /** The fetcher can't reach it now, or only an archive still has it. */
  | 'unreachable'
  /** Not by its margin better than what is cited. */
  | 'not_better';

/** Null for an address that may be suggested: neither cited already, nor of the wiki itself, nor ruled out by its lists. */
export function whyNotAddress(
  { wiki, citations }: Pick<Finding, 'wiki' | 'citations'>,
  url: string,
  exclusions: ExclusionOptions,
): PassedOver | null {
  if (isCited(citations, url)) return 'cited';
  if (isOfWiki(wiki, url)) return 'same_wiki';
  return whyExcluded(wiki, url, exclusions);
}

/** Null for a text that may be suggested: no copy of the article, and in a language in which the engine was measured. */
export function whyNotText({ claim }: Pick<Finding, 'claim'>, article: Fingerprint, text: string): PassedOver | null {
  if (shareOf(article, text) >= COPY_OF_ARTICLE || sharedShingles(claim, text) >= COPY_OF_CLAIM) return 'copy';
  const { language, confident } = detectLanguage(text);
  return confident && !isMeasured(language) ? 'unsupported_language' : null;
}

/** The same of a page as it was fetched, which may have led elsewhere. */
export function whyNotPage(
  finding: Pick<Finding, 'wiki' | 'claim' | 'citations'>,
  article: Fingerprint,
  page: ReadableSource,
  exclusions: ExclusionOptions,
): PassedOver | null {
  if (page.archivedAt !== null) return 'unreachable';
  return (
    whyNotAddress(finding, page.url, exclusions) ??
    whyNotAddress(finding, page.finalUrl, exclusions) ??
    whyNotText(finding, article, page.text)
  );
}

/** Whatever address of a citation leads there: as cited, its archived copy's, or where it redirects to. */
function isCited(citations: Finding['citations'], url: string): boolean {
  const address = canonicalUrl(url);
  const cited = citations.flatMap(({ url, archiveUrl, readUrl }) => [url, archiveUrl, readUrl]);
  return address !== null && cited.some((other) => other !== null && canonicalUrl(other) === address);
}

/** `en.m.wikipedia.org` is `en.wikipedia.org`. */
function isOfWiki(wiki: string, url: string): boolean {
  const host = parseHttpUrl(originalOfArchived(url))?.host ?? '';
  return host.replace('.m.', '.') === wiki;
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
