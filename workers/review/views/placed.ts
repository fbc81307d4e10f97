/** Below a passage: each detail of the claim, and how it stands there. It is the legend of the marks, too. Out: HTML, '' without details. */
import { html } from 'ghtml';
import type { Placed } from '../marks.ts';

/** `passage`: the text that the places are in. */
export function placedList(placed: readonly Placed[] | null, passage: string): string {
  if (placed === null || placed.length === 0) return '';
  return html`
<ul class="placed" aria-label="Details of the claim, in this passage">!${placed.map((one) => entry(one, passage))}</ul>`;
}

function entry(one: Placed, passage: string): string {
  return html`<li><span class="pair">${one.pair}</span> <bdi class="detail-mark detail-${one.kind}">${one.text}</bdi> <span class="quiet">!${how(one, passage)}</span></li>`;
}

function how({ kind, places }: Placed, passage: string): string {
  const [first] = places;
  if (kind === 'absent') return 'not in this passage';
  if (kind === 'same') return first === undefined ? 'in the page’s title' : 'stands here';
  if (first === undefined) return 'differs elsewhere on the page';
  return html`differs: <bdi>“${passage.slice(first.start, first.end)}”</bdi>`;
}
