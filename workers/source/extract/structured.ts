/** JSON-LD of a page → the objects in it (https://schema.org/Article and others), as far as the page's own text needs them. */
import { parseJson } from '../../../shared/json.ts';
import type { Document } from './dom.ts';

export type Thing = Readonly<Record<string, unknown>>;

/** Objects of all JSON-LD scripts, `@graph` and lists opened, the main ones first. */
export function readThings(document: Document): Thing[] {
  const scripts = [...document.querySelectorAll('script[type="application/ld+json" i]')];
  return scripts.flatMap((script) => things(parseJson(cleanJson(script.textContent ?? '')), 0)).slice(0, MAX_THINGS);
}

/** A property's text; the name of an object; the first of a list. '' for none. */
export function textOfThing(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (Array.isArray(value)) return textOfThing(value[0]);
  return isThing(value) ? textOfThing(value['name']) : '';
}

export function isThing(value: unknown): value is Thing {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function things(value: unknown, depth: number): Thing[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((each) => things(each, depth + 1));
  if (!isThing(value)) return [];
  const inner = ['@graph', 'mainEntity', 'mainEntityOfPage', 'liveBlogUpdate'].map((name) => value[name]);
  return [value, ...inner.flatMap((each) => things(each, depth + 1))];
}

/** Publishers wrap it in CDATA or comments and leave line breaks in its strings. */
function cleanJson(text: string): string {
  return text
    .replace(
      /^\s*(?:\/\/|\/\*)?\s*<!(?:\[CDATA\[|--)\s*(?:\*\/)?|(?:\/\/|\/\*)?\s*(?:\]\]|--)>\s*(?:\*\/)?\s*;?\s*$/g,
      '',
    )
    .replace(/\p{Cc}+/gu, ' ');
}

const MAX_DEPTH = 4;
const MAX_THINGS = 500;
