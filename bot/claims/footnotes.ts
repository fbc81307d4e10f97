/**
 * Short footnotes: {{sfn|Marsh|1971|p=14}} → the id of the work that it names, `CITEREFMarsh1971`, and the pages. Works carry such
 * an id on the page; where their template is missing or gives none, it is made of the same parameters
 * (https://en.wikipedia.org/wiki/Template:Harvard_citation_documentation).
 */
import { plainWikitext, type Transclusion } from './transclusion.ts';

/** A work that a footnote names. */
export interface WorkLink {
  /** `CITEREF…`, of an element. */
  id: string;
  pages: string | null;
}

/** The works that a footnote's template names, in order; several for {{sfnm}}. */
export function worksOf(footnote: Transclusion): WorkLink[] {
  return named(footnote).flatMap(({ authors, year, pages }) => {
    const id = idOf([...authors, year]);
    return id === null ? [] : [{ id, pages }];
  });
}

/** The footnote as {{sfn}} would show it. */
export function footnoteText(footnote: Transclusion): string {
  return named(footnote)
    .map(({ authors, year, pages }) => {
      const work = `${authors.join(' & ')} ${year}`.trim();
      return pages === null ? work : `${work}, p. ${pages}`;
    })
    .join('; ');
}

interface Named {
  authors: string[];
  year: string;
  pages: string | null;
}

function named(footnote: Transclusion): Named[] {
  if (!footnote.params.has('1a1')) {
    const values = positional(footnote);
    return [{ authors: values.slice(0, -1), year: values.at(-1) ?? '', pages: pagesOf(footnote) }];
  }
  const works: Named[] = [];
  for (let at = 1; at <= MOST_WORKS && footnote.params.has(`${at}a1`); at++) {
    const authors = [1, 2, 3, 4].map((author) => plainValue(footnote, `${at}a${author}`)).filter(Boolean);
    works.push({ authors, year: plainValue(footnote, `${at}y`), pages: pagesOf(footnote, at) });
  }
  return works;
}

/** The id that a citation template gives to its work; null if it names nobody. */
export function workIdOf(template: Transclusion): string | null {
  const ref = template.params.get('ref') ?? '';
  const given = /^\{\{\s*(?:sfnref|harvid)\s*\|([^{}]*)\}\}$/i.exec(ref)?.[1];
  if (given !== undefined) return idOf(given.split('|').map(plainWikitext));
  if (/^CITEREF\S+$/.test(ref)) return ref;
  const authors = AUTHORS.map((names) => firstOf(template, names)).filter(Boolean);
  const year = /\d{3,4}[a-z]?/.exec(firstOf(template, ['year', 'date']))?.[0] ?? '';
  return authors.length === 0 ? null : idOf([...authors, year]);
}

/** Pages that a template names; `work`: the number of the work in {{sfnm}}. Null for none. */
export function pagesOf({ params }: Transclusion, work: number | '' = ''): string | null {
  for (const name of PAGES) {
    const pages = cleanPages(params.get(`${work}${name}`) ?? '');
    if (pages !== null) return pages;
  }
  return null;
}

/** "pp. 12–14" → "12–14". */
export function cleanPages(wikitext: string): string | null {
  const pages = plainWikitext(wikitext)
    .replace(/^(?:pp?|pgs?|S|s|pág|págs|str|с|стр)\.\s*/u, '')
    .slice(0, MOST_PAGES)
    .trim();
  return pages === '' ? null : pages;
}

/** Pages that a reference names in words: "Marsh 1971, p. 14." */
export function pagesIn(text: string): string | null {
  const found = /(?:^|[\s,;:(])(?:pp?|pgs?|págs?|S|str|стр|с)\.\s*((?:\d+|[ivxlc]+)(?:\s*[-–,]\s*\d+)*)/u.exec(
    text.slice(-500),
  );
  return found?.[1] ?? null;
}

function positional({ params }: Transclusion): string[] {
  const values: string[] = [];
  for (let at = 1; at <= 5 && params.has(String(at)); at++) values.push(plainWikitext(params.get(String(at)) ?? ''));
  return values.filter(Boolean);
}

function idOf(names: readonly string[]): string | null {
  const id = names.join('').replace(/\s+/g, '_');
  return id === '' ? null : `CITEREF${id}`;
}

function firstOf(template: Transclusion, names: readonly string[]): string {
  return names.map((name) => plainValue(template, name)).find(Boolean) ?? '';
}

function plainValue({ params }: Transclusion, name: string): string {
  return plainWikitext(params.get(name) ?? '');
}

const AUTHORS = [
  [
    'last',
    'last1',
    'author',
    'author1',
    'surname',
    'surname1',
    'author-last',
    'author1-last',
    'editor-last',
    'editor1-last',
  ],
  ['last2', 'author2', 'surname2', 'author2-last', 'author-last2'],
  ['last3', 'author3', 'surname3', 'author3-last', 'author-last3'],
  ['last4', 'author4', 'surname4', 'author4-last', 'author-last4'],
];
const PAGES = ['p', 'pp', 'page', 'pages', 'loc', 'at', 's', 'S'];
const MOST_WORKS = 20;
/** Characters, as of the citation's schema. */
const MOST_PAGES = 200;
