/**
 * Finds citation markers in wikitext. In: wikitext. Out: every use of a reference with its place and content. Comments and
 * nowiki are blanked first, so that offsets stay those of the page. Changes nothing.
 */

/** One marker: `<ref>…</ref>`, `<ref name="x" />`, a short footnote, or an inline tag such as {{citation needed}}. */
export interface Marker {
  kind: 'ref' | 'short_footnote' | 'tag';
  start: number;
  end: number;
  /** Name of a named reference. */
  name: string | null;
  /** What stands between the tags; '' for a reuse. */
  content: string;
}

/** All markers in the order of the page. References defined inside <references> are not uses and are left out. */
export function findMarkers(wikitext: string): Marker[] {
  const text = blank(wikitext, HIDDEN);
  const body = blank(text, REFERENCE_LIST);
  return [...refs(body, wikitext), ...templates(body, wikitext)].sort((a, b) => a.start - b.start);
}

/** Content of each named reference, wherever it is defined. */
export function findDefinitions(wikitext: string): Map<string, string> {
  const definitions = new Map<string, string>();
  for (const ref of refs(blank(wikitext, HIDDEN), wikitext)) {
    if (ref.name !== null && ref.content !== '') definitions.set(ref.name, ref.content);
  }
  return definitions;
}

/** Words of wikitext as a reader sees them: links by their label, without references, templates and markup; lower case. */
export function plainWords(wikitext: string): string[] {
  let text = blank(wikitext, HIDDEN).replace(REF, ' ');
  for (let depth = 0; depth < 5 && TEMPLATE.test(text); depth++) text = text.replace(TEMPLATE_ALL, ' ');
  text = text
    .replace(/\[\[(?:[^\]|]*\|)?([^\]]*)\]\]/g, '$1')
    .replace(/\[\S+ ([^\]]*)\]/g, '$1')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&nbsp;/g, ' ')
    .replace(/'{2,}/g, '');
  return words(text);
}

/** Letters and digits of any script, lower case. */
export function words(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) || []
  );
}

function refs(text: string, original: string): Marker[] {
  return matches(REF, text).map((match) => ({
    kind: 'ref',
    start: match.index,
    end: match.index + match[0].length,
    name: nameOf(match[1] || match[2] || ''),
    content: match[3] === undefined ? '' : original.substr(match.index + match[0].indexOf('>') + 1, match[3].length),
  }));
}

function templates(text: string, original: string): Marker[] {
  return matches(INLINE_TEMPLATE, text).map((match) => ({
    kind: /^\{\{\s*(?:sfn|harvnb)/i.test(match[0]) ? 'short_footnote' : 'tag',
    start: match.index,
    end: match.index + match[0].length,
    name: null,
    content: original.substr(match.index, match[0].length),
  }));
}

function nameOf(attributes: string): string | null {
  const match = /\bname\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'/>]+))/i.exec(attributes);
  return match === null ? null : (match[1] || match[2] || match[3] || '').trim();
}

function matches(pattern: RegExp, text: string): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  const search = new RegExp(pattern.source, pattern.flags);
  for (let match = search.exec(text); match !== null; match = search.exec(text)) found.push(match);
  return found;
}

/** Spaces of the same length, so that offsets stay. */
function blank(text: string, pattern: RegExp): string {
  return text.replace(pattern, (hidden) => ' '.repeat(hidden.length));
}

const HIDDEN = /<!--[\s\S]*?-->|<nowiki>[\s\S]*?<\/nowiki>/gi;
const REFERENCE_LIST = /<references\b[^>/]*>[\s\S]*?<\/references>/gi;
const REF = /<ref\b([^>]*?)\/>|<ref\b([^>]*)>([\s\S]*?)<\/ref\s*>/gi;
const INLINE_TEMPLATE =
  /\{\{\s*(?:sfnp?|harvnb|failed verification|citation needed|cn|fact|not in source)\s*(?:\|[^{}]*)?\}\}/gi;
const TEMPLATE = /\{\{[^{}]*\}\}/;
const TEMPLATE_ALL = /\{\{[^{}]*\}\}/g;
