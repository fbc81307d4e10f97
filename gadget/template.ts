/**
 * One template of a page's wikitext, with the places of its parts, so that some can be changed and all else stays. In: wikitext.
 * Out: offsets, or new wikitext in the same layout. Knows nothing of what parameters mean.
 */

export interface Template {
  /** As it is written: `cite web`. */
  name: string;
  start: number;
  end: number;
  /** Where the name and the blanks behind it end. */
  headEnd: number;
  parameters: readonly Parameter[];
}

export interface Parameter {
  /** '1', '2'… where it has none. */
  name: string;
  isNamed: boolean;
  value: string;
  /** All of it, from its `|` to the next one, or to the end of the template. */
  start: number;
  end: number;
  /** Without the blanks around it. */
  valueStart: number;
  valueEnd: number;
}

/** Templates that no other template encloses, within the span. Offsets are those of the text, whose comments are blanked. */
export function templatesIn(text: string, start = 0, end = text.length): Template[] {
  const found: Template[] = [];
  for (let at = text.indexOf('{{', start); at >= 0 && at < end; ) {
    const close = closingOf(text, at);
    if (close > end) return found;
    found.push(read(text, at, close));
    at = text.indexOf('{{', close);
  }
  return found;
}

/** Where the template that begins at `start` ends; behind the text, if it does not. */
export function closingOf(text: string, start: number): number {
  let depth = 0;
  const braces = /\{\{|\}\}/g;
  braces.lastIndex = start;
  for (let brace = braces.exec(text); brace !== null; brace = braces.exec(text)) {
    depth += brace[0] === '{{' ? 1 : -1;
    if (depth === 0) return brace.index + 2;
  }
  return text.length + 1;
}

/**
 * In the same layout, with other parameters. `values`: by name; others that are not kept go. `blanked`: the text that the template
 * was read from; `text`: the same with its comments.
 */
export function rewrite(
  { start, headEnd, parameters }: Template,
  { blanked, text }: { blanked: string; text: string },
  values: readonly (readonly [string, string])[],
  isKept: (parameter: Parameter) => boolean,
): string {
  const layout = layoutOf(parameters, blanked, /\s*$/.exec(blanked.slice(start, headEnd))?.[0] ?? '');
  const left = new Map(values);
  const stay = parameters.filter((one) => left.has(one.name) || isKept(one));
  const old = stay.map((one) => {
    const value = left.get(one.name);
    left.delete(one.name);
    if (value === undefined) return text.slice(one.start, one.end).replace(/\s+$/, '');
    return one.value === '' ? layout.write(one.name, value) : text.slice(one.start, one.valueStart) + value;
  });
  const added = values.filter(([name]) => left.has(name)).map(([name, value]) => layout.write(name, value));
  return `${text.slice(start, headEnd)}${old.concat(added).join(layout.gap)}${layout.last}}}`;
}

interface Layout {
  /** Between two parameters. */
  gap: string;
  /** Behind the last one. */
  last: string;
  write(name: string, value: string): string;
}

/** `head`: the blanks behind the template's name. */
function layoutOf(parameters: readonly Parameter[], text: string, head: string): Layout {
  const gaps = parameters.map((one) => text.slice(one.valueEnd, one.end).replace(/^.*\n|^ {2,}/s, tidy));
  const parts = parameters
    .filter(({ isNamed }) => isNamed)
    .map((one) => /^(\|\s*)([^=]*?)(\s*)=(\s*)$/.exec(text.slice(one.start, one.valueStart)))
    .filter((part) => part !== null);
  const [, before = '|', , pad = '', space = ''] = parts.filter((part) => !/\n/.test(part[4] ?? ''))[0] ?? [];
  const width = widthOf(parts.map(([, , name = '', blanks = '']) => name + blanks));
  return {
    gap: gaps.length > 1 ? (gaps[0] ?? head) : head,
    last: gaps[gaps.length - 1] ?? '',
    write: (name, value) => `${before}${width === null ? name + pad : name.padEnd(width)}=${space}${value}`,
  };
}

/** A comment behind a value is no layout. */
function tidy(blanks: string): string {
  return blanks.indexOf('\n') < 0 ? ' ' : '\n';
}

/** Of the names with their blanks, where the signs behind them stand below one another. */
function widthOf(names: readonly string[]): number | null {
  const width = (names[0] ?? '').length;
  const isAligned = names.length > 1 && names.every(({ length }) => length === width);
  return isAligned && names.some((name) => name.trim().length !== width) ? width : null;
}

function read(text: string, start: number, end: number): Template {
  const pipes = splitsOf(text, start + 2, end - 2);
  const headEnd = pipes[0] ?? end - 2;
  let position = 0;
  const parameters = pipes.map((pipe, i) => {
    const one = parameterOf(text, pipe, pipes[i + 1] ?? end - 2);
    return one.isNamed ? one : { ...one, name: String(++position) };
  });
  return { name: text.slice(start + 2, headEnd).trim(), start, end, headEnd, parameters };
}

function parameterOf(text: string, start: number, end: number): Parameter {
  const raw = text.slice(start + 1, end);
  const match = /^([^={}[\]<>]*)=/.exec(raw);
  const from = start + 1 + (match?.[0].length ?? 0);
  const value = text.slice(from, end);
  const valueStart = value.trim() === '' ? from : from + value.length - value.replace(/^\s+/, '').length;
  const valueEnd = valueStart + value.trim().length;
  return {
    name: (match?.[1] ?? '').trim(),
    isNamed: match !== null,
    value: value.trim(),
    start,
    end,
    valueStart,
    valueEnd,
  };
}

/** Where `|` parts parameters: not in what is nested. */
function splitsOf(text: string, start: number, end: number): number[] {
  const found: number[] = [];
  let depth = 0;
  const signs = /\{\{|\}\}|\[\[|\]\]|\|/g;
  signs.lastIndex = start;
  for (let sign = signs.exec(text); sign !== null && sign.index < end; sign = signs.exec(text)) {
    if (sign[0] === '|' && depth === 0) found.push(sign.index);
    else if (sign[0] !== '|') depth += sign[0] === '{{' || sign[0] === '[[' ? 1 : -1;
  }
  return found;
}
