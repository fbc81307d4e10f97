/**
 * "Use this source": wikitext in, wikitext out, with the suggested source in place of the citation behind one claim. The
 * citation is found by its content and by the words before it, never by number. Saves nothing.
 */
import { canonicalUrl } from '../shared/url.ts';
import { findDefinitions, findMarkers, type Marker, plainWords, words } from './wikitext.ts';

export interface Replacement {
  /** The claim up to its marker. */
  claim: string;
  cited: readonly { url: string | null; name: string | null; form: 'ref' | 'short_footnote' }[];
  source: { url: string; title: string };
  /** Day of the edit, `2026-11-20`. */
  accessDate: string;
}

export type Replaced = { kind: 'replaced'; wikitext: string } | { kind: 'not_found' };

export function replaceCitation(wikitext: string, replacement: Replacement): Replaced {
  const markers = findMarkers(wikitext);
  const definitions = findDefinitions(wikitext);
  const candidates = markers.filter((marker) => cites(marker, replacement, definitions));
  const marker = behindClaim(wikitext, candidates, words(replacement.claim));
  if (marker === null) return { kind: 'not_found' };
  const reference = `<ref>${citeWeb(replacement)}</ref>`;
  const cut = { start: marker.start, end: withoutTag(wikitext, marker, markers) };
  const kept = keepDefinition(wikitext, marker, markers);
  return { kind: 'replaced', wikitext: wikitext.slice(0, cut.start) + reference + kept(cut.end) };
}

function cites(marker: Marker, { cited }: Replacement, definitions: Map<string, string>): boolean {
  if (cited.length === 0) return marker.kind === 'tag';
  return cited.some((citation) => {
    if (citation.form === 'short_footnote') return marker.kind === 'short_footnote';
    if (marker.kind !== 'ref') return false;
    if (citation.name !== null && marker.name === citation.name) return true;
    const content = marker.content || (marker.name !== null && definitions.get(marker.name)) || '';
    return citation.url === null ? marker.content !== '' : holdsUrl(content, citation.url);
  });
}

function holdsUrl(content: string, url: string): boolean {
  const wanted = canonicalUrl(url);
  return (content.match(/https?:\/\/[^\s|\]}<]+/g) || []).some((found) => canonicalUrl(found) === wanted);
}

/** The candidate whose preceding words end as the claim does. */
function behindClaim(wikitext: string, candidates: Marker[], claim: string[]): Marker | null {
  const needed = Math.min(claim.length, ENOUGH_WORDS);
  let best: { marker: Marker; shared: number } | null = null;
  for (const marker of candidates) {
    const before = plainWords(wikitext.slice(Math.max(0, marker.start - LOOK_BACK), marker.start));
    const shared = sharedEnd(before, claim);
    if (shared >= needed && (best === null || shared > best.shared)) best = { marker, shared };
  }
  return best === null ? null : best.marker;
}

/** How many of the claim's last words the text ends with, allowing for a word that a template rendered. */
function sharedEnd(before: string[], claim: string[]): number {
  const tail = before.slice(-claim.length - SLACK);
  return claim.slice(-tail.length).filter((word) => tail.indexOf(word) >= 0).length >= claim.length * MOST
    ? claim.length
    : commonSuffix(before, claim);
}

function commonSuffix(a: string[], b: string[]): number {
  let length = 0;
  while (length < Math.min(a.length, b.length) && a[a.length - 1 - length] === b[b.length - 1 - length]) length++;
  return length;
}

/** A {{failed verification}} right behind the old citation goes with it. */
function withoutTag(wikitext: string, marker: Marker, markers: Marker[]): number {
  const next = markers[markers.indexOf(marker) + 1];
  const isTag = next !== undefined && next.kind === 'tag' && wikitext.slice(marker.end, next.start).trim() === '';
  return isTag && marker.kind !== 'tag' ? next.end : marker.end;
}

/** A named reference that others reuse moves to its next use, so that these keep their source. */
function keepDefinition(wikitext: string, marker: Marker, markers: Marker[]): (from: number) => string {
  const isReuse = (other: Marker) => other !== marker && other.name === marker.name && other.content === '';
  const heir = marker.name !== null && marker.content !== '' ? markers.filter(isReuse)[0] : undefined;
  if (heir === undefined || heir.start < marker.end) return (from) => wikitext.slice(from);
  const definition = wikitext.slice(marker.start, marker.end);
  return (from) => wikitext.slice(from, heir.start) + definition + wikitext.slice(heir.end);
}

function citeWeb({ source, accessDate }: Replacement): string {
  const title = source.title.replace(/[|{}[\]<>'=\n]/g, (character) => `&#${character.charCodeAt(0)};`);
  const url = new URL(source.url).href.replace(
    /[|{}[\]<>']/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
  return `{{cite web |url=${url} |title=${title.trim()} |access-date=${accessDate}}}`;
}

const LOOK_BACK = 4000;
const ENOUGH_WORDS = 5;
const SLACK = 6;
const MOST = 0.85;
