/**
 * The gadget's rim: asks the service for the article's findings, marks their claims, shows the panel, makes the edit. What it
 * shows is decided in state.ts and drawn in panel.ts. Runs on articles that are being read, and nowhere else.
 */
import { findAnchors } from './anchor.ts';
import { applySuggestion } from './edit.ts';
import { coverageText, renderPanel, verdictText } from './panel.ts';
import { createService } from './service.ts';
import { type Action, asking, initial, type Row, reduce, type State } from './state.ts';

/** Origin of the review service; set when the gadget is built. */
declare const SIDELIGHT_SERVICE: string;

if (
  mw.config.get('wgNamespaceNumber') === 0 &&
  mw.config.get('wgAction') === 'view' &&
  mw.config.get('wgArticleId') > 0
) {
  mw.hook('wikipage.content').add(($content) => {
    const content = $content[0];
    if (content !== undefined && content.closest('#mw-content-text') !== null) start(content);
  });
}

function start(content: HTMLElement): void {
  const service = createService(SIDELIGHT_SERVICE);
  const wiki = new URL(mw.config.get('wgServer'), location.href).host;
  const page = mw.config.get('wgPageName').replace(/_/g, ' ');
  let state: State = initial;
  const portlet = mw.util.addPortletLink('p-tb', '#', 'Sidelight', 't-sidelight', 'Citations on this page');

  const dispatch = (action: Action) => {
    const before = state;
    state = reduce(state, action);
    if (before.rows !== state.rows) dispatch({ type: 'placed', ids: mark(content, asking(state), open) });
    else draw();
  };
  const draw = () => {
    if (portlet !== null) (portlet.querySelector('a') || portlet).textContent = `Sidelight: ${coverageText(state)}`;
    show(renderPanel(state, { open, close: () => dispatch({ type: 'close' }), useSource }, reviewUrl));
  };
  const open = (what: number | 'list') => dispatch({ type: 'open', what });
  const ask = () =>
    service.findings(wiki, page).then(
      ({ rows, coverage }) => dispatch({ type: 'answered', rows, coverage }),
      () => dispatch({ type: 'unreachable' }),
    );
  const useSource = (row: Row) => {
    dispatch({ type: 'edit', edit: { step: 'saving', id: row.id } });
    applySuggestion(new mw.Api(), page, row).then((outcome) => {
      if (outcome.kind === 'failed') {
        dispatch({ type: 'edit', edit: { step: 'failed', id: row.id, why: outcome.why } });
        return;
      }
      dispatch({ type: 'edit', edit: { step: 'saved', id: row.id } });
      askUntilClosed(row.id, ASK_TIMES);
    });
  };
  const askUntilClosed = (id: number, left: number): void => {
    ask().then(() => {
      const open = state.rows.some((row) => row.id === id && row.state === 'open');
      if (open && left > 0) setTimeout(() => askUntilClosed(id, left - 1), ASK_EVERY_MS);
    });
  };

  if (portlet !== null) {
    portlet.addEventListener('click', (event) => {
      event.preventDefault();
      open('list');
    });
  }
  draw();
  ask();
}

/** Puts a badge behind each claim that was found, instead of those that stood there. Returns the findings' ids. */
function mark(content: HTMLElement, rows: readonly Row[], open: (id: number) => void): number[] {
  content.querySelectorAll('.sidelight-badge').forEach((badge) => {
    badge.remove();
  });
  return findAnchors(content, rows).map(({ id, marker }) => {
    const row = rows.filter((each) => each.id === id)[0];
    const label = row === undefined ? '' : verdictText(row.finding);
    const badge = document.createElement('button');
    badge.type = 'button';
    badge.className = `sidelight sidelight-badge sidelight-${row === undefined ? 'unavailable' : row.finding.verdict}`;
    badge.textContent = '?';
    badge.title = label;
    badge.setAttribute('aria-label', `Sidelight: ${label}`);
    badge.addEventListener('click', () => open(id));
    marker.insertAdjacentElement('afterend', badge);
    return id;
  });
}

/** One panel at a time; focus goes into a panel that opens, so that a keyboard or screen reader is there. */
function show(panel: HTMLElement | null): void {
  const old = document.querySelector('.sidelight-panel');
  if (old !== null) old.remove();
  if (panel === null) return;
  document.body.appendChild(panel);
  if (old === null) panel.focus();
}

function reviewUrl(id: number): string {
  return `${SIDELIGHT_SERVICE}/findings/${id}`;
}

/** After an edit the bot has to see the new revision: about a minute is asked for, then the next visit will tell. */
const ASK_TIMES = 30;
const ASK_EVERY_MS = 2000;
