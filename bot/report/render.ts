/**
 * Findings → a wikitable: what the article says, what was found of it, the quotes and the links, and nothing that anybody made up.
 * In: findings, what may be linked, room in bytes. Out: wikitext, and how many found room.
 */
import type { CheckedCitation, Evidence, Finding } from '../../shared/citation.ts';
import { articleAddress, sourceAddress, type Wikis } from '../../workers/review/views/address.ts';
import { REASONS, VERDICTS } from '../../workers/review/views/words.ts';
import { escapeText, externalLink, pageLink, wellFormed } from './escape.ts';
import type { OpenFinding } from './findings.ts';

export interface RenderOptions extends Wikis {
  prefixes: ReadonlyMap<string, number>;
  unlinkable: ReadonlySet<string>;
  /** Where people reach the review page; null: they can't. */
  reviewUrl: string | null;
  /** All open findings that were asked for, shown or not. */
  total: number;
  /** Bytes of UTF-8. */
  room: number;
}

export interface Rendered {
  text: string;
  shown: number;
}

/** Rows in their order, as many as there is room for. */
export function renderTable(findings: readonly OpenFinding[], options: RenderOptions): Rendered {
  const rows: string[] = [];
  let left = options.room - bytes(HEAD) - bytes(foot(0, options)) - String(options.total).length;
  for (const finding of findings) {
    const row = rowOf(finding, options);
    left -= bytes(row);
    if (left < 0) break;
    rows.push(row);
  }
  return { text: `${HEAD}${rows.join('')}${foot(rows.length, options)}`, shown: rows.length };
}

const COLUMNS = ['Article', 'Claim', 'Verdict', 'Cited', 'Suggested', 'Review'];
const HEAD = `{| class="wikitable sortable"\n${COLUMNS.map((name) => `! scope="col" | ${name}\n`).join('')}`;

/** What was left out is said, never hidden. */
function foot(shown: number, { total, reviewUrl, unlinkable }: RenderOptions): string {
  const rest = shown < total && reviewUrl !== null ? `: ${externalLink(reviewUrl, 'all of them', unlinkable)}` : '';
  return `|}\n${shown} of ${total} open ${total === 1 ? 'finding' : 'findings'}${rest}`;
}

function rowOf({ id, finding }: OpenFinding, options: RenderOptions): string {
  const { page, claim } = finding;
  const cells = [
    pageLink(page.title, options.prefixes),
    `${externalLink(articleAddress(encodable(finding), options), 'revision', options.unlinkable)}: ${quote(claim.text)}`,
    verdictOf(finding),
    citedOf(finding, options).join('<br>'),
    suggestedOf(finding, options),
    reviewOf(id, options),
  ];
  return `|-\n${cells.map((cell) => `| ${cell}\n`).join('')}`;
}

function verdictOf({ verdict, reason }: Finding): string {
  return reason === null ? VERDICTS[verdict] : `${VERDICTS[verdict]}: ${REASONS[reason]}`;
}

/** The evidence stands with the citation that it was read for. */
function citedOf({ citations, evidence }: Finding, options: RenderOptions): string[] {
  const origin = citations.find(({ url, readUrl }) => evidence !== null && [url, readUrl].includes(evidence.url));
  const cited = citations.map((citation) => citedWork(citation, citation === origin ? evidence : null, options));
  const isElsewhere = evidence !== null && origin === undefined && !citations.some(({ given }) => given);
  return isElsewhere ? [...cited, evidenceOf(evidence, evidence.title, options)] : cited;
}

/** What a person gave of a source that can't be fetched is private: it is linked, and not quoted. */
function citedWork(citation: CheckedCitation, evidence: Evidence | null, options: RenderOptions): string {
  const { url, title, text, given } = citation;
  const label = title || text || url || '';
  if (evidence !== null && given !== true) return evidenceOf(evidence, label, options);
  return url === null ? escapeText(label) : externalLink(url, label, options.unlinkable);
}

function suggestedOf({ suggestion }: Finding, options: RenderOptions): string {
  return suggestion === null ? '' : evidenceOf(suggestion.evidence, suggestion.title || suggestion.url, options);
}

/** The link goes to the quote on the page, where the browser can. */
function evidenceOf({ url, quote: words }: Evidence, label: string, { unlinkable }: RenderOptions): string {
  const address = sourceAddress(wellFormed(url), wellFormed(words)) ?? url;
  return `${externalLink(address, label, unlinkable)}: ${quote(words)}`;
}

function reviewOf(id: number, { reviewUrl, unlinkable }: RenderOptions): string {
  if (reviewUrl === null) return '';
  return externalLink(`${reviewUrl.replace(/\/$/, '')}/findings/${id}`, String(id), unlinkable);
}

/** In the direction it is written in, and with the quotation marks of the reader's language. */
function quote(text: string): string {
  return `<q dir="auto">${escapeText(text)}</q>`;
}

/** What `encodeURIComponent` would throw at. */
function encodable(finding: Finding): Finding {
  const { claim, page } = finding;
  const title = wellFormed(page.title);
  return { ...finding, page: { ...page, title }, claim: { ...claim, text: wellFormed(claim.text) } };
}

function bytes(text: string): number {
  return Buffer.byteLength(text);
}
