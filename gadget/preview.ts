/** An edit before it is saved, for a person to look at. In: a proposal. Out: its difference as elements that hold plain text only. */
import type { DiffPart, DiffRow } from './diff.ts';
import { element, text } from './dom.ts';
import type { Proposal } from './editing.ts';
import type { Messages } from './messages.ts';

/** The lines that change, one below the other, and how the new reference reads. */
export function previewOf({ diff, reads }: Pick<Proposal, 'diff' | 'reads'>, msg: Messages): Node[] {
  const rows = diff.reduce<Node[]>((all, row) => all.concat(rowOf(row, msg)), []);
  const table = element('div', 'sidelight-diff', rows);
  table.setAttribute('role', 'group');
  table.setAttribute('aria-label', msg('edit-preview'));
  if (reads === '') return [table];
  return [table, text('h3', msg('edit-reads')), text('p', reads, 'sidelight-reads')];
}

function rowOf(row: DiffRow, msg: Messages): Node[] {
  if (row.kind === 'line') return [text('p', row.text, 'sidelight-diff-line')];
  if (row.kind === 'same')
    return row.text.trim() === '' ? [] : [text('p', shorten(row.text, 'end'), 'sidelight-diff-same')];
  return [...sideOf(row.before, 'del', msg('edit-removed')), ...sideOf(row.after, 'ins', msg('edit-added'))];
}

/** `name`: of the side, which a reader may not see by its colour. */
function sideOf(parts: readonly DiffPart[] | null, mark: 'del' | 'ins', name: string): Node[] {
  if (parts === null) return [];
  const said = element('span', 'sidelight-unseen', [document.createTextNode(`${name}: `)]);
  const shown = parts.map((part, i) => {
    if (part.isMarked) return element(mark, '', [document.createTextNode(part.text)]);
    return document.createTextNode(shorten(part.text, i === 0 ? 'start' : i === parts.length - 1 ? 'end' : 'middle'));
  });
  const side = element('p', `sidelight-diff-${mark}`, [said, ...shown]);
  side.dir = 'auto';
  return [side];
}

/** What does not change is shown where it stands near a change, by whole words. */
function shorten(unchanged: string, cut: 'start' | 'middle' | 'end'): string {
  if (unchanged.length <= 2 * NEAR) return unchanged;
  const head = cut === 'start' ? '' : unchanged.slice(0, NEAR).replace(/\S*$/, '');
  const tail = cut === 'end' ? '' : unchanged.slice(-NEAR).replace(/^\S*/, '');
  return `${head}…${tail}`;
}

/** Characters. */
const NEAR = 90;
