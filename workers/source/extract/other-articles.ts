/** Takes other articles out of a document that has several: the next one of an endless page, cards between and below. */
import { blockLines } from './blocks.ts';
import type { Document, Element } from './dom.ts';
import { wordCount } from './lines.ts';
import { chainOf } from './regions.ts';
import { plain } from './shingles.ts';

/** Only where one of them is told by the page's title and holds a fair share of the text. */
export function dropOtherArticles(document: Document, titles: readonly string[]): void {
  const articles = [...document.querySelectorAll(ARTICLES)];
  if (articles.length < 2 || articles.length > MAX_ARTICLES) return;
  const known = new Set(titles.map(plain));
  const own = articles.find((article) =>
    [...article.querySelectorAll('h1, h2')].some((heading) => known.has(plain(heading.textContent ?? ''))),
  );
  if (own === undefined) return;
  const words = new Map(articles.map((article) => [article, wordCount(blockLines(article).join(' '))]));
  if ((words.get(own) ?? 0) < Math.max(MIN_WORDS, MIN_SHARE * Math.max(...words.values()))) return;
  const around = new Set(chainOf(own));
  for (const article of articles) {
    const isInside = [...chainOf(article)].includes(own);
    if (!around.has(article) && (isInside ? isCard(article) : hasHeading(article))) article.remove();
  }
}

/** A headline that is a link. */
function isCard(article: Element): boolean {
  return article.querySelector('a h2, a h3, a h4, h2 a, h3 a, h4 a') !== null;
}

function hasHeading(article: Element): boolean {
  return article.querySelector('h1, h2, h3, h4') !== null;
}

const ARTICLES = 'article, [itemtype$="Article"], [itemtype$="BlogPosting"]';
const MAX_ARTICLES = 500;
const MIN_WORDS = 60;
const MIN_SHARE = 0.3;
