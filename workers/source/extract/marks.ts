/** What a page's markup says of itself beside its text. In: a document. Out: counts and flags that `unavailable.ts` reads. */

import { parseJson } from '../../../shared/json.ts';
import type { Document } from './dom.ts';

export interface Marks {
  /** Scripts that run, not data in script elements. */
  scripts: number;
  /** Its noscript element asks for scripts, or an application's root element is empty. */
  asksForScript: boolean;
  passwordField: boolean;
  /** https://schema.org/isAccessibleForFree of the page; null if it does not say. */
  accessibleForFree: boolean | null;
  /** Markup that publishers put around an offer to subscribe. */
  paywall: boolean;
}

export const NO_MARKS: Marks = {
  scripts: 0,
  asksForScript: false,
  passwordField: false,
  accessibleForFree: null,
  paywall: false,
};

export function readMarks(document: Document): Marks {
  return {
    scripts: [...document.querySelectorAll('script')].filter((script) => RUNS.test(script.getAttribute('type') ?? ''))
      .length,
    asksForScript: asksForScript(document),
    passwordField: document.querySelector('input[type="password" i]') !== null,
    accessibleForFree: accessibleForFree(document),
    paywall: document.querySelector(PAYWALL) !== null,
  };
}

function asksForScript(document: Document): boolean {
  const asks = [...document.querySelectorAll('noscript')].some((element) =>
    /javascript/i.test(element.textContent ?? ''),
  );
  return asks || [...document.querySelectorAll(ROOTS)].some((element) => element.textContent?.trim() === '');
}

/** JSON-LD first, then microdata. A part of the page (`hasPart`) that is not free does not make the page so. */
function accessibleForFree(document: Document): boolean | null {
  for (const script of document.querySelectorAll('script[type="application/ld+json"]')) {
    const said = findFlag(parseJson(script.textContent ?? ''), 0);
    if (said !== null) return said;
  }
  const micro = document.querySelector('[itemprop="isAccessibleForFree"]');
  return micro === null ? null : toFlag(micro.getAttribute('content') ?? micro.textContent);
}

function findFlag(data: unknown, depth: number): boolean | null {
  if (typeof data !== 'object' || data === null || depth > 4) return null;
  if (!Array.isArray(data) && 'isAccessibleForFree' in data) return toFlag(data.isAccessibleForFree);
  const parts = Array.isArray(data) ? data : '@graph' in data ? [data['@graph']] : [];
  for (const part of parts) {
    const said = findFlag(part, depth + 1);
    if (said !== null) return said;
  }
  return null;
}

/** Publishers write true, "True", "https://schema.org/True". */
function toFlag(value: unknown): boolean | null {
  const text = String(value).trim().toLowerCase();
  if (/(^|\/)false$/.test(text)) return false;
  return /(^|\/)true$/.test(text) ? true : null;
}

const RUNS = /^(|module|(text|application)\/(java|ecma)script)$/i;
const ROOTS = '#root, #app, #__next, #__nuxt, app-root, [data-reactroot]';
const PAYWALL =
  '[class*="paywall" i], [id*="paywall" i], [class*="regwall" i], [class*="subscriber-only" i], [class*="piano-offer" i], ' +
  'meta[name="article:content_tier"][content="locked"]';
