/** One finding in the panel: the claim, what is cited for it, what was found, what can be done. */
import type { CheckedCitation, Evidence, Finding, Reliability } from '../shared/citation.ts';
import { checkOf } from './checking.ts';
import { button, element, link, text } from './dom.ts';
import { editingOf } from './editing-view.ts';
import { mismatchesOf, missingOf, type Row } from './state.ts';
import type { View } from './view.ts';
import {
  dayText,
  listName,
  mismatchText,
  missingText,
  scoreText,
  searchText,
  standingText,
  verdictText,
} from './wording.ts';

export function evidenceOf(view: View, row: Row): readonly Node[] {
  const { finding } = row;
  const { msg } = view;
  const editing = editingOf(view, row);
  if (editing.preview.length > 0) return [claimOf(finding), ...editing.preview];
  return [
    claimOf(finding),
    element('p', '', [verdictOf(finding, view)]),
    ...differencesOf(finding, view),
    ...citedOf(finding, view),
    ...quoteOf(finding.evidence, view),
    ...suggestionOf(finding, view),
    text('p', msg('judged-by', finding.model), 'sidelight-model'),
  ];
}

export function findingFoot(view: View, row: Row): readonly Node[] {
  const { msg, act, urls } = view;
  const editing = editingOf(view, row);
  if (editing.preview.length > 0) return editing.foot;
  return [
    ...editing.foot,
    ...(row.finding.citations.length === 0
      ? []
      : checkOf(view, { kind: 'claims', finding: row.id }, msg('check-citation'))),
    element('p', 'sidelight-links', [
      button(msg('list-all'), 'sidelight-link', 'list', () => act.open('list')),
      link(urls.review(row.id), msg('review-link')),
    ]),
  ];
}

export function verdictOf(finding: Finding, { msg }: Pick<View, 'msg'>): HTMLElement {
  return text('span', verdictText(finding, msg), `sidelight-verdict sidelight-${finding.verdict}`);
}

/** With the words marked that nothing supports. */
function claimOf(finding: Finding): HTMLElement {
  const { text: claim } = finding.claim;
  const quote = text('blockquote', '', 'sidelight-claim');
  let at = 0;
  missingOf(finding).forEach(({ start, end }) => {
    if (start < at || end > claim.length) return;
    quote.appendChild(document.createTextNode(claim.slice(at, start)));
    quote.appendChild(element('mark', 'sidelight-missing', [document.createTextNode(claim.slice(start, end))]));
    at = end;
  });
  quote.appendChild(document.createTextNode(claim.slice(at)));
  return quote;
}

/** In words, also what is marked: a reader need not see the marks. */
function differencesOf(finding: Finding, { msg }: View): Node[] {
  const missing = missingText(finding, msg);
  const mismatches = mismatchesOf(finding).map((one) => text('li', mismatchText(finding.claim.text, one, msg)));
  return [
    ...(missing === '' ? [] : [text('p', missing)]),
    ...(mismatches.length === 0 ? [] : [element('ul', 'sidelight-mismatches', mismatches)]),
  ];
}

function citedOf(finding: Finding, view: View): Node[] {
  const { citations, score } = finding;
  if (citations.length === 0) return [];
  const isSeveral = citations.length > 1;
  const together =
    isSeveral && score !== null
      ? [text('p', view.msg('together', scoreText({ score, reason: null }, view.msg)), 'sidelight-together')]
      : []; // one source's own score says it already
  const list = element(
    'ul',
    '',
    citations.map((citation) => citationOf(citation, isSeveral, view)),
  );
  return [text('h3', view.msg('cited-now')), list, ...together];
}

function citationOf(citation: CheckedCitation, isOneOfSeveral: boolean, view: View): HTMLElement {
  const { url, title, score, archivedAt } = citation;
  const { msg } = view;
  const said = scoreText(citation, msg);
  const archived = archivedAt === null ? [] : [text('small', msg('archived', dayText(archivedAt, msg)))];
  return element('li', '', [
    url === null ? text('span', citation.text) : link(url, title || url),
    text('small', isOneOfSeveral && score !== null ? msg('alone', said) : said),
    ...archived,
    ...standingOf(citation.reliability, view),
  ]);
}

/** What the wiki's lists say of the site. */
function standingOf(reliability: Reliability | null, { msg, urls }: View): Node[] {
  if (reliability === null) return [];
  const said = text('span', `${standingText(reliability, msg)} · `);
  return [element('p', 'sidelight-standing', [said, link(urls.list(reliability), listName(reliability, msg))])];
}

function quoteOf(evidence: Evidence | null, { msg }: View): Node[] {
  if (evidence === null) return [];
  const { page } = evidence;
  return [text('blockquote', evidence.quote), ...(page === undefined ? [] : [text('p', msg('page-number', page))])];
}

function suggestionOf(finding: Finding, view: View): Node[] {
  const { suggestion } = finding;
  const { msg } = view;
  const heading = text('h3', msg('better-source'));
  if (suggestion === null) return [heading, text('p', searchText(finding, msg))];
  return [
    heading,
    element('p', '', [
      link(suggestion.url, suggestion.title || suggestion.url),
      text('small', scoreText({ score: suggestion.score, reason: null }, msg)),
    ]),
    ...standingOf(suggestion.reliability, view),
    ...quoteOf(suggestion.evidence, view),
  ];
}
