/** Articles with their findings → a wikitable. Whatever articles and sources say is shown as it is, and never parsed. */
import { parseHttpUrl } from '../../shared/url.ts';
import type { ExportedArticle, ExportedFinding } from './export.ts';

export const WIKITEXT_HEAD = `{| class="wikitable sortable"
! Article !! Claim !! Verdict !! Score !! Cited !! Suggestion !! Review
`;
export const WIKITEXT_FOOT = '|}\n';

/** One row a finding; '' for articles without any. */
export function wikitextRows(articles: readonly ExportedArticle[]): string {
  return articles.flatMap(({ article, findings }) => findings.map((finding) => rowOf(article, finding))).join('');
}

function rowOf(article: string, { claim, verdict, score, cited, suggestion, review }: ExportedFinding): string {
  const cells = [
    `[[:${article}]]`,
    nowiki(claim),
    verdict.replaceAll('_', ' '),
    score === null ? '–' : score.toFixed(2),
    cited.map((source) => link(source, null)).join('<br>'),
    suggestion === null ? '' : link(suggestion.url, suggestion.title),
    link(review, 'review'),
  ];
  return `|-\n| ${cells.join('\n| ')}\n`;
}

/** A link, or the text of what is no http(s) address. */
function link(address: string, text: string | null): string {
  const url = parseHttpUrl(address);
  if (url === null) return nowiki(address);
  return text === null || text.trim() === '' ? `[${escapeUrl(url.href)}]` : `[${escapeUrl(url.href)} ${nowiki(text)}]`;
}

/** Inside of nowiki nothing is parsed but entities and its own end. */
function nowiki(text: string): string {
  const plain = text.replace(/\s+/g, ' ').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<nowiki>${plain}</nowiki>`;
}

/** What would end the link or be parsed in it: brackets, templates, quotes, signatures, magic words. */
function escapeUrl(href: string): string {
  return href.replace(/[[\]{}|<>"'\s]|~{3,}|_{2,}/g, (found) =>
    [...found].map((character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`).join(''),
  );
}
