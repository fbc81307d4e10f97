/**
 * What stands below the pictures of an article: no part of its text, but evidence. Credits are no captions. They are found before anything is
 * taken out of the document.
 */
import type { Element } from './dom.ts';
import { isBoilerplate, isClosing } from './lines.ts';
import { namesOf, partOf } from './names.ts';
import { chainOf, type Placed } from './regions.ts';
import { plain } from './shingles.ts';

/** The article around each block of a page that has captions, and which blocks are captions. */
export interface Captions {
  found: ReadonlySet<Placed>;
  articles: ReadonlyMap<Placed, Element | null>;
}

export function findCaptions(blocks: readonly Placed[]): Captions {
  const found = new Set(blocks.filter(isCaption));
  const placed = found.size === 0 ? [] : blocks;
  return { found, articles: new Map(placed.map((block) => [block, block.element.closest('article')])) };
}

/** Of `blocks`, those between the ones that were chosen, or in the same `<article>`. Each once; none that the text has. */
export function captionsOf(
  blocks: readonly Placed[],
  chosen: readonly Placed[],
  { found, articles }: Captions,
): string[] {
  const [first, last] = [chosen[0], chosen.at(-1)];
  if (found.size === 0 || first === undefined || last === undefined) return [];
  const [start, end] = [blocks.indexOf(first), blocks.indexOf(last)];
  const article = articles.get(first) ?? null;
  const text = ` ${chosen.map((block) => plain(block.text)).join(' ')} `;
  const own = blocks.filter((block, at) => {
    const isInside = (at > start && at < end) || (article !== null && articles.get(block) === article);
    return found.has(block) && isInside && !text.includes(` ${plain(block.text)} `);
  });
  return [...new Set(own.map((block) => block.text))];
}

function isCaption(block: Placed): boolean {
  const { apart, text, words, linked, element } = block;
  if (apart !== 'caption' || text.length > MAX_LENGTH || words < MIN_WORDS || linked > text.length / 2) return false;
  if (isCredit(block)) return false;
  const figure = element.closest('figure, [class*="caption" i]');
  if (figure === null || figure.querySelector('table') !== null) return false;
  return [...chainOf(element)].every((around) => !NOT_OF_ARTICLE.has(partOf(around, true)));
}

function isCredit({ text, words, element }: Placed): boolean {
  if (namesOf(element).some((name) => CREDIT_NAME.test(name)) || isBoilerplate(text, 0) || isClosing(text)) return true;
  return words <= MAX_CREDIT_WORDS && (CREDIT.test(text) || AGENCY.test(text));
}

const NOT_OF_ARTICLE = new Set<ReturnType<typeof partOf>>(['furniture', 'comments']);
/** Characters. */
const MAX_LENGTH = 300;
/** Names of who took a picture are shorter. */
const MIN_WORDS = 5;
const MAX_CREDIT_WORDS = 12;
const CREDIT_NAME = /(^|-)(credits?|photocredit|photographer|copyright|source|attribution)(-|$)/;
const CREDIT =
  /^[\s\p{P}\p{S}]*(©|\(c\)|(photo(graph|graphy|s)?|image|picture|illustration|credit|courtesy|source|foto|bild|quelle|crédit|crédito)\b\s*(:|by\b|of\b|©|\/|credit|courtesy))/iu;
const AGENCY = /\b(getty images|shutterstock|associated press|reuters|afp|istock|alamy|wikimedia commons)\W*$/i;
