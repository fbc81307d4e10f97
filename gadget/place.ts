/**
 * Finds a claim's citation again in the page's wikitext: by what it cites and by the words around it, never by number. In: markers,
 * claim, citation. Out: one marker, or why none is sure. Changes nothing.
 */
import type { Citation, Claim } from '../shared/citation.ts';
import { canonicalUrl } from '../shared/url.ts';
import type { FailureCode } from './editing.ts';
import { endWithPages, isCitation, type Marker, type References, type TemplateNames, uses } from './references.ts';
import { readsRow } from './row.ts';
import { readAddresses, readCells, readValues, readWords } from './wikitext.ts';
import { endsAs, firstWords, words } from './words.ts';

export type PlacedClaim = Pick<Claim, 'text' | 'markerOffset' | 'context'>;
export type Cited = Pick<Citation, 'url' | 'name' | 'form' | 'text'>;

export type Placed = { marker: Marker } | { why: Extract<FailureCode, 'not_found' | 'ambiguous' | 'enclosed'> };

/** Uses of the citation: by its name or address if any has it, else those whose values are most like its text. */
export function citing({ uses: all, listed }: References, cited: Cited): Marker[] {
  const references = all.filter(isCitation);
  const defined = references.concat(listed).filter(({ name, content }) => name !== null && content !== '');
  const alike = references.map((use) => ({ use, likeness: likenessOf(use, contentOf(use, defined), cited) }));
  const best = Math.max(...alike.map(({ likeness }) => likeness), LEAST_ALIKE);
  return alike.filter(({ likeness }) => likeness === best).map(({ use }) => use);
}

/** The one candidate behind the claim. */
export function behind(
  wikitext: string,
  { candidates, enclosing }: { candidates: readonly Marker[]; enclosing: readonly Marker[] },
  claim: PlacedClaim,
): Placed {
  const sentences = behindSentence(wikitext, candidates, claim);
  const found = sentences.length > 0 ? sentences : inRow(wikitext, candidates, claim);
  const [marker] = found;
  if (marker !== undefined) return found.length === 1 ? { marker } : { why: 'ambiguous' };
  return { why: enclosing.some(({ content }) => holds(content, claim.text)) ? 'enclosed' : 'not_found' };
}

/** Markers that stand with this one behind the same words, itself among them. */
export function besides(wikitext: string, marker: Marker, { uses: all }: References, names: TemplateNames): Marker[] {
  const at = all.indexOf(marker);
  const isNext = (one: Marker, next: Marker | undefined) =>
    next !== undefined && wikitext.slice(endWithPages(wikitext, one.end, names), next.start).trim() === '';
  let [first, last] = [at, at];
  while (first > 0 && isNext(all[first - 1] as Marker, all[first])) first--; // within the list
  while (isNext(all[last] as Marker, all[last + 1])) last++;
  return all.slice(first, last + 1);
}

export function holdsUrl(content: string, url: string): boolean {
  const wanted = canonicalUrl(url);
  return wanted !== null && readAddresses(content).some((found) => canonicalUrl(found) === wanted);
}

/** What a use cites, where it is defined apart. */
export function contentOf(use: Marker, defined: readonly Marker[]): string {
  return (
    use.content ||
    (defined.filter(({ name, content }) => content !== '' && name !== null && uses(use, name))[0]?.content ?? '')
  );
}

/** 1: the same; less: how many words its values and the citation's text share (Dice), which says dates otherwise. */
function likenessOf(use: Marker, content: string, cited: Cited): number {
  if (cited.name !== null && uses(use, cited.name)) return 1;
  if (cited.url !== null && cited.form === 'ref' && holdsUrl(content, cited.url)) return 1;
  const shown = words(cited.text);
  const values = readValues(content);
  const shared = values.filter((word) => shown.indexOf(word) >= 0).length;
  return values.length === 0 ? 0 : (2 * shared) / (values.length + shown.length);
}

/** The candidates at which the wikitext reads as the claim does, as literally as any; of several, those in the same paragraph. */
function behindSentence(wikitext: string, candidates: readonly Marker[], claim: PlacedClaim): Marker[] {
  const after = words(claim.text.slice(claim.markerOffset)).length;
  const read = candidates.map((marker) => {
    const before = readWords(wikitext.slice(Math.max(0, marker.start - LOOK_AROUND), marker.start));
    const next = readWords(wikitext.slice(marker.end, marker.end + LOOK_AROUND));
    const text = before.concat(firstWords(next, after));
    return { marker, text, share: endsAs(text, claim.text) };
  });
  const best = Math.max(...read.map(({ share }) => share), LEAST_LITERAL);
  const found = read.filter(({ share }) => share === best);
  if (found.length < 2) return found.map(({ marker }) => marker);
  const context = words(claim.context).slice(-MOST_CONTEXT).join(' ');
  const inContext = found.filter(({ text }) => endsAs(text, `${context} ${claim.text}`) >= LEAST_LITERAL);
  return (inContext.length > 0 && context !== '' ? inContext : found).map(({ marker }) => marker);
}

/** In a row of a table or infobox that the claim reads out. */
function inRow(wikitext: string, candidates: readonly Marker[], claim: PlacedClaim): Marker[] {
  return candidates.filter(({ start }) => readsRow(claim, readCells(wikitext.slice(0, start))));
}

function holds(content: string, claim: string): boolean {
  return words(content).join(' ').indexOf(words(claim).join(' ')) >= 0;
}

const LOOK_AROUND = 20_000;
/** Of the claim's letters: templates show the rest. */
const LEAST_LITERAL = 0.5;
const LEAST_ALIKE = 0.5;
/** Words: enough to tell two places apart, and few enough to stand in one paragraph. */
const MOST_CONTEXT = 12;
