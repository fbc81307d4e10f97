/** FEVEROUS's element ids, `Page_cell_0_1_2`, as text and as triple [page, type, position]. Reads no page. */
import { z } from 'zod';

export const ElementType = z.enum(['sentence', 'cell', 'header_cell', 'item', 'table_caption', 'section', 'title']);
export type ElementType = z.infer<typeof ElementType>;

/** `position` is '' for a title. */
export const Element = z.tuple([z.string(), ElementType, z.string()]);
export type Element = z.infer<typeof Element>;

const ID = /^(.+?)_(sentence|cell|header_cell|item|table_caption|section|title)((?:_\d+)*)$/;

/** Either way of writing an id: the data and the baseline's files have texts, submissions have triples. */
export const AnyElement = z.union([Element, z.string().transform(parseId).pipe(Element)]);

/** Null for what is no id. A page's title may hold any word but ends where the type begins. */
export function parseId(id: string): Element | null {
  const [, page, type, position] = ID.exec(id) ?? [];
  const known = ElementType.safeParse(type);
  return page === undefined || !known.success ? null : [page, known.data, (position ?? '').slice(1)];
}

/** Of these at most 25 count as evidence, of the others at most 5 (Aly et al. 2021, "Evaluation"). */
export function isCell([, type]: Element): boolean {
  return type === 'cell' || type === 'header_cell' || type === 'item' || type === 'table_caption';
}
