/** Where people give the text of a source that can't be fetched. In: a finding, what was given. Out: a form, a page that says so. */
import { html } from 'ghtml';
import type { CheckedCitation, ReadableSource } from '../../../shared/citation.ts';
import type { Assets } from '../assets.ts';
import type { Filter } from '../filter.ts';
import type { Row } from '../queue.ts';
import type { Viewer } from '../session/people.ts';
import { addressOf } from './address.ts';
import { layout } from './layout.ts';
import { time } from './parts.ts';

/** Under an open finding of which a source was not read, or was read from such a text; '' for any other. */
export function giveForm({ id, state, finding }: Row, viewer: Viewer): string {
  const lacking = finding.citations.filter(({ reason, given }) => reason !== null || given);
  if (state !== 'open' || lacking.length === 0 || !viewer.actor?.roles.includes('patroller')) return '';
  return html`
<details class="panel give"><summary>Do you have the text of ${lacking.length === 1 ? 'this source' : 'one of these sources'}?</summary>
<form method="post" action="${givenAddress(id)}" enctype="multipart/form-data" data-once><input type="hidden" name="_csrf" value="${viewer.csrf}">
<p>!${choice(lacking)}</p>
<p><label for="give-text">Paste its text</label><br>
<textarea id="give-text" name="text" rows="6" cols="80" dir="auto"></textarea></p>
<p><label for="give-file">or choose a file: PDF up to 15 MB, text or HTML up to 2 MB</label><br>
<input id="give-file" type="file" name="file" accept=".pdf,.txt,.html,.htm"></p>
<p class="quiet">It is kept private on this machine: only the quote that decides is shown. It joins no corpus and no export.</p>
<button class="button" type="submit">Check the claim against it</button>
</form></details>`;
}

export function givenAddress(id: number): string {
  return `/findings/${id}/given`;
}

export interface GivenView {
  assets: Assets;
  viewer: Viewer;
  row: Row;
  filter: Filter;
  /** What was given, of the finding's citations. */
  given: readonly { citation: CheckedCitation; source: ReadableSource }[];
}

/** Says what is kept, never the text. */
export function givenPage({ assets, viewer, row, filter, given }: GivenView): string {
  const title = given.length === 0 ? 'Nothing was given' : 'Thank you';
  const body = html`
<div class="empty">
<h1>${title}</h1>
!${given.length === 0 ? '' : html`<p>The claim is being checked against it now. In a moment the finding says what came of it.</p>`}
<ul>!${given.map(({ citation, source }) => html`<li><bdi>${nameOf(citation)}</bdi>: ${words(source.text)} words, given !${time(source.fetchedAt)}</li>`)}</ul>
<p><a class="button" href="${addressOf(row.id, filter)}">Back to the finding</a></p>
</div>`;
  return layout({ assets, viewer, title, body });
}

function choice(citations: readonly CheckedCitation[]): string {
  const [only] = citations;
  if (citations.length === 1 && only !== undefined) {
    return html`<strong dir="auto">${nameOf(only)}</strong><input type="hidden" name="citation" value="${only.hash}">`;
  }
  const options = citations.map((each) => html`<option value="${each.hash}">${nameOf(each)}</option>`);
  return html`<label for="give-citation">Source</label> <select id="give-citation" name="citation">!${options}</select>`;
}

function nameOf({ title, text, url }: CheckedCitation): string {
  return title || text.slice(0, 120) || (url ?? 'the source');
}

function words(text: string): number {
  return text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}
