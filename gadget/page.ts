/** What the gadget adds to the wiki's page: badges behind claims and one panel. Draws what it is told; decides nothing. */
import type { Verdict } from '../shared/citation.ts';
import { findAnchors } from './anchor.ts';
import { button, element, text } from './dom.ts';
import type { PanelContent } from './panel.ts';
import type { Row } from './state.ts';
import { verdictText } from './wording.ts';

/** Puts a badge behind each claim that is found, instead of those that stood there. Returns the findings' ids. */
export function placeBadges(content: Element, rows: readonly Row[], open: (id: number) => void): number[] {
  content.querySelectorAll('.sidelight-badge').forEach((badge) => {
    badge.remove();
  });
  return findAnchors(content, rows).map(({ row, marker }) => {
    marker.insertAdjacentElement('afterend', badgeOf(row, open));
    return row.id;
  });
}

/** Shows which finding is open. */
export function markBadges(open: number | 'list' | null): void {
  document.querySelectorAll('.sidelight-badge').forEach((badge) => {
    badge.setAttribute('aria-expanded', String(badge.getAttribute('data-sidelight') === `badge-${open}`));
  });
}

export function findBadge(id: number): HTMLElement | null {
  return document.querySelector<HTMLElement>(`.sidelight-badge[data-sidelight="badge-${id}"]`);
}

function badgeOf({ id, finding }: Row, open: (id: number) => void): HTMLElement {
  const { verdict, suggestion } = finding;
  const suggested = suggestion === null ? '' : 'sidelight-suggested';
  const badge = button(GLYPHS[verdict], '', `badge-${id}`, () => open(id));
  badge.className = `sidelight sidelight-badge sidelight-${verdict} ${suggested}`;
  badge.title = `${verdictText(finding)}${suggestion === null ? '' : ' A better one was found.'}`;
  badge.setAttribute('aria-label', `Sidelight: ${badge.title}`);
  badge.setAttribute('aria-haspopup', 'dialog');
  return badge;
}

export interface Panel {
  /** null closes it. Focus goes into a panel that opens, and stays where it is in one that is open. */
  draw(content: PanelContent | null): void;
  /** Changes sides if it hides the badge. */
  uncover(badge: Element): void;
}

export function createPanel(close: () => void): Panel {
  const frame = createFrame(close);
  const { panel } = frame;
  return {
    draw(content) {
      if (content === null) return panel.remove();
      const focused = panel.contains(document.activeElement) ? document.activeElement : null;
      fill(frame, content);
      if (panel.isConnected) return keepFocus(panel, focused);
      document.body.appendChild(panel);
      panel.focus();
    },
    uncover(badge) {
      panel.classList.remove('sidelight-aside');
      panel.classList.toggle('sidelight-aside', overlaps(panel.getBoundingClientRect(), badge.getBoundingClientRect()));
    },
  };
}

interface Frame {
  panel: HTMLElement;
  heading: HTMLElement;
  body: HTMLElement;
  /** Stays, so that its changes are read out. */
  status: HTMLElement;
  foot: HTMLElement;
}

function createFrame(close: () => void): Frame {
  const heading = text('h2', '');
  heading.id = 'sidelight-heading';
  const closing = button('×', 'sidelight-close', 'close', close);
  closing.setAttribute('aria-label', 'Close');
  const head = element('div', 'sidelight-head', [heading, closing]);
  const body = element('div', 'sidelight-body', []);
  const status = text('p', '', 'sidelight-status');
  status.setAttribute('role', 'status');
  const foot = element('div', 'sidelight-foot', []);
  const panel = element('aside', 'sidelight sidelight-panel', [head, body, status, foot]);
  panel.setAttribute('role', 'dialog');
  panel.setAttribute('aria-labelledby', heading.id);
  panel.tabIndex = -1;
  return { panel, heading, body, status, foot };
}

function fill({ heading, body, status, foot }: Frame, content: PanelContent): void {
  heading.textContent = content.heading;
  replaceChildren(body, content.body);
  if (status.textContent !== content.status) status.textContent = content.status;
  replaceChildren(foot, content.foot);
}

function replaceChildren(parent: Element, children: readonly Node[]): void {
  parent.textContent = '';
  children.forEach((child) => {
    parent.appendChild(child);
  });
}

function overlaps(a: DOMRect, b: DOMRect): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** On what was drawn in place of the focused element, else on the panel. */
function keepFocus(panel: HTMLElement, focused: Element | null): void {
  if (focused === null || panel.contains(focused)) return;
  const key = focused.getAttribute('data-sidelight');
  const same = key === null ? null : panel.querySelector<HTMLElement>(`[data-sidelight="${key}"]`);
  (same ?? panel).focus();
}

/** What a badge shows beside its colour. */
const GLYPHS: Record<Verdict, string> = {
  supported: '✓',
  partially_supported: '~',
  not_supported: '!',
  contradicted: '≠',
  unavailable: '?',
  unsourced: '+',
  uncheckable: '–',
  unsupported_language: '…',
};
