/**
 * Finds citation markers in wikitext. In: wikitext, what the wiki's templates are called. Out: every use of a reference with its
 * place and content, and what is defined apart. Comments and nowiki are no wikitext. Changes nothing.
 */
import type { SiteConfig } from './site-config.ts';
import { closingOf, type Template, templatesIn } from './template.ts';
import { withoutHidden } from './wikitext.ts';
import { words } from './words.ts';

/**
 * `ref`: `<ref>…</ref>`, `<ref name="x" />`; `note`: {{refn|…}}; `named`: {{r|x}}; the others are templates behind a claim.
 */
export interface Marker {
  kind: 'ref' | 'note' | 'named' | 'short_footnote' | 'failed_verification' | 'citation_needed';
  start: number;
  end: number;
  /** Of the reference that is defined or used; null for one without a name, and for a template that names several. */
  name: string | null;
  /** What {{r}} names, else []. */
  names: readonly string[];
  /** Where the content stands; empty for a reuse. Of a template: all of it. */
  contentStart: number;
  contentEnd: number;
  content: string;
}

export interface References {
  /** In the order of the page. */
  uses: Marker[];
  /** Definitions inside of <references> or {{reflist}}: no uses. */
  listed: Marker[];
  /** Tags around the text that they mean: {{failed verification span}}. */
  enclosing: Marker[];
}

export type TemplateNames = SiteConfig['templates'];

export function readReferences(wikitext: string, names: TemplateNames): References {
  const text = withoutHidden(wikitext);
  const refs = findRefs(text, wikitext);
  const lists = findLists(text, names);
  const listed = refs.filter((ref) => isIn(ref, lists));
  const used = refs.filter((ref) => listed.indexOf(ref) < 0);
  const found = findTemplates(text, wikitext, names).filter(
    (one) => !isIn(one, refs) && !(one.kind === 'note' && used.some((ref) => isIn(ref, [one]))),
  );
  const templates = found.filter((one) => !isEnclosing(one));
  return {
    uses: used.concat(templates).sort((a, b) => a.start - b.start),
    listed,
    enclosing: found.filter(isEnclosing),
  };
}

/** Whether it cites something: the others say something of a citation, or ask for one. */
export function isCitation({ kind }: Marker): boolean {
  return kind !== 'failed_verification' && kind !== 'citation_needed';
}

/** Some wikis have one template for both: {{Référence nécessaire|the text}}. */
function isEnclosing(marker: Marker): boolean {
  if (isCitation(marker)) return false;
  const template = templatesIn(withoutHidden(marker.content))[0];
  const texts = (template?.parameters ?? []).filter(({ isNamed: has, name }) => !has || name === 'text');
  return texts.some(({ value }) => words(value).length >= LEAST_TEXT);
}

/** Whether it leads to the reference of this name. */
export function uses(marker: Marker, name: string): boolean {
  return marker.name === name || marker.names.indexOf(name) >= 0;
}

/** Templates by any of their names, as editors write them. */
export function isNamed({ name }: Pick<Template, 'name'>, names: readonly string[]): boolean {
  const keys = KEYS.get(names) ?? new Set(names.map(keyOf));
  KEYS.set(names, keys);
  return keys.has(keyOf(name));
}

/** Wherever they stand, also in other templates. `text`: without comments. */
export function templatesNamed(text: string, names: readonly string[]): Template[] {
  return matches(/\{\{([^{}|]*)/g, text).reduce<Template[]>((found, { index, 1: name = '' }) => {
    const end = isNamed({ name }, names) ? closingOf(text, index) : 0;
    return end === 0 || end > text.length ? found : found.concat(templatesIn(text, index, end));
  }, []);
}

/** Where the pages of a work, right behind its marker, end; or the marker itself. */
export function endWithPages(wikitext: string, end: number, { pages }: TemplateNames): number {
  const blanks = /^\s*/.exec(wikitext.slice(end))?.[0].length ?? 0;
  if (wikitext.substr(end + blanks, 2) !== '{{') return end;
  const text = withoutHidden(wikitext);
  const next = templatesIn(text, end + blanks, closingOf(text, end + blanks))[0];
  return next !== undefined && next.start === end + blanks && isNamed(next, pages) ? next.end : end;
}

function keyOf(name: string): string {
  return name
    .replace(/^\s*(?:template|msg)\s*:/i, '')
    .replace(/[_\s]+/g, ' ')
    .trim()
    .toLowerCase();
}

function findRefs(text: string, original: string): Marker[] {
  return matches(REF, text).map((match) => {
    const end = match.index + match[0].length;
    const contentStart = match[3] === undefined ? end : match.index + match[0].indexOf('>') + 1;
    const contentEnd = contentStart + (match[3] ?? '').length;
    const name = nameOf(match[1] || match[2] || '');
    const content = original.slice(contentStart, contentEnd);
    return { kind: 'ref', start: match.index, end, name, names: [], contentStart, contentEnd, content };
  });
}

function nameOf(attributes: string): string | null {
  const match = /\bname\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'/>]+))/i.exec(attributes);
  return match === null ? null : (match[1] || match[2] || match[3] || '').trim();
}

function findTemplates(text: string, original: string, names: TemplateNames): Marker[] {
  return KINDS.reduce<Marker[]>((found, [kind, key]) => {
    const known = found.map(({ start }) => start);
    const templates = templatesNamed(text, names[key]).filter(({ start }) => known.indexOf(start) < 0);
    return found.concat(templates.map((template) => markerOf(kind, template, original)));
  }, []);
}

function markerOf(kind: Marker['kind'], template: Template, original: string): Marker {
  const { start, end, parameters } = template;
  const whole = { kind, start, end, name: null, names: [], contentStart: start, contentEnd: end };
  const positional = parameters.filter(({ isNamed: has }) => !has);
  if (kind === 'named') {
    const named = positional.map(({ value }) => value).filter((value) => value !== '');
    return { ...whole, name: named.length === 1 ? (named[0] ?? null) : null, names: named, content: '' };
  }
  const first = kind === 'note' ? positional[0] : undefined;
  if (first === undefined) return { ...whole, content: original.slice(start, end) };
  const name = parameters.filter((one) => one.name === 'name')[0]?.value ?? null;
  const content = { contentStart: first.valueStart, contentEnd: first.valueEnd };
  return { ...whole, ...content, name, content: original.slice(first.valueStart, first.valueEnd) };
}

interface Span {
  start: number;
  end: number;
}

function findLists(text: string, { referenceList }: TemplateNames): Span[] {
  const tags = matches(REFERENCES, text).map(({ index, 0: { length } }) => ({ start: index, end: index + length }));
  const templates = matches(/\{\{([^{}|]*)\|/g, text)
    .filter(([, name = '']) => isNamed({ name }, referenceList))
    .map(({ index }) => ({ start: index, end: Math.min(closingOf(text, index), text.length) }));
  return tags.concat(templates);
}

function isIn(marker: Span, spans: readonly Span[]): boolean {
  return spans.some((span) => span !== marker && span.start <= marker.start && marker.end <= span.end);
}

function matches(pattern: RegExp, text: string): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  const search = new RegExp(pattern.source, pattern.flags);
  for (let match = search.exec(text); match !== null; match = search.exec(text)) found.push(match);
  return found;
}

/** Of lists of names: a long article has thousands of templates. */
const KEYS = new WeakMap<readonly string[], Set<string>>();
const KINDS: readonly (readonly [Marker['kind'], keyof TemplateNames])[] = [
  ['short_footnote', 'shortFootnote'],
  ['named', 'namedReference'],
  ['note', 'note'],
  ['failed_verification', 'failedVerification'],
  ['citation_needed', 'citationNeeded'],
];
/** Words: less is a date. */
const LEAST_TEXT = 4;
const REF = /<ref\b([^>]*?)\/>|<ref\b([^>]*)>([\s\S]*?)<\/ref\s*>/gi;
const REFERENCES = /<references\b[^>/]*>[\s\S]*?<\/references>/gi;
