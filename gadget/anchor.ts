/**
 * Finds the claims of findings on a rendered article, by the claim's text and by what its reference cites, never by number.
 * In: the article's content element and findings. Out: for each finding that was found, the element to mark. Changes nothing.
 */
import type { Citation, Finding } from '../shared/citation.ts';
import { canonicalUrl } from '../shared/url.ts';
import type { Row } from './state.ts';
import { words } from './wikitext.ts';

export interface Anchor {
  id: number;
  /** The last marker behind the claim: a badge goes after it. */
  marker: Element;
}

export function findAnchors(content: Element, rows: readonly Row[]): Anchor[] {
  const markers = Array.from(content.querySelectorAll(MARKER)).map((marker) => ({
    marker,
    before: wordsBefore(marker),
  }));
  const anchors: Anchor[] = [];
  for (const { id, finding } of rows) {
    const claim = claimWords(finding);
    const behind = markers.filter(
      ({ marker, before }) => endsWith(before, claim) && cites(content, marker, finding.citations),
    );
    const last = behind[behind.length - 1];
    if (last !== undefined) anchors.push({ id, marker: last.marker });
  }
  return anchors;
}

/** The claim up to its marker, as words: punctuation and spacing differ between Parsoid's HTML and the page's. */
function claimWords({ claim }: Finding): string[] {
  return words(claim.text.slice(0, claim.markerOffset) || claim.text);
}

function wordsBefore(marker: Element): string[] {
  const block = marker.closest(BLOCK);
  if (block === null) return [];
  const range = document.createRange();
  range.setStart(block, 0);
  range.setEndBefore(marker);
  const before = range.cloneContents();
  before.querySelectorAll(NOT_TEXT).forEach((element) => {
    element.remove();
  });
  return words(before.textContent || '');
}

function endsWith(text: string[], claim: string[]): boolean {
  return claim.length > 0 && claim.every((word, i) => text[text.length - claim.length + i] === word);
}

/** Whether the marker's note holds the cited address, or, for a short footnote, links to a work that does. */
function cites(content: Element, marker: Element, citations: readonly Citation[]): boolean {
  if (citations.length === 0) return marker.matches(TAG);
  if (!marker.matches(REFERENCE)) return false;
  const addresses = citations.map((citation) => citation.url && canonicalUrl(citation.url));
  const note = targetOf(content, marker.querySelector('a[href*="#"]'));
  const works = [
    note,
    ...Array.from(note ? note.querySelectorAll('a[href*="#CITEREF"]') : []).map((a) => targetOf(content, a)),
  ];
  const found = works.some((work) => work !== null && linksTo(work, addresses));
  return found || addresses.every((address) => address === null);
}

function targetOf(content: Element, link: Element | null): Element | null {
  const href = link?.getAttribute('href');
  if (!href) return null;
  const id = decodeURIComponent(href.slice(href.indexOf('#') + 1));
  return content.querySelector(`[id="${CSS.escape(id)}"]`);
}

function linksTo(work: Element, addresses: (string | null)[]): boolean {
  return Array.from(work.querySelectorAll('a[href]')).some((link) => {
    const address = canonicalUrl((link as HTMLAnchorElement).href); // a[href] is an HTMLAnchorElement in an HTML page
    return address !== null && addresses.indexOf(address) >= 0;
  });
}

const REFERENCE = 'sup.reference';
const TAG = 'sup.Inline-Template';
const MARKER = `${REFERENCE}, ${TAG}`;
const BLOCK = 'p, li, td, th, dd, dt, figcaption, blockquote, caption';
const NOT_TEXT = `${MARKER}, .sidelight-badge, style, script, .mw-editsection`;
