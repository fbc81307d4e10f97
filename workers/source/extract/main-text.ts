/**
 * A document → the lines of its main text, its data tables among them, and of its pictures' captions. Markup, Readability and JSON-LD are heard
 * (deploy/decisions/readable-text.md); a page that is no article is read whole, but for its furniture. Changes the document.
 */
import { Readability } from '@mozilla/readability';
import { agreeWithPublisher } from './agree.ts';
import { type Block, readBlocks } from './blocks.ts';
import { findBody, sumProse } from './body.ts';
import { captionsOf, findCaptions } from './captions.ts';
import type { Document, Element } from './dom.ts';
import { isGate } from './lines.ts';
import { partOf } from './names.ts';
import { dropOtherArticles } from './other-articles.ts';
import { type Placed, readRegions } from './regions.ts';
import { type Coverage, coverage } from './shingles.ts';
import type { Thing } from './structured.ts';
import { trimBlocks } from './trim.ts';

/** One block a line. */
export interface MainText {
  body: string[];
  /** Of pictures in the article; [] for a page with little text, which is told by what it has. */
  captions: string[];
}

/** `title` as the page gives it; `things` from its JSON-LD. */
export function readMainText(document: Document, title: string, things: readonly Thing[]): MainText {
  if ([...document.querySelectorAll('*')].length > MAX_JUDGED_ELEMENTS)
    return { body: wholeLines(document), captions: [] };
  const titles = titlesOf(document, title);
  dropOtherArticles(document, titles);
  const regions = readRegions(document);
  const open = regions.blocks.filter(({ apart }) => apart === null);
  const captions = findCaptions(regions.blocks);
  for (const element of regions.apart) element.remove();
  const read = readabilityOf(document);
  const taken = open.filter(({ text }) => read(text) >= MIN_READ);
  const body = agreeWithPublisher(trimBlocks(findBody(regions, read), titles), regions.blocks, things);
  const isSaid = regions.bodies.length > 0 || isArticle(document, things);
  const chosen = choose({ body, taken, open, isSaid });
  const isLong = ownWords(chosen) >= MAX_GATED_WORDS;
  return {
    body: [...chosen, ...(isLong ? [] : gatesOf(regions.blocks, chosen))].map(({ text }) => text),
    captions: isLong ? captionsOf(regions.blocks, chosen, captions) : [],
  };
}

/** Everything but what tags alone set apart. */
function wholeLines(document: Document): string[] {
  return readBlocks(document.body, (element) => partOf(element, false) === 'furniture').map(({ text }) => text);
}

interface Choice {
  /** What was found to be the article's text. */
  body: Placed[];
  /** What Readability took. */
  taken: Placed[];
  /** Everything but the furniture. */
  open: Placed[];
  /** The page says that it is an article. */
  isSaid: boolean;
}

/** The most exact of the three that does not lose most of what the next one has. */
function choose({ body, taken, open, isSaid }: Choice): Placed[] {
  const words = ownWords(body);
  const isEnough = words >= MIN_WORDS && sumProse(body) >= MIN_SHARE * sumProse(taken);
  if (isEnough && (isSaid || words >= MIN_SHARE * ownWords(open))) return withTables(body, open);
  return ownWords(taken) >= MIN_SHARE * ownWords(open) ? withTables(taken, open) : open;
}

/** A page with little text may say why: what judges whether it can be read needs that line, wherever it stands. */
function gatesOf(blocks: readonly Placed[], chosen: readonly Placed[]): Placed[] {
  const known = new Set(chosen);
  const gates = blocks.filter((block) => !known.has(block) && block.apart !== 'comments' && isGate(block.text));
  return gates.filter(({ element }) => element.closest(NO_GATES) === null).slice(0, MAX_GATES);
}

/** Readability loses data tables, and a named text may end before them. */
function withTables(body: readonly Placed[], open: readonly Placed[]): Placed[] {
  const chosen = new Set(body);
  return open.filter((block) => chosen.has(block) || block.element.localName === 'table');
}

/** Changes the document. Covers nothing where Readability finds nothing, or gives up on a page of absurd size. */
function readabilityOf(document: Document): Coverage {
  if ([...document.querySelectorAll('br')].length > MAX_BREAKS) return () => 0;
  try {
    // its types need lib.dom; our Document is the part of it that linkedom builds and we use
    const readability = new Readability(document as never, {
      maxElemsToParse: MAX_ELEMENTS,
      serializer: (node) => node,
    });
    const article = (readability.parse()?.content ?? null) as Element | null;
    return article === null ? () => 0 : coverage(readBlocks(article).map(({ text }) => text));
  } catch {
    return () => 0;
  }
}

/** What the page calls itself; `<title>` with and without the site's name. */
function titlesOf(document: Document, title: string): string[] {
  const whole = document.querySelector('title')?.textContent ?? '';
  const headings = [...document.querySelectorAll('h1')].map((heading) => heading.textContent ?? '');
  const [only] = headings.length <= MAX_HEADINGS ? headings : [];
  return [title, whole, only ?? '', ...whole.split(/\s[|–—-]\s/)].map((text) => text.trim()).filter(Boolean);
}

function isArticle(document: Document, things: readonly Thing[]): boolean {
  const type = document.querySelector('meta[property="og:type"]')?.getAttribute('content') ?? '';
  return /article/i.test(type) || things.some((thing) => ARTICLE.test(String(thing['@type'])));
}

/** Words of the blocks that are not mostly links. */
function ownWords(blocks: readonly (Block & { words: number })[]): number {
  return blocks.reduce((sum, { text, linked, words }) => sum + (linked < text.length / 2 ? words : 0), 0);
}

/** Readability's time grows faster than the page, with breaks most of all; larger ones are read whole. */
const MAX_ELEMENTS = 30_000;
const MAX_BREAKS = 3000;
/** No article has more; telling its parts would take as long again as parsing it. */
const MAX_JUDGED_ELEMENTS = 60_000;
const MAX_HEADINGS = 3;
/** A gate lets the beginning of a text through; a whole article is longer. */
const MAX_GATED_WORDS = 200;
const MAX_GATES = 4;
const NO_GATES = 'nav, footer, aside, [role="dialog"], [class*="cookie" i], [id*="cookie" i], [class*="newsletter" i]';
const MIN_READ = 0.6;
const MIN_WORDS = 25;
const MIN_SHARE = 0.5;
const ARTICLE = /(Article|Posting|Report)\b/;
