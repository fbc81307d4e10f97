/** Taking one's own last decision on a finding back. Out: a form that is a button. */
import { html } from 'ghtml';
import type { Filter } from '../filter.ts';
import type { Viewer } from '../session/people.ts';
import { withQuery } from './address.ts';

export function undoForm(id: number, filter: Filter, { csrf }: Viewer): string {
  return html`<form class="undo" method="post" action="${withQuery(`/findings/${id}/undo`, filter)}" data-once><input type="hidden" name="_csrf" value="${csrf}"><button class="button" type="submit" data-key="u">Undo <kbd aria-hidden="true">u</kbd></button></form>`;
}
