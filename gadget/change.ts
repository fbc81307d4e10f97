/** An edit as wikitext. In: the page's wikitext, a finding, the kind of edit. Out: the places that change, or why none can safely. */
import type { Finding } from '../shared/citation.ts';
import { addCitation } from './add.ts';
import { type EditFailure, type EditKind, refuse } from './editing.ts';
import { behind, type Cited, citing, contentOf, type Placed } from './place.ts';
import { type References, readReferences } from './references.ts';
import { replaceCitation } from './replace.ts';
import { weakestCitation } from './state.ts';
import { tagCitation, untagCitation } from './tag.ts';
import { templatesIn } from './template.ts';
import { withoutHidden } from './wikitext.ts';
import { isCitable, type Work, type WorkStyle } from './work.ts';

export interface ChangeWish {
  finding: Finding;
  style: WorkStyle;
  /** The suggested source; null where there is none. */
  work: Work | null;
  /** As tags are called on this wiki; null: it has none. */
  tagTemplate: string | null;
}

/** What stands from `start` to `end` gives way to `text`. */
export interface Span {
  start: number;
  end: number;
  text: string;
}

export interface Changed {
  kind: 'changed';
  /** None overlaps another. */
  spans: readonly Span[];
  /** Content of the new reference; null where there is none. */
  reference: string | null;
}

/** What every kind of edit is given. */
export interface Page extends ChangeWish {
  wikitext: string;
  references: References;
  /** The citation that seems to fail; null: the claim has none, and stands before a tag that asks for one. */
  cited: Cited | null;
}

export function changeWikitext(wikitext: string, kind: EditKind, wish: ChangeWish): Changed | EditFailure {
  const page = pageOf(wikitext, wish);
  if (kind === 'untag') return untagCitation(page);
  const placed = place(page);
  if ('why' in placed) return refuse(placed.why);
  if (kind === 'tag') return tagCitation(page, placed.marker);
  const { work } = wish;
  if (work === null || !isCitable(work)) return refuse('no_address');
  return (kind === 'add' ? addCitation : replaceCitation)(page, placed.marker, work);
}

export function applySpans(wikitext: string, spans: readonly Span[]): string {
  const last = (text: string, { start, end, text: into }: Span) => text.slice(0, start) + into + text.slice(end);
  return spans
    .slice()
    .sort((a, b) => b.start - a.start)
    .reduce(last, wikitext);
}

/** The template in which the citation is written, of which the wiki may know more; null if there is no one. */
export function citedTemplate(wikitext: string, wish: ChangeWish): string | null {
  const page = pageOf(wikitext, wish);
  const placed = place(page);
  if ('why' in placed) return null;
  const { uses, listed } = page.references;
  const content = contentOf(placed.marker, uses.concat(listed));
  return templatesIn(withoutHidden(content))[0]?.name ?? null;
}

function pageOf(wikitext: string, wish: ChangeWish): Page {
  const references = readReferences(wikitext, wish.style.config.templates);
  return { ...wish, wikitext, references, cited: weakestCitation(wish.finding) };
}

function place({ wikitext, references, cited, finding }: Page): Placed {
  const { uses, enclosing } = references;
  const tags = uses.filter(({ kind }) => kind === 'citation_needed' || kind === 'failed_verification');
  return behind(wikitext, { candidates: cited === null ? tags : citing(references, cited), enclosing }, finding.claim);
}
