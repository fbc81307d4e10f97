/** What a page shows of itself beside its main text. In: a document. Out: counts, flags and lines that `unavailable.ts` reads. */

import { countWords } from '../count-words.ts';
import { TITLE } from '../patterns.ts';
import { readBlocks } from './blocks.ts';
import type { Document, Element } from './dom.ts';
import { readSchema } from './schema.ts';

export interface Marks {
  /** Scripts that run, not data in script elements. */
  scripts: number;
  /** Its noscript element asks for scripts, or an application's root element is empty. */
  asksForScript: boolean;
  passwordField: boolean;
  /** https://schema.org/isAccessibleForFree of the page, or its content tier; null if it does not say. */
  accessibleForFree: boolean | null;
  /** Words that are shown in the parts which the page says are not free; null if it names none that it has. */
  lockedWords: number | null;
  /** An offer to subscribe, in markup that publishers put around one. */
  paywall: boolean;
  /** https://schema.org/wordCount of the page. */
  declaredWords: number | null;
  /** What the page says that it is: schema.org types in lower case, and `og:type` after `og:`. */
  types: readonly string[];
  /** Something can be put into a shop's cart. */
  cart: boolean;
  /** Markup of a library catalogue's record. */
  record: boolean;
  /** Markup of a check that the reader is a person, which no other page has. */
  challenge: boolean;
  /** Publishing systems name their own error pages so. */
  notFound: boolean;
  /** Scripts or markup of those who sell names of sites. */
  parked: boolean;
  /** Its text is in frames. */
  frames: boolean;
  /** Sends the reader on at once. */
  refresh: boolean;
  /** First headings of the highest level, at most three. */
  headings: readonly string[];
  /** What a reader sees, menus and notices too, one block a line; cut off after 20,000 characters. */
  shown: string;
}

export const NO_MARKS: Marks = {
  scripts: 0,
  asksForScript: false,
  passwordField: false,
  accessibleForFree: null,
  lockedWords: null,
  paywall: false,
  declaredWords: null,
  types: [],
  cart: false,
  record: false,
  challenge: false,
  notFound: false,
  parked: false,
  frames: false,
  refresh: false,
  headings: [],
  shown: '',
};

export function readMarks(document: Document): Marks {
  const has = (selector: string) => document.querySelector(selector) !== null;
  const { lockedSelectors, ...schema } = readSchema(document);
  return {
    ...schema,
    scripts: [...document.querySelectorAll('script')].filter((script) => RUNS.test(script.getAttribute('type') ?? ''))
      .length,
    asksForScript: asksForScript(document),
    passwordField: has('input[type="password" i]'),
    lockedWords: countLocked(document, lockedSelectors),
    paywall: [...document.querySelectorAll(PAYWALL)].some(isOffer),
    cart: has(CART) || [...document.querySelectorAll('button, a, input[type="submit"]')].some(isCartButton),
    record: has(RECORD),
    challenge: has(CHALLENGE),
    notFound: has(NOT_FOUND),
    parked: has(PARKED),
    frames: has('frameset'),
    refresh: [...document.querySelectorAll('meta[http-equiv="refresh" i]')].some(isImmediate),
    headings: readHeadings(document),
    shown: linesOf(document.body).join('\n').slice(0, MAX_SHOWN),
  };
}

function asksForScript(document: Document): boolean {
  const asks = [...document.querySelectorAll('noscript')].some((element) =>
    /javascript/i.test(element.textContent ?? ''),
  );
  return asks || [...document.querySelectorAll(ROOTS)].some((element) => element.textContent?.trim() === '');
}

/** A selector that a page names may be none. */
function countLocked(document: Document, selectors: readonly string[]): number | null {
  const parts = selectors.flatMap((selector) => {
    try {
      return [...document.querySelectorAll(selector)];
    } catch {
      return [];
    }
  });
  return parts.length === 0 ? null : parts.reduce((sum, part) => sum + countShown(part), 0);
}

/** An empty slot is none, and neither is what is hidden; nor is a whole article whose markup has such a name. */
function isOffer(element: Element): boolean {
  if (element.localName === 'body' || isInHidden(element)) return false;
  const words = countShown(element);
  return words > 0 && words < MAX_OFFER_WORDS;
}

function isCartButton(element: Element): boolean {
  const label = element.textContent?.trim() || element.getAttribute('value') || '';
  return label.length < MAX_LABEL && TITLE.cart.test(label) && element.closest(FURNITURE) === null;
}

function isImmediate(element: Element): boolean {
  return /^\s*[0-3]\s*[;,]\s*url/i.test(element.getAttribute('content') ?? '');
}

function readHeadings(document: Document): string[] {
  const level = ['h1', 'h2', 'h3'].find((name) => document.querySelector(name) !== null);
  if (level === undefined) return [];
  const texts = [...document.querySelectorAll(level)].slice(0, 3).map((heading) => heading.textContent ?? '');
  return texts.map((text) => text.replace(/\s+/g, ' ').trim()).filter(Boolean);
}

function countShown(element: Element): number {
  return isInHidden(element) ? 0 : countWords(linesOf(element).join(' '));
}

function linesOf(element: Element): string[] {
  return readBlocks(element, isHidden).map(({ text }) => text);
}

function isInHidden(element: Element): boolean {
  for (let at: Element | null = element; at !== null; at = at.parentElement) if (isHidden(at)) return true;
  return false;
}

function isHidden(element: Element): boolean {
  return element.hasAttribute('hidden') || /display\s*:\s*none/i.test(element.getAttribute('style') ?? '');
}

const MAX_SHOWN = 20_000;
const MAX_OFFER_WORDS = 100;
/** Characters on a button. */
const MAX_LABEL = 60;
const FURNITURE = 'footer, nav, aside';
const RUNS = /^(|module|(text|application)\/(java|ecma)script)$/i;
const ROOTS = '#root, #app, #__next, #__nuxt, app-root, [data-reactroot]';
const PAYWALL = [
  '[class*="paywall" i], [id*="paywall" i], [class*="regwall" i], [class*="subscriber-only" i]',
  '[class*="piano-offer" i], [id^="piano-" i], [class^="tp-container" i], [class*="tp-modal" i]',
  '[id="poool-widget" i], [class*="poool-" i], [class*="zephr-" i], [id*="zephr-" i]',
  '[class*="leaky_paywall" i], [class*="pigeon-" i][class*="wall" i], [class*="meteredwall" i], [class*="gatewall" i]',
].join(', ');
const CART =
  'button[name="add-to-cart"], #add-to-cart-button, .single_add_to_cart_button, body.single-product, form[action*="/cart/add" i], [itemtype$="schema.org/Product"] [itemprop="price"]';
const RECORD = [
  '#opac-detail, #catalogue_detail_biblio', // Koha
  '.record.sourceSolr', // VuFind
  'prm-full-view, primo-explore', // Primo
  'dl.document-metadata', // Blacklight
  '.nv-detail, #tblFullRecord, .fullRecord .marc', // Aleph, Innovative
].join(', ');
const CHALLENGE = [
  'script[src*="/cdn-cgi/challenge-platform/h/" i], #challenge-form, #cf-challenge-running', // Cloudflare
  'script[src*="captcha-delivery.com" i], iframe[src*="captcha-delivery.com" i]', // DataDome
  '#px-captcha', // PerimeterX
  'iframe[src*="_Incapsula_Resource"]', // Imperva
  '#challenge-container', // AWS WAF
  'script[src*="/.within.website/x/cmd/anubis" i]', // Anubis
].join(', ');
const NOT_FOUND = 'body.error404'; // WordPress
const PARKED =
  'script[src*="sedoparking.com" i], script[src*="parkingcrew.net" i], script[src*="hugedomains.com" i], script[src*="bodis.com" i], ' +
  'script[src*="afternic.com" i], script[src*="parklogic.com" i], script[src*="d38psrni17bvxu.cloudfront.net" i]';
