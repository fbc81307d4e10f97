/** A text with marks → HTML in which nothing of the text is markup. Two layers: words, and the details within and between them. */
import { html } from 'ghtml';
import type { Span } from '../../../shared/citation.ts';
import type { Mark, MarkKind } from '../marks.ts';

/** Over details: a quote, or words that nothing supports. */
export interface Layer extends Span {
  className: 'quote' | 'missing';
}

/** `layers` and `marks` each in their order; what reaches beyond the text is left out. */
export function markedText(text: string, layers: readonly Layer[], marks: readonly Mark[]): string {
  let at = 0;
  const parts: string[] = [];
  for (const layer of layers) {
    const start = Math.max(at, layer.start);
    const end = Math.min(text.length, layer.end);
    if (start >= end) continue;
    parts.push(details(text, { start: at, end: start }, marks));
    parts.push(
      html`<mark class="${layer.className}" !${TITLES[layer.className]}>!${details(text, { start, end }, marks)}</mark>`,
    );
    at = end;
  }
  parts.push(details(text, { start: at, end: text.length }, marks));
  return parts.join('');
}

const TITLES: Record<Layer['className'], string> = {
  quote: '',
  missing: 'title="Nothing that was read supports this"',
};

/** In words, for those who see no line under them. */
const SAID: Record<MarkKind, string> = { same: 'same', differs: 'differs', absent: 'not there' };

/** A detail that is cut by the end of a layer carries its number once, at its end. */
function details(text: string, { start, end }: Span, marks: readonly Mark[]): string {
  let at = start;
  const parts: string[] = [];
  for (const mark of marks) {
    const from = Math.max(at, mark.start);
    const to = Math.min(end, mark.end);
    if (from >= to) continue;
    const pair = to === mark.end ? html`data-pair="${mark.pair}" data-said=" [${SAID[mark.kind]} ${mark.pair}: "` : '';
    parts.push(
      html`${text.slice(at, from)}<span class="detail-mark detail-${mark.kind}" !${pair}>${text.slice(from, to)}</span>`,
    );
    at = to;
  }
  return html`!${parts}${text.slice(at, end)}`;
}
