/** Findings → RSS. In: rows, the newest first, and where people reach them. Out: XML; claims and quotes are text in it, never markup. */

import { Feed } from 'feed';
import { html } from 'ghtml';
import type { Row } from './queue.ts';
import { VERDICTS } from './views/words.ts';

export interface FeedOptions {
  /** What the findings are of: "WikiProject Mills". */
  title: string;
  /** Of the list that it is the news of, and of the feed itself. */
  listUrl: string;
  feedUrl: string;
  /** → address of a finding's page. */
  findingUrl(id: number): string;
}

/** The same rows give the same text, so that a reader that has it need not fetch it. */
export function feedOf(rows: readonly Row[], { title, listUrl, feedUrl, findingUrl }: FeedOptions): string {
  const feed = new Feed({
    title: titleText(title),
    description: 'Citations that may not support their sentence, for people to decide on',
    link: listUrl,
    feed: feedUrl,
    generator: 'Sidelight',
    updated: new Date(rows[0]?.createdAt ?? 0),
  });
  for (const row of rows) {
    const url = findingUrl(row.id);
    const { finding } = row;
    const what = `${VERDICTS[finding.verdict]}: ${finding.page.title}`;
    feed.addItem({
      title: titleText(what),
      id: url,
      link: url,
      date: new Date(row.createdAt),
      description: xmlText(descriptionOf(row)),
    });
  }
  return feed.rss2();
}

/** HTML, as descriptions of feeds are: what is quoted is escaped. */
function descriptionOf({ finding: { claim, evidence, suggestion } }: Row): string {
  const quoted = (label: string, quote: string) => html`<p>${label}: <q>${quote}</q></p>`;
  return [
    quoted('Claim', claim.text),
    evidence === null ? '' : quoted('What is cited says', evidence.quote),
    suggestion === null ? '' : quoted('Another page says', suggestion.evidence.quote),
  ].join('');
}

/** Some readers take a title for text and some for HTML: it must be harmless in both. */
function titleText(text: string): string {
  return xmlText(text.replaceAll('<', '‹').replaceAll('>', '›'));
}

/** Without the characters that XML has no way to hold (https://www.w3.org/TR/xml/#charsets), halves of others among them. */
function xmlText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/gu, '');
}
