/** Content hashes by which claims, citations, pages and texts are known. In: text. Out: 16 hex digits. */
import { hash } from 'node:crypto';
import { canonicalUrl } from './url.ts';

/** First 16 hex digits of the SHA-256 of `text`. */
export function hashText(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 16);
}

/** Survives changes of case, spacing, quotes and dashes, as T399642 asks of a claim's checksum. */
export function hashClaim(text: string): string {
  return hashText(normalizeText(text));
}

/** Same page, same hash: by canonical URL, else by the reference's text. */
export function hashCitation(citation: { url: string | null; text: string }): string {
  const url = citation.url === null ? null : canonicalUrl(citation.url);
  return hashText(url ?? `text:${normalizeText(citation.text)}`);
}

/** Hash of a claim's whole group of citations, whatever their order; of the empty group for an unsourced claim. */
export function hashCitations(citations: readonly { hash: string }[]): string {
  return hashText(
    citations
      .map((citation) => citation.hash)
      .sort()
      .join(' '),
  );
}

/** Lower case, straight quotes and hyphens, single spaces. */
export function normalizeText(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\s+/g, ' ')
    .trim();
}
