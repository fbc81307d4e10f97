/** Badges behind the claims of an article. Draws what it is told; decides nothing. */
import type { Verdict } from '../shared/citation.ts';
import { createFindAnchor, type FindAnchor } from './anchor.ts';
import { button } from './dom.ts';
import type { Messages } from './messages.ts';
import { inSlices } from './slices.ts';
import type { Row, State } from './state.ts';
import { foundTexts, verdictText } from './wording.ts';

export interface Placing {
  content: Element;
  rows: readonly Row[];
  msg: Messages;
  open(id: number): void;
  /** `ids`: of the findings whose claim was found. */
  placed(ids: number[]): void;
}

/**
 * Puts a badge behind each claim that is found, instead of those that stood there: looks while the browser is idle, and puts them
 * all at once, so that the text moves once. Returns what stops it; null: there is nothing to look for.
 */
export function placeBadges({ content, rows, msg, open, placed }: Placing): (() => void) | null {
  const found: { row: Row; marker: Element }[] = [];
  const put = () => {
    content.querySelectorAll('.sidelight-badge').forEach((badge) => {
      badge.remove();
    });
    found.forEach(({ row, marker }) => {
      marker.insertAdjacentElement('afterend', badgeOf(row, msg, open));
    });
    placed(found.map(({ row }) => row.id));
  };
  let find: FindAnchor | null = null;
  return inSlices(
    rows,
    (row) => {
      find = find ?? createFindAnchor(content);
      const marker = find(row.finding);
      if (marker !== null) found.push({ row, marker });
    },
    put,
  );
}

/** Shows which finding is open, and which was mended just now: it closes when the service has seen it. */
export function markBadges({ open, edit }: Pick<State, 'open' | 'edit'>): void {
  const mended = edit.step === 'saved' ? edit.id : null;
  document.querySelectorAll('.sidelight-badge').forEach((badge) => {
    const key = badge.getAttribute('data-sidelight');
    const isOpen = String(key === `badge-${open}`);
    if (badge.getAttribute('aria-expanded') !== isOpen) badge.setAttribute('aria-expanded', isOpen);
    badge.classList.toggle('sidelight-mended', key === `badge-${mended}`);
  });
}

export function findBadge(id: number): HTMLElement | null {
  return document.querySelector<HTMLElement>(`.sidelight-badge[data-sidelight="badge-${id}"]`);
}

function badgeOf({ id, finding }: Row, msg: Messages, open: (id: number) => void): HTMLElement {
  const { verdict, suggestion } = finding;
  const suggested = suggestion === null ? '' : 'sidelight-suggested';
  const badge = button(GLYPHS[verdict], '', `badge-${id}`, () => open(id));
  badge.className = `sidelight sidelight-badge sidelight-${verdict} ${suggested}`;
  badge.title = [verdictText(finding, msg), ...foundTexts(finding, msg)].join(' ');
  badge.setAttribute('aria-label', `Sidelight: ${badge.title}`);
  badge.setAttribute('aria-haspopup', 'dialog');
  return badge;
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
