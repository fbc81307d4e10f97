/** State in, what the panel shows out: one finding's evidence and what can be done, or the list of the page's findings. */
import type { CheckedCitation, Evidence, Finding, Reliability } from '../shared/citation.ts';
import { listText } from '../shared/reliability.ts';
import { button, element, link, text } from './dom.ts';
import {
  editOf,
  isUnmended,
  mismatchesOf,
  missingOf,
  openRows,
  type Row,
  type State,
  shownRow,
  weakestCitation,
} from './state.ts';
import {
  coverageText,
  failureText,
  mismatchText,
  missingText,
  noteText,
  replacingText,
  scoreText,
  searchText,
  standingText,
  verdictText,
} from './wording.ts';

export interface PanelActions {
  open(what: number | 'list'): void;
  useSource(row: Row): void;
}

export interface PanelUrls {
  /** Page of a finding on the review service. */
  review(id: number): string;
  /** What an edit changed. */
  change(revision: number): string;
  /** A list of sites, as it was read. */
  list(reliability: Reliability): string;
}

export interface PanelContent {
  heading: string;
  body: Node[];
  foot: Node[];
  /** Read out when it changes. */
  status: string;
}

/** null when the panel is closed. */
export function panelContent(state: State, actions: PanelActions, urls: PanelUrls): PanelContent | null {
  if (state.open === null) return null;
  const row = shownRow(state);
  if (row === null) return listOf(state, actions);
  return {
    heading: row.finding.citations.length === 0 ? 'This claim has no source' : 'Does the citation support this?',
    body: evidenceOf(row.finding, urls),
    foot: [
      ...editingOf(state, row, actions, urls),
      element('p', 'sidelight-links', [
        button('All on this page', 'sidelight-link', 'list', () => actions.open('list')),
        link(urls.review(row.id), 'Open on the review page'),
      ]),
    ],
    status: statusOf(state, row),
  };
}

function listOf(state: State, actions: PanelActions): PanelContent {
  const items = openRows(state).map((row) => {
    const claim = button(row.finding.claim.text, 'sidelight-claim-link', `claim-${row.id}`, () => actions.open(row.id));
    claim.dir = 'auto';
    const note = text('small', noteText(row.finding, state.placed.indexOf(row.id) >= 0));
    return element('li', '', [claim, verdictOf(row.finding), note]);
  });
  const body = [text('p', coverageText(state)), element('ul', 'sidelight-list', items)];
  return { heading: 'Citations on this page', body, foot: [], status: '' };
}

function evidenceOf(finding: Finding, urls: PanelUrls): Node[] {
  const cited = finding.citations.map((citation) => citedOf(citation, finding.citations.length > 1, urls));
  const { evidence } = finding;
  return [
    claimOf(finding),
    element('p', '', [verdictOf(finding)]),
    ...differencesOf(finding),
    ...(cited.length === 0 ? [] : [text('h3', 'Cited now'), element('ul', '', cited), ...togetherOf(finding)]),
    ...(evidence === null ? [] : [text('blockquote', evidence.quote), ...pageOf(evidence)]),
    ...suggestionOf(finding, urls),
    text('p', `Judged by ${finding.model}.`, 'sidelight-model'),
  ];
}

/** Of a document with pages. */
function pageOf({ page }: Evidence): Node[] {
  return page === undefined ? [] : [text('p', `Page ${page}`)];
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
function differencesOf(finding: Finding): Node[] {
  const missing = missingText(finding);
  const mismatches = mismatchesOf(finding).map((mismatch) => text('li', mismatchText(finding, mismatch)));
  return [
    ...(missing === '' ? [] : [text('p', missing)]),
    ...(mismatches.length === 0 ? [] : [element('ul', 'sidelight-mismatches', mismatches)]),
  ];
}

/** One source's own score says it already. */
function togetherOf({ citations, score }: Finding): Node[] {
  if (citations.length < 2 || score === null) return [];
  return [text('p', `Together: ${scoreText({ score, reason: null })}`, 'sidelight-together')];
}

function verdictOf(finding: Finding): HTMLElement {
  return text('span', verdictText(finding), `sidelight-verdict sidelight-${finding.verdict}`);
}

function citedOf(citation: CheckedCitation, isOneOfSeveral: boolean, urls: PanelUrls): HTMLElement {
  const { url, title, score } = citation;
  const name = url === null ? text('span', citation.text) : link(url, title || url);
  return element('li', '', [
    name,
    text('small', ` ${isOneOfSeveral && score !== null ? 'alone: ' : ''}${scoreText(citation)}`),
    ...standingOf(citation.reliability, urls),
  ]);
}

/** What the wiki's lists say of the site. */
function standingOf(reliability: Reliability | null, urls: PanelUrls): Node[] {
  if (reliability === null) return [];
  const said = text('span', `${standingText(reliability)} · `);
  return [element('p', 'sidelight-standing', [said, link(urls.list(reliability), listText(reliability))])];
}

function suggestionOf(finding: Finding, urls: PanelUrls): Node[] {
  const { suggestion } = finding;
  const heading = text('h3', 'Better source');
  if (suggestion === null) return [heading, text('p', searchText(finding))];
  const score = text('small', ` ${scoreText({ score: suggestion.score, reason: null })}`);
  return [
    heading,
    element('p', '', [link(suggestion.url, suggestion.title || suggestion.url), score]),
    ...standingOf(suggestion.reliability, urls),
    text('blockquote', suggestion.evidence.quote),
  ];
}

function editingOf(state: State, row: Row, actions: PanelActions, urls: PanelUrls): Node[] {
  const edit = editOf(state, row.id);
  if (edit.step === 'saved') {
    return edit.revision === null ? [] : [element('p', '', [link(urls.change(edit.revision), 'See the change')])];
  }
  if (row.finding.suggestion === null || !isUnmended(row)) return [];
  const use = button('Use this source', 'sidelight-use', 'use', () => actions.useSource(row));
  // not `disabled`: it would lose the focus
  use.setAttribute('aria-disabled', String(edit.step === 'saving'));
  return [use, text('p', replacingText(weakestCitation(row.finding)), 'sidelight-replacing')];
}

function statusOf(state: State, row: Row): string {
  if (!isUnmended(row)) return 'This finding is closed.';
  const edit = editOf(state, row.id);
  if (edit.step === 'saving') return 'Saving…';
  if (edit.step === 'saved') return 'Saved. The finding closes when Sidelight has seen the new revision.';
  return edit.step === 'failed' ? failureText(edit.failure) : '';
}
