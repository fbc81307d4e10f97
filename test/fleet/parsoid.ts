/**
 * A revision of a fleet's article as Parsoid shows it (https://www.mediawiki.org/wiki/Specs/HTML). In: article, revision, where its
 * sources lie. Out: HTML from which `bot/claims` reads exactly the claims that are meant.
 */
import type { FleetClaim, FleetRevision, SourcePage } from './articles.ts';

export function renderRevision(
  title: string,
  { id, claims }: FleetRevision,
  address: (page: SourcePage) => string,
): string {
  const paragraphs = claims.map(({ text }, at) => `<p>${text}${marker(title, at + 1)}</p>`).join('\n');
  const notes = claims.map((claim, at) => note(claim, at + 1, address(claim.source))).join('');
  const list = `<div class="mw-references-wrap" typeof="mw:Extension/references"><ol class="mw-references references">${notes}</ol></div>`;
  const head = `<head><meta charset="utf-8"><meta property="mw:pageId" content="${id}"><title>${title}</title></head>`;
  return `<!doctype html><html>${head}<body lang="en" class="mw-parser-output"><section data-mw-section-id="0">${paragraphs}\n${list}</section></body></html>`;
}

function marker(title: string, number: number): string {
  const data = JSON.stringify({ name: 'ref', attrs: {}, body: { id: `mw-reference-text-cite_note-${number}` } });
  const link = `<a href="./${title.replaceAll(' ', '_')}#cite_note-${number}"><span class="mw-reflink-text">[${number}]</span></a>`;
  return `<sup about="#mwt${number}" class="mw-ref reference" id="cite_ref-${number}" rel="dc:references" typeof="mw:Extension/ref" data-mw='${data}'>${link}</sup>`;
}

/** A {{cite web}}, with its parameters as Parsoid keeps them. */
function note({ source }: FleetClaim, number: number, url: string): string {
  const params = { url: { wt: url }, title: { wt: source.title } };
  const parts = [{ template: { target: { wt: 'cite web', href: './Template:Cite_web' }, params, i: 0 } }];
  const link = `<a rel="mw:ExtLink nofollow" href="${url}" class="external text">"${source.title}"</a>`;
  const cite = `<cite about="#mwt9${number}" typeof="mw:Transclusion" class="citation web cs1" data-mw='${JSON.stringify({ parts })}'>${link}.</cite>`;
  return `<li about="#cite_note-${number}" id="cite_note-${number}"><span id="mw-reference-text-cite_note-${number}" class="mw-reference-text reference-text">${cite}</span></li>`;
}
