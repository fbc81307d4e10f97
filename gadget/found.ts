/** What other pages say of a sentence: three lists that fold. In: what a search for evidence gave. Out: elements. */
import type { Found, Row } from '../shared/found.ts';
import { element, link, text } from './dom.ts';
import type { Messages } from './messages.ts';
import { dayText, mismatchText, percentOf, quotedText } from './wording.ts';

export function foundOf(found: Found, msg: Messages): Node[] {
  const { shardsAnswered, shardsAsked } = found.searched;
  return [
    text('p', msg(`found-${found.verdict}`), `sidelight-found sidelight-found-${found.verdict}`),
    ...(found.noWordKnown ? [text('p', msg('found-no-word'))] : []),
    ...COLUMNS.map((column) => listOf(found, column, msg)),
    text('p', msg('found-searched', shardsAnswered, shardsAsked), 'sidelight-model'),
  ];
}

type Column = 'supports' | 'refutes' | 'other';
const COLUMNS: readonly Column[] = ['supports', 'refutes', 'other'];

/** The first that has something is open. */
function listOf(found: Found, column: Column, msg: Messages): HTMLElement {
  const rows = found[column];
  const details = document.createElement('details');
  details.setAttribute('data-sidelight', `found-${column}`);
  details.open = COLUMNS.filter((one) => found[one].length > 0)[0] === column;
  details.appendChild(text('summary', msg(`found-${column}`, rows.length)));
  const items = rows.map((row) => rowOf(found.claim, row, msg));
  details.appendChild(items.length === 0 ? text('p', msg('found-none')) : element('ul', 'sidelight-list', items));
  return details;
}

function rowOf(claim: string, row: Row, msg: Messages): HTMLElement {
  const { publishedAt, found, absent, mismatches } = row;
  const facts = [row.domain, publishedAt === null ? '' : msg('found-published', dayText(publishedAt, msg))];
  return element('li', '', [
    link(row.url, row.title || row.url),
    text('small', facts.filter((fact) => fact !== '').join(' · ')),
    text('blockquote', row.quote),
    text('small', msg('likely', percentOf(row.support, msg))),
    ...detailsOf('found-details', found, msg),
    ...detailsOf('found-absent', absent, msg),
    ...mismatches.map((one) => text('small', mismatchText(claim, one, msg))),
  ]);
}

function detailsOf(key: 'found-details' | 'found-absent', details: Row['found'], msg: Messages): Node[] {
  if (details.length === 0) return [];
  return [
    text(
      'small',
      msg(
        key,
        quotedText(
          details.map((one) => one.text),
          msg,
        ),
      ),
    ),
  ];
}
