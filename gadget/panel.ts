/** State in, what the panel shows out: which of its pages, and what is said when. */
import { checkStatus, sentenceContent } from './checking.ts';
import { button, element, text } from './dom.ts';
import { editStatus } from './editing-view.ts';
import { evidenceOf, findingFoot } from './evidence.ts';
import type { Content } from './frame.ts';
import { articleContent } from './listing.ts';
import { queueContent } from './queue.ts';
import { isUnmended, type Row, shownRow } from './state.ts';
import { talkContent } from './talk.ts';
import type { View } from './view.ts';

/** null when the panel is closed. */
export function panelContent(view: View): Content | null {
  const { state } = view;
  const { open } = state;
  if (open === null) return null;
  if (!state.agreed) return consentContent(view);
  const row = shownRow(state);
  if (row !== null) return findingContent(view, row);
  if (typeof open === 'object') return sentenceContent(view, open.check) ?? homeContent(view);
  return homeContent(view);
}

/** Nothing was asked yet. */
function consentContent({ state, msg, act, service }: View): Content {
  const says = (['consent-sent', 'consent-once'] as const).map((key) => text('p', msg(key)));
  return {
    heading: msg('consent-heading'),
    body: [text('p', msg('consent-what')), text('p', msg('consent-where', service)), ...says],
    foot: [
      button(msg('consent-agree'), 'sidelight-button sidelight-primary', 'agree', act.agree),
      button(msg('consent-later'), 'sidelight-button', 'later', act.close),
    ],
    status: state.notice === null ? '' : msg(state.notice),
  };
}

function homeContent(view: View): Content {
  const { state, msg, act, page } = view;
  const content =
    page.kind === 'article' ? articleContent(view) : page.kind === 'talk' ? talkContent(view) : queueContent(view);
  const withdraw = button(msg('consent-withdraw'), 'sidelight-link', 'withdraw', act.withdraw);
  return {
    ...content,
    foot: [...content.foot, element('p', 'sidelight-links', [withdraw])],
    status: state.notice === null ? content.status : msg(state.notice),
  };
}

function findingContent(view: View, row: Row): Content {
  const { msg, state } = view;
  const isUncited = row.finding.citations.length === 0;
  const status = isUnmended(row) ? editStatus(view, row) : msg('finding-closed');
  return {
    heading: msg(isUncited ? 'finding-unsourced' : 'finding-heading'),
    body: evidenceOf(view, row),
    foot: findingFoot(view, row),
    status:
      status ||
      checkStatus(view, { kind: 'claims', finding: row.id }) ||
      (state.notice === null ? '' : msg(state.notice)),
  };
}
