/** The panel's frame: heading, what scrolls, what is read out, foot. Draws what it is told and keeps focus and place; decides nothing. */
import { button, element, text } from './dom.ts';
import type { Messages } from './messages.ts';

export interface Content {
  heading: string;
  body: readonly Node[];
  foot: readonly Node[];
  /** Read out when it changes. */
  status: string;
}

export interface Frame {
  /** null closes it. Focus goes into a panel that opens, and stays where it is in one that is open. */
  draw(content: Content | null): void;
  /** Changes sides if it hides the badge. */
  uncover(badge: Element): void;
  /** To the heading, as another page of the panel is shown. */
  toTop(): void;
}

export function createFrame(msg: Messages, close: () => void): Frame {
  let made: Parts | null = null; // most readers never open it
  const parts = () => {
    made = made ?? createParts(msg, close);
    return made;
  };
  return {
    draw(content) {
      if (content === null) return made?.panel.remove();
      const { panel } = parts();
      const focused = panel.contains(document.activeElement) ? document.activeElement : null;
      fill(parts(), content);
      if (panel.isConnected) return keepFocus(panel, focused);
      document.body.appendChild(panel);
      panel.focus();
    },
    uncover(badge) {
      const { panel } = parts();
      panel.classList.remove('sidelight-aside');
      panel.classList.toggle('sidelight-aside', overlaps(panel.getBoundingClientRect(), badge.getBoundingClientRect()));
    },
    toTop() {
      parts().body.scrollTop = 0;
    },
  };
}

interface Parts {
  panel: HTMLElement;
  heading: HTMLElement;
  body: HTMLElement;
  /** Stays, so that its changes are read out. */
  status: HTMLElement;
  foot: HTMLElement;
}

function createParts(msg: Messages, close: () => void): Parts {
  const heading = text('h2', '');
  heading.id = 'sidelight-heading';
  const closing = button('×', 'sidelight-close', 'close', close);
  closing.setAttribute('aria-label', msg('close'));
  const head = element('div', 'sidelight-head', [heading, closing]);
  const body = element('div', 'sidelight-body', []);
  body.tabIndex = 0; // scrolled with the keyboard, too
  body.setAttribute('role', 'group');
  body.setAttribute('aria-labelledby', heading.id);
  const status = text('p', '', 'sidelight-status');
  status.setAttribute('role', 'status');
  const foot = element('div', 'sidelight-foot', []);
  const panel = element('aside', 'sidelight sidelight-panel', [head, body, status, foot]);
  panel.setAttribute('role', 'dialog');
  panel.setAttribute('aria-labelledby', heading.id);
  panel.lang = msg.language;
  panel.dir = RIGHT_TO_LEFT.test(msg.language) ? 'rtl' : 'ltr';
  panel.tabIndex = -1;
  return { panel, heading, body, status, foot };
}

function fill({ heading, body, status, foot }: Parts, content: Content): void {
  if (heading.textContent !== content.heading) heading.textContent = content.heading;
  replaceChanged(body, content.body);
  if (status.textContent !== content.status) status.textContent = content.status;
  replaceChanged(foot, content.foot);
}

/** What is as it was stays: a text that is being typed, a selection, a list that was folded out. */
function replaceChanged(parent: Element, children: readonly Node[]): void {
  const old = Array.from(parent.childNodes);
  children.forEach((child, i) => {
    const before = old[i];
    if (before === undefined) parent.appendChild(child);
    else replaceIfChanged(parent, before, child);
  });
  old.slice(children.length).forEach((left) => {
    parent.removeChild(left);
  });
}

function replaceIfChanged(parent: Element, before: Node, after: Node): void {
  keepUnfolded(before, after);
  if (!before.isEqualNode(after)) parent.replaceChild(after, before);
}

function keepUnfolded(before: Node, after: Node): void {
  if (!(before instanceof Element) || !(after instanceof Element)) return;
  const found = (root: Element) => Array.from(root.querySelectorAll<HTMLDetailsElement>('details[data-sidelight]'));
  const old = found(before);
  found(after).forEach((details) => {
    const same = old.filter((one) => one.getAttribute('data-sidelight') === details.getAttribute('data-sidelight'))[0];
    if (same !== undefined) details.open = same.open;
  });
}

function overlaps(a: DOMRect, b: DOMRect): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** On what was drawn in place of the focused element, else on the panel. */
function keepFocus(panel: HTMLElement, focused: Element | null): void {
  if (focused === null || panel.contains(focused)) return;
  const key = focused.getAttribute('data-sidelight');
  const all = Array.from(panel.querySelectorAll<HTMLElement>('[data-sidelight]'));
  const same = key === null ? undefined : all.filter((one) => one.getAttribute('data-sidelight') === key)[0];
  (same ?? panel).focus();
}

const RIGHT_TO_LEFT = /^(ar|he)\b/;
