/** Articles with their findings → a wikitable. Whatever articles and sources say is shown as it is, and never parsed. */
import { escapeText, externalLink, pageLink } from '../report/escape.ts';
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
    pageLink(article, NO_PREFIXES),
    escapeText(claim),
    verdict.replaceAll('_', ' '),
    score === null ? '–' : score.toFixed(2),
    cited.map((source) => link(source, source)).join('<br>'),
    suggestion === null ? '' : link(suggestion.url, suggestion.title),
    link(review, 'review'),
  ];
  return `|-\n| ${cells.join('\n| ')}\n`;
}

function link(address: string, label: string): string {
  return externalLink(address, label, NONE_REFUSED);
}

/** Titles of articles come from the wiki itself: none has the prefix of another namespace. */
const NO_PREFIXES: ReadonlyMap<string, number> = new Map();
/** Whoever saves the table learns what the wiki's blacklists refuse. */
const NONE_REFUSED: ReadonlySet<string> = new Set();
