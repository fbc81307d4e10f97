/**
 * The suggested source in place of the citation behind one claim. In: the page, the marker. Out: what changes. Rules, also for what
 * stays and what is refused: deploy/gadget/config.md.
 */
import { canonicalUrl } from '../shared/url.ts';
import type { Changed, Page, Span } from './change.ts';
import { type EditFailure, refuse } from './editing.ts';
import { besides, contentOf, holdsUrl } from './place.ts';
import { endWithPages, isCitation, isNamed, type Marker, templatesNamed, uses } from './references.ts';
import { type Template, templatesIn } from './template.ts';
import { readAddresses, withoutHidden } from './wikitext.ts';
import { words } from './words.ts';
import { newCitation, rewriteCitation, type Work } from './work.ts';

export function replaceCitation(page: Page, marker: Marker, work: Work): Changed | EditFailure {
  const { wikitext, references, style } = page;
  const beside = besides(wikitext, marker, references, style.config.templates);
  const defined = references.uses.concat(references.listed);
  if (beside.some((one) => one !== marker && holdsUrl(contentOf(one, defined), work.url)))
    return refuse('already_cited');
  const span = { start: marker.start, end: endWithTags(page, marker), text: '' };
  if (!isCitation(marker) || marker.kind === 'short_footnote') return anew(page, span, work);
  const name = marker.names.length > 1 ? (page.cited?.name ?? null) : marker.name;
  const others = name === null ? [] : references.uses.filter((one) => one !== marker && uses(one, name));
  if (others.length === 0) return inPlace(page, { marker, name, span }, work);
  if (marker.names.length > 1) return amongNames(page, marker, work);
  return marker.content === '' ? anew(page, span, work) : leavingOthers(page, { marker, name, span, others }, work);
}

/** A new reference where the old marker stood. */
function anew({ style }: Page, span: Span, work: Work): Changed {
  const reference = newCitation(work, style);
  return { kind: 'changed', spans: [{ ...span, text: `<ref>${reference}</ref>` }], reference };
}

interface Named {
  marker: Marker;
  /** Of the reference. */
  name: string | null;
  /** The marker with the pages and tags behind it. */
  span: Span;
}

/** Nobody else uses it: the reference keeps its name and its place, be it in the list of references. */
function inPlace(page: Page, { marker, name, span }: Named, work: Work): Changed | EditFailure {
  const inList = page.references.listed.filter((one) => one.name === name && one.content !== '')[0];
  const definition = marker.content === '' ? inList : marker;
  if (definition === undefined) return marker.names.length > 1 ? refuse('unusual_form') : anew(page, span, work);
  const content = contentWith(page, definition, work, false);
  if ('why' in content) return content;
  const { contentStart: start, contentEnd: end } = definition;
  const tags = { start: marker.end, end: span.end, text: '' };
  const spans = [{ start, end, text: content.text }].concat(tags.start === tags.end ? [] : tags);
  return { kind: 'changed', spans, reference: content.reference };
}

/** Others go on citing the old one: its definition moves to the next of them, unless it stands elsewhere too. */
function leavingOthers(
  page: Page,
  { marker, name, span, others }: Named & { others: readonly Marker[] },
  work: Work,
): Changed | EditFailure {
  const { wikitext, references } = page;
  const isDefined = others
    .concat(references.listed.filter((one) => one.name === name))
    .some((one) => one.content !== '');
  const heir = others.filter((one) => one.kind === 'ref' || ONE_NAME.test(wikitext.slice(one.start, one.end)))[0];
  if (marker.kind !== 'ref' || (!isDefined && heir === undefined)) return refuse('unusual_form');
  const content = contentWith(page, marker, work, true);
  if ('why' in content) return content;
  const open = wikitext.slice(marker.start, marker.contentStart).replace(NAME, '');
  const text = `${open}${content.text}${wikitext.slice(marker.contentEnd, marker.end)}`;
  const definition = wikitext.slice(marker.start, marker.end);
  const moved = isDefined || heir === undefined ? [] : [{ start: heir.start, end: heir.end, text: definition }];
  return { kind: 'changed', spans: [{ ...span, text }, ...moved], reference: content.reference };
}

/** {{r|a|b|c}}: the names before and behind stay as they are, and so do their pages. */
function amongNames(
  { cited, wikitext, style }: Page,
  { start, end, names }: Marker,
  work: Work,
): Changed | EditFailure {
  const at = names.indexOf(cited?.name ?? '');
  const template = templatesIn(withoutHidden(wikitext), start, end)[0];
  if (at < 0 || template === undefined || template.parameters.length !== names.length) return refuse('unusual_form');
  const some = (part: readonly string[]) => (part.length === 0 ? '' : `{{${template.name}|${part.join('|')}}}`);
  const reference = newCitation(work, style);
  const text = `${some(names.slice(0, at))}<ref>${reference}</ref>${some(names.slice(at + 1))}`;
  return { kind: 'changed', spans: [{ start, end, text }], reference };
}

/**
 * The content of a reference with the other work. Its template stays if it is one that cites; of several that with the citation's
 * address is meant. `isCopy`: the old one stays elsewhere.
 */
function contentWith(
  page: Page,
  { contentStart: start, contentEnd: end, content }: Marker,
  work: Work,
  isCopy: boolean,
): { text: string; reference: string } | EditFailure {
  const { wikitext, style, cited } = page;
  const texts = { blanked: withoutHidden(wikitext), text: wikitext };
  const all = templatesIn(texts.blanked, start, end).filter((one) => isCitationTemplate(page, one));
  const cites = (one: Template) =>
    cited !== null && cited.url !== null && holdsUrl(wikitext.slice(one.start, one.end), cited.url);
  const meant = all.length > 1 ? all.filter(cites) : all;
  const [template] = meant;
  if (template === undefined && all.length === 0 && addressesIn(content).length < 2) {
    const reference = newCitation(work, style);
    return {
      text: content.replace(/^(\s*)[\s\S]*?(\s*)$/, (_, before, after) => before + reference + after),
      reference,
    };
  }
  if (template === undefined || meant.length > 1) return refuse('bundled');
  if (!isCopy && isLedTo(page, template)) return refuse('cited_by_footnotes');
  const reference = rewriteCitation(template, texts, work, style);
  const [before, after] = [wikitext.slice(start, template.start), wikitext.slice(template.end, end)];
  if (all.length > 1) return { text: before + reference + after, reference };
  if (isNote(before + after, wikitext.slice(template.start, template.end))) return refuse('bundled');
  return { text: `${/^\s*/.exec(before)}${reference}${/\s*$/.exec(after)}`, reference };
}

/** One that the wiki's settings name, or that the wiki's TemplateData knows to take addresses and titles. */
function isCitationTemplate({ style: { config, parameters } }: Page, template: Template): boolean {
  return (
    isNamed(template, config.templates.citation) || (parameters?.url !== undefined && parameters.title !== undefined)
  );
}

/** Beside the template: other sources or a note, which are not to be lost. */
function isNote(rest: string, template: string): boolean {
  const others = addressesIn(rest).filter((address) => !holdsUrl(template, `https://${address}`));
  return others.length > 0 || words(rest.replace(SATELLITES, ' ')).length > MOST_WORDS;
}

/** In their canonical form, by which an archived copy is the same as what it keeps. */
function addressesIn(content: string): (string | null)[] {
  const found = readAddresses(content.replace(SATELLITES, ' ')).map(canonicalUrl);
  return found.filter((address, i) => address !== null && found.indexOf(address) === i);
}

/** Whether short footnotes may lead to it: they name an author and a year of it. */
function isLedTo({ wikitext, style: { config } }: Page, { parameters }: Template): boolean {
  const { shortFootnote, shortCitation } = config.templates;
  const own = parameters.reduce<string[]>((all, { value }) => all.concat(words(value)), []);
  const footnotes = templatesNamed(withoutHidden(wikitext), shortFootnote.concat(shortCitation));
  return footnotes.some((footnote) => {
    const named = footnote.parameters.filter((one) => !one.isNamed).map(({ value }) => words(value));
    return named.length > 0 && named.every((part) => part.every((word) => own.indexOf(word) >= 0));
  });
}

/** {{failed verification}} and the page of the source, right behind the old citation, go with it. */
function endWithTags({ wikitext, references, style }: Page, marker: Marker): number {
  const end = endWithPages(wikitext, marker.end, style.config.templates);
  const tag = references.uses.filter((one) => !isCitation(one) && one.start >= end)[0];
  const isNext = isCitation(marker) && tag !== undefined && wikitext.slice(end, tag.start).trim() === '';
  return isNext ? tag.end : end;
}

/** Templates that say something of a link. */
const SATELLITES = /\{\{[^{}]*\}\}/g;
/** {{r|a}}: a reuse that says nothing else. */
const ONE_NAME = /^\{\{[^{}|]*\|[^{}|=]*\}\}$/;
/** With the blanks before it. */
const NAME = /\s+name\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'/>]+)/i;
/** Beside a template: "p. 12, accessed in May 2019" is no note. */
const MOST_WORDS = 25;
