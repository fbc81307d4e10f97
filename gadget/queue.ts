/** The panel on a user's or a project's page: the first findings of its articles, and where all of them are. */
import { element, link, text } from './dom.ts';
import type { Content } from './frame.ts';
import { coverageOf, linkedItemOf, listOf } from './listing.ts';
import { openRows } from './state.ts';
import { countsOf } from './talk.ts';
import type { View } from './view.ts';

export function queueContent(view: View): Content {
  const { state, msg, urls } = view;
  const rows = openRows(state);
  const isKnown = state.service === 'answered';
  return {
    heading: msg('queue-heading', nameOf(view)),
    body: [
      ...coverageOf(view),
      ...countsOf(state.summary?.counts ?? {}, msg),
      ...(rows.length > 0 ? [text('h3', msg('queue-first', rows.length))] : []),
      ...listOf(rows.map((row) => linkedItemOf(view, row))),
      ...(isKnown && rows.length === 0 ? [text('p', msg('queue-empty'))] : []),
    ],
    foot: [element('p', 'sidelight-links', [link(urls.reviewList(), msg('queue-all'))])],
    status: '',
  };
}

function nameOf({ page }: View): string {
  if (page.kind === 'user') return page.user;
  return page.kind === 'project' ? page.project : page.title;
}
