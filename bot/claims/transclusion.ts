/**
 * `data-mw` → the template that made an element (https://www.mediawiki.org/wiki/Specs/HTML, "Transclusions").
 * In: an element. Out: name and parameters as wikitext, or null. Renders nothing.
 */
import { z } from 'zod';
import { type Element, hasToken } from './document.ts';
import { VISIBLE_PARAMETERS } from './english.ts';

export interface Transclusion {
  /** As editors write it, but lower case and without underscores: `cite web`. */
  name: string;
  /** Parameters by name or position ('1', '2', …), trimmed wikitext. */
  params: Map<string, string>;
}

const DataMw = z.object({
  attrs: z.record(z.string(), z.unknown()).optional().catch(undefined),
  body: z.object({ id: z.string() }).optional().catch(undefined),
  parts: z.array(z.unknown()).optional().catch(undefined),
});

const TemplatePart = z.object({
  template: z.object({
    target: z.object({ wt: z.string() }),
    params: z.record(z.string(), z.object({ wt: z.string() }).catch({ wt: '' })).catch({}),
  }),
});

/** {} for what is no data-mw. */
export function readDataMw(element: Element): z.infer<typeof DataMw> {
  try {
    return DataMw.parse(JSON.parse(element.getAttribute('data-mw') ?? '{}'));
  } catch {
    return {};
  }
}

/** The templates of a transclusion, in order; several where they only make sense together. */
export function readTransclusions(element: Element): Transclusion[] {
  if (!hasToken(element, 'typeof', 'mw:Transclusion')) return [];
  return (readDataMw(element).parts ?? []).flatMap((part) => {
    const parsed = TemplatePart.safeParse(part);
    if (!parsed.success) return [];
    const { target, params } = parsed.data.template;
    const entries = Object.entries(params).map(([name, value]) => [name.trim(), value.wt.trim()] as const);
    return [{ name: normalizeName(target.wt), params: new Map(entries) }];
  });
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
  const wikitext = [...params.values()].join('\n').replace(/<!--.*?-->|<nowiki>.*?<\/nowiki>/gs, '');
  return wikitext.match(/<ref(?=[\s>/])/gi)?.length ?? 0;
}

/** Wikitext of a short value, such as a title, as a reader sees it: no links, quotes, tags, comments, inner templates. */
export function plainWikitext(wikitext: string): string {
  return wikitext
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

function normalizeName(target: string): string {
  return target
    .replace(/<!--.*?-->/gs, '')
    .replace(/_/g, ' ')
    .replace(/^\s*template:/i, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
