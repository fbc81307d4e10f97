/** Findings as a list: of an article, with what can be checked there. */
import { checkOf, checkStatus, sentencesOf } from './checking.ts';
import { button, element, link, text } from './dom.ts';
import { verdictOf } from './evidence.ts';
import type { Content } from './frame.ts';
import { openRows, type Row } from './state.ts';
import type { View } from './view.ts';
import { coverageText, noteText } from './wording.ts';

export function articleContent(view: View): Content {
  const { state, msg } = view;
  return {
    heading: msg('list-heading'),
    body: [...coverageOf(view), ...listOf(openRows(state).map((row) => itemOf(view, row))), ...sentencesOf(view)],
    foot: checkOf(view, { kind: 'page' }, msg(state.coverage === null ? 'check-page' : 'check-again')),
    status: checkStatus(view, { kind: 'page' }),
  };
}

/** Always said. */
export function coverageOf(view: View): Node[] {
  const { state, msg, act } = view;
  const said = text('p', coverageText(state, msg));
  if (state.service !== 'unreachable') return [said];
  return [said, element('p', '', [button(msg('try-again'), 'sidelight-button', 'ask', act.ask)])];
}

export function listOf(items: readonly Node[]): Node[] {
  return items.length === 0 ? [] : [element('ul', 'sidelight-list', items)];
}

function itemOf(view: View, { id, finding }: Row): HTMLElement {
  const { state, msg, act } = view;
  const claim = button(finding.claim.text, 'sidelight-claim-link', `claim-${id}`, () => act.open(id));
  claim.dir = 'auto';
  const note = noteText(finding, state.placed === null || state.placed.indexOf(id) >= 0, msg);
  return element('li', '', [claim, verdictOf(finding, view), ...(note === '' ? [] : [text('small', note)])]);
}

/** Of another page: its claim leads to it, in its article. */
export function linkedItemOf(view: View, { id, finding }: Row): HTMLElement {
  const { urls, page } = view;
  const { title } = finding.page;
  const claim = link(urls.article(title, id), finding.claim.text);
  claim.className = 'sidelight-claim-link';
  const article = page.kind === 'talk' ? [] : [text('small', title)];
  return element('li', '', [claim, verdictOf(finding, view), ...article]);
}
