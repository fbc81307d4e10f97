/** The suggested source beside the cited one. In: the page, the marker. Out: what is put in, or why not. */
import type { Changed, Page } from './change.ts';
import { type EditFailure, refuse } from './editing.ts';
import { besides, contentOf, holdsUrl } from './place.ts';
import { endWithPages, isCitation, type Marker } from './references.ts';
import { newCitation, type Work } from './work.ts';

/** Behind the cited one, its pages and its tag. */
export function addCitation(page: Page, marker: Marker, work: Work): Changed | EditFailure {
  const { wikitext, references, style } = page;
  const { templates } = style.config;
  const beside = besides(wikitext, marker, references, templates);
  const defined = references.uses.concat(references.listed);
  if (beside.some((one) => holdsUrl(contentOf(one, defined), work.url))) return refuse('already_cited');
  const next = beside[beside.indexOf(marker) + 1];
  const last = next === undefined || isCitation(next) ? marker : next;
  const at = endWithPages(wikitext, last.end, templates);
  const reference = newCitation(work, style, contentOf(marker, defined));
  return { kind: 'changed', spans: [{ start: at, end: at, text: `<ref>${reference}</ref>` }], reference };
}
