/** The part of a page that is Sidelight's, between two comments. In: the page, the new part. Out: the text of the page with it. */
import { type Refusal, refuse } from '../write/outcome.ts';
import type { PageText } from '../write/page-text.ts';

export const BEGIN = '<!-- Sidelight report begin -->';
export const END = '<!-- Sidelight report end -->';

/** What stands outside of the markers is kept as it is; where there are none yet, the part goes to the end of the page. */
export function replaceBlock({ title, text, comments }: PageText, content: string): string | Refusal {
  const block = `${BEGIN}\n${content}\n${END}`;
  const [begins, ends] = [BEGIN, END].map((marker) => text.split(marker).length - 1);
  if (begins === 0 && ends === 0) return `${text.trimEnd()}\n\n${block}`;
  const from = text.indexOf(BEGIN);
  const to = text.indexOf(END);
  // in <nowiki> a marker is no comment: whoever explains the report on the page has not placed it there
  const markers = comments.map((comment) => comment.trim()).filter((comment) => [BEGIN, END].includes(comment));
  if (begins !== 1 || ends !== 1 || from > to || markers.join() !== [BEGIN, END].join()) {
    return refuse('markers_broken', `${title}: “${BEGIN}” and “${END}” must each stand on it once, in this order`);
  }
  return `${text.slice(0, from)}${block}${text.slice(to + END.length)}`;
}
