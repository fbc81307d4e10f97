/** The wiki's own difference of two texts. In: the rows that `action=compare` gives as HTML. Out: plain text with what is marked in it. */
import type { DiffPart, DiffRow } from './diff.ts';

/** Read in a document of its own, in which nothing runs and nothing is loaded. */
export function readDiff(rows: string): DiffRow[] {
  const table = new DOMParser().parseFromString(`<table>${rows}</table>`, 'text/html');
  return Array.from(table.querySelectorAll('tr')).map(rowOf);
}

function rowOf(row: Element): DiffRow {
  const line = row.querySelector('.diff-lineno');
  if (line !== null) return { kind: 'line', text: line.textContent ?? '' };
  const [before, after] = [row.querySelector('.diff-deletedline'), row.querySelector('.diff-addedline')];
  if (before !== null || after !== null) return { kind: 'changed', before: partsOf(before), after: partsOf(after) };
  return { kind: 'same', text: textOf(row.querySelector('.diff-context')) };
}

function partsOf(cell: Element | null): DiffPart[] | null {
  if (cell === null) return null;
  const nodes = Array.from((cell.querySelector('div') ?? cell).childNodes);
  return nodes.map((node, i) => {
    const text = textOf(node, i === 0, i === nodes.length - 1);
    return { text, isMarked: /^(INS|DEL)$/.test(node.nodeName) };
  });
}

/** The wiki writes every other space as one that does not break, and puts one more before a line's first and behind its last. */
function textOf(node: Node | null, isFirst = true, isLast = true): string {
  let text = node?.textContent ?? '';
  if (isFirst) text = text.replace(/^\u00a0 /, ' ');
  if (isLast) text = text.replace(/ \u00a0$/, ' ');
  return text.replace(/\u00a0/g, ' ');
}
