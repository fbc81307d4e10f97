/** Parsoid's markup for short texts in tests: `[1]` is a reference to source 1, `{{cn}}` a cleanup tag. */

export function page(html: string, sources = 9): string {
  const body = html.startsWith('<') ? html : `<p>${html}</p>`;
  const marked = body
    .replace(/\[(\d+)\]/g, (_, number) => marker(number))
    .replace(/\{\{([a-z ]+)\}\}/g, (_, name) => tag(name));
  const list = Array.from({ length: sources }, (_, index) => definition(index + 1)).join('');
  return `<html><head><title>Orrin Bay</title></head><body lang="en">${marked}<ol class="references">${list}</ol></body></html>`;
}

function marker(number: string): string {
  const data = JSON.stringify({ name: 'ref', attrs: {}, body: { id: `mw-reference-text-${number}` } });
  const link = `<a href="./Orrin_Bay#cite_note-${number}"><span class="mw-reflink-text">[${number}]</span></a>`;
  return `<sup class="mw-ref reference" id="cite_ref-${number}" typeof="mw:Extension/ref" data-mw='${data}'>${link}</sup>`;
}

function tag(name: string): string {
  const data = JSON.stringify({ parts: [{ template: { target: { wt: name }, params: {} } }] });
  return `<sup class="noprint Inline-Template" typeof="mw:Transclusion" data-mw='${data}'>[<i>${name}</i>]</sup>`;
}

function definition(number: number): string {
  const link = `<a rel="mw:ExtLink nofollow" href="https://orrin.example/${number}" class="external text">Source ${number}</a>`;
  return `<li id="cite_note-${number}"><span id="mw-reference-text-${number}" class="mw-reference-text">${link}</span></li>`;
}
