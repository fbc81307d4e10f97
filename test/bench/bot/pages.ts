/**
 * Pages in the shape of Parsoid's HTML (https://www.mediawiki.org/wiki/Specs/HTML): made-up prose with references, citation
 * templates, an infobox and a table; or files of a folder. In: how many bytes. Out: HTML.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RefuseToStart } from '../../../shared/errors.ts';
import { createProse, type Prose } from '../retrieval/prose.ts';

export interface BenchPage {
  title: string;
  html: string;
}

/** `count` pages of about so many bytes each. */
export function makePages(count: number, bytes: number): BenchPage[] {
  const prose = createProse(7);
  return Array.from({ length: count }, (_, index) => {
    const title = `Place ${index}`;
    return { title, html: makePage(prose, title, bytes) };
  });
}

/** One more reference: as an editor would leave a page. */
export function edited({ html }: BenchPage, revision: number): string {
  const at = html.indexOf('<h2');
  const paragraph = `<p>The mill of ${revision} was built of stone.${marker(0)}</p>`;
  return html.slice(0, at) + paragraph + html.slice(at);
}

/** All *.html of a folder. Throws RefuseToStart where there is none. */
export async function readPages(folder: string): Promise<BenchPage[]> {
  const files = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith('.html'));
  if (files.length === 0) throw new RefuseToStart(`${folder}: no *.html in it.`);
  const read = async (file: string) => ({ title: file.slice(0, -5), html: await readFile(join(folder, file), 'utf8') });
  return Promise.all(files.map(read));
}

function makePage(prose: Prose, title: string, bytes: number): string {
  let references = 0;
  let body = infobox(prose);
  // a reference's definition is some two thirds of what it adds
  for (let section = 1; body.length + references * REFERENCE_BYTES < bytes; section++) {
    body += `<section data-mw-section-id="${section}"><h2 id="s${section}">${prose.words(2)}</h2>`;
    for (let paragraph = 0; paragraph < 4; paragraph++) {
      const sentences = Array.from({ length: 5 }, (_, at) => {
        return `${linked(prose)}${at % 2 === 0 ? marker(references++) : ''}`;
      });
      body += `<p id="p${section}-${paragraph}">${sentences.join(' ')}</p>\n`;
    }
    body += `${section % 4 === 0 ? table(prose) : ''}</section>`;
  }
  const definitions = Array.from({ length: references }, (_, number) => definition(prose, number)).join('');
  const list = `<div class="mw-references-wrap" typeof="mw:Extension/references"><ol class="mw-references references">${definitions}</ol></div>`;
  const head = `<!DOCTYPE html>\n<html><head><meta charset="utf-8"/><title>${title}</title></head>`;
  return `${head}<body lang="en" class="parsoid-body mw-parser-output" dir="ltr">${body}${list}</body></html>`;
}

function linked(prose: Prose): string {
  const name = prose.words(2);
  const link = `<a rel="mw:WikiLink" href="./${name.replaceAll(' ', '_')}" title="${name}">${name}</a>`;
  return `${prose.sentence(9).slice(0, -1)} ${link} ${prose.words(8)}.`;
}

function marker(number: number): string {
  const data = `{"name":"ref","attrs":{},"body":{"id":"mw-reference-text-cite_note-${number}"}}`;
  const link = `<a href="./Page#cite_note-${number}"><span class="mw-reflink-text">[${number}]</span></a>`;
  return `<sup about="#mwt${number}" class="mw-ref reference" id="cite_ref-${number}" rel="dc:references" typeof="mw:Extension/ref" data-mw='${data}'>${link}</sup>`;
}

function definition(prose: Prose, number: number): string {
  const url = `https://archive.example/page/${number}`;
  const title = prose.words(6);
  const params = {
    url: { wt: url },
    title: { wt: title },
    publisher: { wt: prose.words(2) },
    date: { wt: '2 May 1998' },
  };
  const data = { parts: [{ template: { target: { wt: 'cite web', href: './Template:Cite_web' }, params, i: 0 } }] };
  const shown = `"<a rel="mw:ExtLink nofollow" href="${url}" class="external text">${title}</a>". <i>${prose.words(2)}</i>. 2 May 1998.`;
  const template = `<cite about="#mwt${number}x" class="citation web cs1" typeof="mw:Transclusion" data-mw='${JSON.stringify(data)}'>${shown}</cite>`;
  const back = `<span class="mw-cite-backlink"><a href="./Page#cite_ref-${number}" rel="mw:referencedBy"><span class="mw-linkback-text">↑ </span></a></span>`;
  const text = `<span id="mw-reference-text-cite_note-${number}" class="mw-reference-text">${template}</span>`;
  return `<li about="#cite_note-${number}" id="cite_note-${number}">${back} ${text}</li>`;
}

function infobox(prose: Prose): string {
  const row = () => `<tr><th scope="row">${prose.words(1)}</th><td>${prose.words(3)}</td></tr>`;
  return `<table class="infobox vcard" about="#mwt0"><tbody>${Array.from({ length: 12 }, row).join('')}</tbody></table>`;
}

function table(prose: Prose): string {
  const row = () => `<tr><td>${prose.words(2)}</td><td>${prose.words(1)}</td><td>${prose.words(4)}</td></tr>`;
  const head = `<tr><th>${prose.words(1)}</th><th>${prose.words(1)}</th><th>${prose.words(2)}</th></tr>`;
  return `<table class="wikitable"><tbody>${head}${Array.from({ length: 10 }, row).join('')}</tbody></table>`;
}

const REFERENCE_BYTES = 900;
