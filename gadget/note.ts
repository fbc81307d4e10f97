/** What the notes behind markers cite. In: markers of a rendered article and citations. Out: whether they are all there. */
import type { Citation } from '../shared/citation.ts';
import { canonicalUrl } from '../shared/url.ts';
import { words } from './words.ts';

/** Of no citations: whether a tag stands there that asks for one. */
export function citesAll(markers: readonly Element[], citations: readonly Citation[]): boolean {
  if (citations.length === 0) return markers.some((marker) => marker.matches('.Inline-Template'));
  const notes = markers.map((marker) => targetOf(marker.querySelector('a[href*="#"]')));
  return citations.every((citation) => notes.some((note) => note !== null && cites(note, citation)));
}

/** By its address, also that of the work a short footnote leads to, or else by its text. */
function cites(note: Element, { url, text }: Citation): boolean {
  const address = url === null ? null : canonicalUrl(url);
  const works = Array.from(note.querySelectorAll('a[href*="#CITEREF"]')).map(targetOf);
  const isLinked = [note, ...works].some((work) => work !== null && links(work, url, address));
  return (address !== null && isLinked) || words(textOf(note)).join('') === words(text).join('');
}

function targetOf(link: Element | null): Element | null {
  const href = link?.getAttribute('href') ?? null;
  return href === null ? null : mw.util.getTargetFromFragment(href.slice(href.indexOf('#') + 1));
}

/** As it is written, which most are, or in another form: that takes longer to tell. */
function links(work: Element, url: string | null, address: string | null): boolean {
  const all = Array.from(work.querySelectorAll<HTMLAnchorElement>('a[href]'));
  return all.some(({ href }) => href === url) || all.some(({ href }) => canonicalUrl(href) === address);
}

function textOf(note: Element): string {
  return (note.querySelector('.reference-text') ?? note).textContent ?? '';
}
