/**
 * HTML → the same HTML, with no element nested deeper than `MAX_DEPTH`: tags below that are left out, their text stays. One pass, since the
 * parser's time grows with the square of the depth (its stack is an array that grows at its front). Browsers cut at 512.
 */

export function cutDepth(html: string): string {
  const open: string[] = [];
  const skipped = new Map<string, number>();
  let kept = '';
  let from = 0;
  let at = 0;
  for (let tag = nextTag(html, at); tag !== null; tag = nextTag(html, at)) {
    at = RAW.has(tag.name) && !tag.isEnd ? endOfRaw(html, tag) : tag.end;
    if (keeps(tag, open, skipped)) continue;
    kept += html.slice(from, tag.start) + (tag.start > from ? ' ' : '');
    from = at;
  }
  return kept + html.slice(from);
}

interface Tag {
  name: string;
  isEnd: boolean;
  start: number;
  end: number;
}

/** Follows a tag on the stack of open elements. False: it is to be left out. */
function keeps({ name, isEnd }: Tag, open: string[], skipped: Map<string, number>): boolean {
  if (VOID.has(name)) return true;
  if (isEnd) return closes(name, open, skipped);
  const ended = ENDS.get(name);
  while (ended?.has(open.at(-1) ?? '') === true) open.pop();
  if (open.length < MAX_DEPTH) {
    if (!RAW.has(name)) open.push(name);
    return true;
  }
  if (!RAW.has(name)) skipped.set(name, (skipped.get(name) ?? 0) + 1);
  return false;
}

function closes(name: string, open: string[], skipped: Map<string, number>): boolean {
  const deeper = skipped.get(name) ?? 0;
  if (deeper > 0) {
    skipped.set(name, deeper - 1);
    return false;
  }
  const opened = open.lastIndexOf(name);
  if (opened >= 0) open.length = opened;
  return true;
}

function nextTag(html: string, from: number): Tag | null {
  TAG.lastIndex = from;
  const found = TAG.exec(html);
  if (found === null) return null;
  const [whole, slash, name = ''] = found;
  return { name: name.toLowerCase(), isEnd: slash === '/', start: found.index, end: found.index + whole.length };
}

/** Behind the end tag of an element whose content is no markup. */
function endOfRaw(html: string, { name, end }: Tag): number {
  const close = new RegExp(`</${name}[^>]{0,100}>`, 'gi');
  close.lastIndex = end;
  return close.test(html) ? close.lastIndex : html.length;
}

const MAX_DEPTH = 200;
/** Bounded, so that an open quote does not make it look at the rest of the page again and again. */
const TAG = /<(\/?)([a-z][^\s/>]{0,60})(?:"[^"]{0,2000}"|'[^']{0,2000}'|[^'"<>]){0,200}>/gi;
const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
const RAW = new Set('script style textarea title noscript iframe xmp'.split(' '));
/** What a start tag ends, as the parser has it: old pages close no cell, row or paragraph. */
const ENDS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...listed('li', 'li'),
  ...listed('dt dd', 'dt dd'),
  ...listed('option optgroup', 'option'),
  ...listed('tr tbody tfoot', 'tr th td thead tbody'),
  ...listed('td th', 'td th thead'),
  ...listed(
    'p h1 h2 h3 h4 h5 h6 address article aside blockquote details div dl fieldset figcaption figure footer form header hr main nav ol pre section table ul',
    'p',
  ),
]);

function listed(names: string, ended: string): [string, ReadonlySet<string>][] {
  return names.split(' ').map((name) => [name, new Set(ended.split(' '))]);
}
