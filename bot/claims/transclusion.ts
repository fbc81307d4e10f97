/**
 * `data-mw` → the template that made an element (https://www.mediawiki.org/wiki/Specs/HTML, "Transclusions").
 * In: an element. Out: name and parameters as wikitext, or null. Renders nothing.
 */
import { z } from 'zod';
import { templateName, templateTitle } from '../vocabulary/vocabulary.ts';
import { type Element, hasToken } from './document.ts';
import { VISIBLE_PARAMETERS } from './english.ts';

export interface Transclusion {
  /** As editors write it, without its namespace and underscores: `Cite web`. */
  title: string;
  /** The same as a vocabulary knows it: `cite web`. */
  name: string;
  /** Parameters by name or position ('1', '2', …), trimmed wikitext. */
  params: Map<string, string>;
}

const DataMw = z.object({
  attrs: z.record(z.string(), z.unknown()).optional().catch(undefined),
  body: z.object({ id: z.string() }).optional().catch(undefined),
  /** Of an image within a line: HTML that is not shown. */
  caption: z.string().optional().catch(undefined),
  parts: z.array(z.unknown()).optional().catch(undefined),
});

const TemplatePart = z.object({
  template: z.object({
    target: z.object({ wt: z.string(), href: z.string().optional().catch(undefined) }),
    params: z.record(z.string(), z.object({ wt: z.string() }).catch({ wt: '' })).catch({}),
  }),
});

type DataMw = z.infer<typeof DataMw>;

/** {} for what is no data-mw. */
export function readDataMw(element: Element): DataMw {
  return read(element).data;
}

/** The templates of a transclusion, in order; several where they only make sense together. */
export function readTransclusions(element: Element): readonly Transclusion[] {
  return hasToken(element, 'typeof', 'mw:Transclusion') ? read(element).transclusions : [];
}

interface Read {
  data: DataMw;
  transclusions: readonly Transclusion[];
}

/** Parsed once an element, since several readers ask. */
function read(element: Element): Read {
  const known = READ.get(element);
  if (known !== undefined) return known;
  const data = parseDataMw(element.getAttribute('data-mw'));
  const parsed = { data, transclusions: (data.parts ?? []).flatMap(toTransclusions) };
  READ.set(element, parsed);
  return parsed;
}

const READ = new WeakMap<Element, Read>();

function parseDataMw(json: string | null): DataMw {
  if (json === null) return {};
  try {
    return DataMw.parse(JSON.parse(json));
  } catch {
    return {};
  }
}

function toTransclusions(part: unknown): Transclusion[] {
  const parsed = TemplatePart.safeParse(part);
  return parsed.success ? [toTransclusion(parsed.data.template)] : [];
}

function toTransclusion({ target, params }: z.infer<typeof TemplatePart>['template']): Transclusion {
  const title = templateTitle(target.wt, target.href);
  const entries = Object.entries(params).map(([name, value]) => [name.trim(), value.wt.trim()] as const);
  return { title, name: templateName(title), params: new Map(entries) };
}

/** A template that the wiki does not have: Parsoid shows a red link with its name. */
export function isMissing(element: Element): boolean {
  return (
    element.localName === 'a' &&
    hasToken(element, 'typeof', 'mw:Transclusion') &&
    element.getAttribute('href')?.includes('redlink=1') === true
  );
}

/** What a reader would see of a missing template whose text is one of its parameters; '' for all others. */
export function visibleText(transclusion: Transclusion): string {
  if (/^(convert|cvt)$/.test(transclusion.name)) return measureOf(transclusion);
  const parameter = VISIBLE_PARAMETERS.get(transclusion.name);
  return parameter === undefined ? '' : plainWikitext(transclusion.params.get(parameter) ?? '');
}

/** `{{convert|10|to|20|km|mi}}` → `10 to 20 km`: everything up to the first that is neither number nor range. */
function measureOf({ params }: Transclusion): string {
  const words: string[] = [];
  for (let position = 1; position <= 7; position++) {
    const word = params.get(String(position));
    if (word === undefined) break;
    words.push(word);
    if (!/^([-−+]?[\d.,/]+|-|–|and|to|by|x|or|\+\/-|±)$/.test(word)) break;
  }
  return words.join(' ');
}

/** Uses of `<ref>` in the parameters of a missing template: the wiki renders none of them. */
export function countReferences({ params }: Transclusion): number {
  return [...params.values()].reduce((sum, value) => sum + countIn(value), 0);
}

/** In linear time, also where nothing closes: what is not read is stepped over. */
function countIn(wikitext: string): number {
  let count = 0;
  let from = 0;
  let literal = wikitext.includes('</nowiki>');
  for (const { index, 0: found } of wikitext.matchAll(/<!--|<nowiki>|<ref(?=[\s>/])/gi)) {
    if (index < from) continue;
    if (/^<ref/i.test(found)) count += 1;
    else if (found === '<!--') from = endOf(wikitext, '-->', index) ?? wikitext.length;
    else if (literal) {
      const end = endOf(wikitext, '</nowiki>', index);
      literal = end !== null;
      from = end ?? from;
    }
  }
  return count;
}

function endOf(text: string, closing: string, from: number): number | null {
  const at = text.indexOf(closing, from);
  return at < 0 ? null : at + closing.length;
}

/** Wikitext of a short value, such as a title, as a reader sees it: no links, quotes, tags, comments, inner templates. */
export function plainWikitext(wikitext: string): string {
  if (PLAIN.test(wikitext)) return wikitext;
  return wikitext
    .slice(0, LONGEST_VALUE)
    .replace(/<!--.*?-->|<ref[^>]*>.*?<\/ref>|<[^>]*>/gs, '')
    .replace(/\{\{[^{}]*\}\}/g, '')
    .replace(/\[\[(?:[^[\]|]*\|)?([^[\]]*)\]\]/g, '$1')
    .replace(/\[(?:https?:)?\/\/\S+\s+([^\]]*)\]/g, '$1')
    .replace(/'{2,5}/g, '')
    .replace(/&(?:nbsp|#160);/g, ' ')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Most values have no markup and nothing to trim: years, names, addresses. */
const PLAIN = /^(?! )(?:[^<[{'&\s]| (?! |$)){0,500}$/;
/** Characters. A longer one is no short value. */
const LONGEST_VALUE = 5000;
