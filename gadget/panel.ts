/** State in, DOM out: the panel with one finding's evidence, or the list of the page's findings. All text is set as text. */
import type { Finding } from '../shared/citation.ts';
import { asking, type Edit, type Row, type State } from './state.ts';

export interface PanelActions {
  open(what: number | 'list'): void;
  close(): void;
  useSource(row: Row): void;
}

/** The panel for this state; null when it is closed. `reviewUrl`: page of a finding on the review service. */
export function renderPanel(
  state: State,
  actions: PanelActions,
  reviewUrl: (id: number) => string,
): HTMLElement | null {
  if (state.open === null) return null;
  const row = state.rows.filter(({ id }) => id === state.open)[0];
  const body = row === undefined ? listOf(state, actions) : evidenceOf(row, state.edit, actions, reviewUrl(row.id));
  const close = button('×', 'sidelight-close', actions.close);
  close.setAttribute('aria-label', 'Close');
  const panel = element('aside', 'sidelight sidelight-panel', [close, ...body]);
  panel.setAttribute('role', 'dialog');
  panel.setAttribute('aria-label', 'Sidelight');
  panel.tabIndex = -1;
  return panel;
}

/** What the page's coverage is: never "no problems found". */
export function coverageText(state: State): string {
  if (state.service === 'asking') return 'Asking Sidelight…';
  if (state.service === 'unreachable')
    return 'The Sidelight service can’t be reached: nothing is known about this page.';
  if (state.coverage === null) return 'Sidelight has not checked this page yet.';
  return `${state.coverage.checked} of ${state.coverage.claims} claims checked`;
}

/** What a verdict says, in words a reader understands. An unread source says nothing about support. */
export function verdictText(finding: Finding): string {
  if (finding.verdict === 'unavailable')
    return `The source could not be read (${(finding.reason || 'unknown').replace(/_/g, ' ')}).`;
  return VERDICTS[finding.verdict];
}

function listOf(state: State, actions: PanelActions): HTMLElement[] {
  const rows = asking(state);
  const items = rows.map((row) => {
    const open = button(row.finding.claim.text, 'sidelight-link', () => actions.open(row.id));
    const unplaced = state.placed.indexOf(row.id) < 0 ? ' Not found in the text any more, or in a table.' : '';
    return element('li', '', [open, text('small', ` ${verdictText(row.finding)}${unplaced}`)]);
  });
  const summary =
    state.service === 'answered' ? `${coverageText(state)}, ${rows.length} to look at.` : coverageText(state);
  return [text('h3', 'Citations on this page'), text('p', summary), element('ul', '', items)];
}

function evidenceOf(row: Row, edit: Edit, actions: PanelActions, reviewUrl: string): HTMLElement[] {
  const { finding } = row;
  return [
    text('h3', 'Does the citation support this?'),
    text('blockquote', finding.claim.text, 'sidelight-claim'),
    text('p', `${verdictText(finding)}${scoreText(finding)}`, `sidelight-verdict sidelight-${finding.verdict}`),
    ...citedOf(finding),
    ...suggestionOf(row, edit, actions),
    element('p', 'sidelight-foot', [link(reviewUrl, 'Open on the review page')]),
  ];
}

function citedOf(finding: Finding): HTMLElement[] {
  const cited = finding.citations.map((citation) =>
    element('li', '', [
      citation.url === null ? text('span', citation.text) : link(citation.url, citation.title || citation.url),
      text('small', citation.reason === null ? '' : ` — not read: ${citation.reason.replace(/_/g, ' ')}`),
    ]),
  );
  const quote = finding.evidence === null ? [] : [text('blockquote', finding.evidence.quote, 'sidelight-quote')];
  return cited.length === 0 ? [] : [text('h4', 'Cited now'), element('ul', '', cited), ...quote];
}

function suggestionOf(row: Row, edit: Edit, actions: PanelActions): HTMLElement[] {
  const { suggestion, searched } = row.finding;
  const heading = text('h4', 'Better source');
  if (suggestion === null) {
    const answered = searched !== null && searched.shardsAnswered > 0;
    return [heading, text('p', answered ? 'None found in the corpus that was searched.' : 'Not searched.')];
  }
  return [
    heading,
    element('p', '', [
      link(suggestion.url, suggestion.title),
      text('small', ` ${Math.round(suggestion.score * 100)} %`),
    ]),
    text('blockquote', suggestion.evidence.quote, 'sidelight-quote'),
    ...editOf(row, edit, actions),
  ];
}

function editOf(row: Row, edit: Edit, actions: PanelActions): HTMLElement[] {
  const mine = edit.step !== 'idle' && edit.id === row.id ? edit : null;
  if (row.state === 'closed') return [text('p', 'This finding is closed.', 'sidelight-status')];
  if (mine !== null && mine.step === 'saved') {
    return [text('p', 'Saved. The finding closes when Sidelight has seen the new revision.', 'sidelight-status')];
  }
  const use = button('Use this source', 'sidelight-use', () => actions.useSource(row));
  use.disabled = mine !== null && mine.step === 'saving';
  const failed = mine !== null && mine.step === 'failed' ? [text('p', FAILURES[mine.why], 'sidelight-status')] : [];
  return [use, ...failed];
}

function scoreText({ score, model }: Finding): string {
  return score === null ? '' : ` Estimated chance that it does: ${Math.round(score * 100)} % (${model}).`;
}

function element(name: string, className: string, children: readonly Node[]): HTMLElement {
  const created = document.createElement(name);
  if (className !== '') created.className = className;
  children.forEach((child) => {
    created.appendChild(child);
  });
  return created;
}

function text(name: string, content: string, className = ''): HTMLElement {
  return element(name, className, [document.createTextNode(content)]);
}

function button(label: string, className: string, onClick: () => void): HTMLButtonElement {
  const created = document.createElement('button');
  created.type = 'button';
  created.className = className;
  created.textContent = label;
  created.addEventListener('click', onClick);
  return created;
}

/** A link to http(s) only: whatever else a source's address may be is shown, not linked. */
function link(url: string, label: string): HTMLElement {
  if (!/^https?:\/\//i.test(url)) return text('span', label);
  const created = document.createElement('a');
  created.href = url;
  created.rel = 'noopener noreferrer nofollow';
  created.target = '_blank';
  created.textContent = label;
  return created;
}

const VERDICTS = {
  supported: 'The source supports this.',
  partially_supported: 'The source seems to support only a part of this.',
  not_supported: 'The source does not seem to support this.',
  unsourced: 'No source is cited.',
};

const FAILURES = {
  not_found: 'The citation was not found in the text of the page: it may have been edited since.',
  not_signed_in: 'Sign in to the wiki first: the edit is made under your name.',
  conflict: 'Somebody else edited the page meanwhile. Try again.',
  refused: 'The wiki refused the edit. Nothing was changed.',
};
