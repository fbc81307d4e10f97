/** What the link among the wiki's tools says. In: state, messages, what is being read. Out: text. */
import type { State } from './state.ts';
import type { View } from './view.ts';
import { checkedText } from './wording.ts';

export function toolText({ state, msg, page }: Pick<View, 'state' | 'msg' | 'page'>): string {
  if (page.kind === 'talk') return msg('tool-talk');
  if (page.kind !== 'article') return msg('tool-queue');
  if (!state.agreed) return msg('tool');
  return articleText(state, msg);
}

function articleText(state: State, msg: View['msg']): string {
  if (state.service === 'unreachable') return msg('tool-unreachable');
  if (state.service !== 'answered') return msg('tool-asking');
  return state.coverage === null ? msg('tool-unchecked') : msg('tool-checked', checkedText(state, msg));
}
