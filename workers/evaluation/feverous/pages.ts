/** FEVEROUS's Wikipedia pages, one JSON object a line → pages whose sentences, list items and cells have ids. Chooses none. */
import { z } from 'zod';
import { type EvidencePage, joinLines, type Line, sentence } from '../fever/evidence-page.ts';
import type { Element } from './element.ts';
import { plain, readTable, Table } from './table.ts';

const List = z.object({ list: z.array(z.object({ id: z.string(), value: z.string() })) });
const Section = z.object({ value: z.string() });

/** `order` names the page's elements; `sentence_0`, `table_0`, `list_0`, `section_0` … stand beside it. */
export const FeverousPage = z
  .looseObject({ title: z.string(), order: z.array(z.string()) })
  .transform((record, context): EvidencePage<Element> => {
    const lines = record.order.flatMap((name) => {
      const read = readElement(record.title, name, record[name]);
      if (read.success) return read.data;
      const [issue] = read.error.issues;
      context.addIssue({ code: 'custom', path: [name, ...(issue?.path ?? [])], message: issue?.message });
      return [];
    });
    return joinLines(
      { url: record.title, title: record.title },
      lines.filter(({ text }) => text !== ''),
    );
  });

/** What else a page has is passed over. */
function readElement(page: string, name: string, value: unknown): z.ZodSafeParseResult<Line<Element>[]> {
  const [kind = '', number = ''] = name.split('_');
  const id = (type: Element[1], position: string): Element => [page, type, position];
  if (kind === 'sentence') {
    return z
      .string()
      .transform((text) => [sentence(id('sentence', number), plain(text))])
      .safeParse(value);
  }
  if (kind === 'section') {
    return Section.transform((section) => [heading(plain(section.value))]).safeParse(value);
  }
  if (kind === 'list') {
    return List.transform(({ list }) =>
      list.map((item) => sentence(id('item', item.id.replace(/^item_/, '')), plain(item.value), 'cells')),
    ).safeParse(value);
  }
  if (kind === 'table') {
    return Table.transform((table) => [
      sentence(id('table_caption', number), plain(table.caption), 'cells'),
      ...readTable(table, page),
    ]).safeParse(value);
  }
  return { success: true, data: [] };
}

function heading(text: string): Line<Element> {
  return { kind: 'sentence', text, pieces: [] };
}
