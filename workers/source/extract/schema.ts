/**
 * What a page says of itself in schema.org's terms (JSON-LD, microdata) and in meta elements. In: a document. Out: whether it
 * is free, which parts are not, how long and of what type it is. What is said of other pages (lists, works reviewed) is left out.
 */
import { parseJson } from '../../../shared/json.ts';
import type { Document } from './dom.ts';

export interface Schema {
  accessibleForFree: boolean | null;
  /** CSS selectors of the parts that are not free, as written. */
  lockedSelectors: string[];
  declaredWords: number | null;
  types: string[];
}

/** JSON-LD first, then microdata, then meta elements. A part of the page (`hasPart`) that is not free does not make the page so. */
export function readSchema(document: Document): Schema {
  const items = [...document.querySelectorAll('script[type="application/ld+json" i]')].flatMap((script) =>
    itemsOf(parseJson(script.textContent ?? ''), 0),
  );
  return {
    accessibleForFree: first(items.map((item) => toFlag(item.isAccessibleForFree))) ?? saidInMarkup(document),
    lockedSelectors: items.flatMap((item) => list(item.hasPart).flatMap(lockedSelectors)).slice(0, MAX_ITEMS),
    declaredWords: first(items.map((item) => toCount(item.wordCount))),
    types: [...items.flatMap((item) => list(item['@type']).map(typeName)), ...typesInMarkup(document)],
  };
}

type Item = Readonly<Record<string, unknown>>;

/** The page's own items: what stands at the top, in a list or in a `@graph`, or is said to be the page's main entity. */
function itemsOf(data: unknown, depth: number): Item[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(data)) return data.slice(0, MAX_ITEMS).flatMap((each) => itemsOf(each, depth + 1));
  if (!isItem(data)) return [];
  return [data, ...itemsOf(data['@graph'], depth + 1), ...itemsOf(data.mainEntity, depth + 1)];
}

function lockedSelectors(part: unknown): string[] {
  if (!isItem(part) || toFlag(part.isAccessibleForFree) !== false) return [];
  return list(part.cssSelector).filter((selector) => typeof selector === 'string');
}

function saidInMarkup(document: Document): boolean | null {
  const micro = document.querySelector('[itemprop="isAccessibleForFree"]');
  const said = micro === null ? null : toFlag(micro.getAttribute('content') ?? micro.textContent);
  if (said !== null) return said;
  const tier = document.querySelector(TIER)?.getAttribute('content')?.trim().toLowerCase();
  return tier === 'locked' ? false : tier === 'free' ? true : null;
}

function typesInMarkup(document: Document): string[] {
  const ogType = document.querySelector('meta[property="og:type" i]')?.getAttribute('content');
  const scopes = [...document.querySelectorAll('[itemscope][itemtype]:not([itemprop])')].slice(0, MAX_ITEMS);
  const micro = scopes.map((scope) => typeName(scope.getAttribute('itemtype')));
  return ogType ? [...micro, `og:${ogType.toLowerCase()}`] : micro;
}

function typeName(type: unknown): string {
  return String(type)
    .replace(/^.*[/#:]/, '')
    .toLowerCase();
}

/** Publishers write true, "True", "https://schema.org/True". */
function toFlag(value: unknown): boolean | null {
  const text = String(value).trim().toLowerCase();
  if (/(^|\/)false$/.test(text)) return false;
  return /(^|\/)true$/.test(text) ? true : null;
}

function toCount(value: unknown): number | null {
  const count = Number.parseInt(String(value), 10);
  return Number.isSafeInteger(count) && count > 0 ? count : null;
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value.slice(0, MAX_ITEMS) : value === undefined || value === null ? [] : [value];
}

function first<T>(values: readonly (T | null)[]): T | null {
  return values.find((value) => value !== null) ?? null;
}

function isItem(data: unknown): data is Item {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}

const TIER = 'meta[property="article:content_tier" i], meta[name="article:content_tier" i]';
const MAX_ITEMS = 50;
const MAX_DEPTH = 4;
