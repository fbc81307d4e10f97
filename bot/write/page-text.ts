/**
 * The text of a page, and what its own preprocessor reads in it: templates and comments, so that what stands in <nowiki> or in a
 * comment is neither. In: a title. Out: text, templates, comments, and the text of the switch page at the same moment.
 */
import { DomUtils, parseDocument } from 'htmlparser2';
import { z } from 'zod';
import type { Connection } from './connection.ts';
import { type Refusal, refuse } from './outcome.ts';
import type { Place } from './places.ts';

export interface Template {
  /** As it is called, without comments: 'bots', 'Template:Bots'. */
  name: string;
  /** Trimmed; those without a name are '1', '2', …; a later one of the same name holds. */
  params: ReadonlyMap<string, string>;
}

export interface PageText extends Place {
  revision: number;
  text: string;
  /** Of the page's own text, in their order, also those inside of others. */
  templates: readonly Template[];
  /** With their delimiters. */
  comments: readonly string[];
}

export interface Read {
  place: Place;
  /** Null: there is no such page, or its text is hidden. */
  page: PageText | null;
  /** Null: there is no such page, or none was asked for. */
  switchText: string | null;
}

/** Redirects are not followed. */
export async function readPage(
  connection: Pick<Connection, 'query'>,
  title: string,
  switchPage: string | null,
  signal?: AbortSignal,
): Promise<Read | Refusal> {
  const titles = switchPage === null ? [title] : [title, switchPage];
  const { query } = await connection.query(Pages, { ...QUESTION, titles }, signal);
  const named = new Map(query.normalized.map(({ from, to }) => [from, to]));
  const find = (name: string | null) => query.pages.find((page) => page.title === (named.get(name ?? '') ?? name));
  const page = find(title);
  if (page === undefined || page.invalid || page.ns < 0) return refuse('invalid_title', title);
  const place = { title: page.title, namespace: page.ns, contentModel: 'wikitext', isRedirect: page.redirect };
  return {
    place,
    page: await readText(connection, place, page.revisions[0], signal),
    switchText: find(switchPage)?.revisions[0]?.slots?.main.content ?? null,
  };
}

async function readText(
  connection: Pick<Connection, 'query'>,
  place: Place,
  revision: z.infer<typeof ApiRevision> | undefined,
  signal?: AbortSignal,
): Promise<PageText | null> {
  const main = revision?.slots?.main;
  if (revision === undefined || main?.content === undefined) return null;
  const tree = main.contentmodel === 'wikitext' ? await readTree(connection, revision.revid, signal) : NOTHING;
  return { ...place, contentModel: main.contentmodel, revision: revision.revid, text: main.content, ...tree };
}

async function readTree(
  connection: Pick<Connection, 'query'>,
  oldid: number,
  signal?: AbortSignal,
): Promise<Pick<PageText, 'templates' | 'comments'>> {
  const { parse } = await connection.query(Tree, { action: 'parse', oldid, prop: 'parsetree' }, signal);
  const root = parseDocument(parse.parsetree, { xmlMode: true });
  return {
    templates: DomUtils.getElementsByTagName('template', root).map(toTemplate),
    comments: DomUtils.getElementsByTagName('comment', root).map((comment) => DomUtils.textContent(comment)),
  };
}

function toTemplate(template: Element): Template {
  const parts = childrenOf(template, 'part');
  return {
    name: textOf(template, 'title'),
    params: new Map(parts.map((part) => [nameOf(part), textOf(part, 'value')])),
  };
}

function nameOf(part: Element): string {
  return childrenOf(part, 'name')[0]?.attribs.index ?? textOf(part, 'name');
}

function textOf(element: Element, name: string): string {
  const nodes = childrenOf(element, name)[0]?.childNodes ?? [];
  const said = nodes.filter((node) => !(DomUtils.isTag(node) && node.name === 'comment'));
  return DomUtils.textContent(said).trim();
}

function childrenOf(element: Element, name: string): Element[] {
  return element.childNodes.filter((node) => DomUtils.isTag(node)).filter((child) => child.name === name);
}

type Element = ReturnType<typeof DomUtils.getElementsByTagName>[number];

const NOTHING = { templates: [], comments: [] };
const QUESTION = { action: 'query', prop: 'info|revisions', rvprop: 'ids|content', rvslots: 'main' } as const;

const ApiRevision = z.object({
  revid: z.int(),
  slots: z.object({ main: z.object({ contentmodel: z.string(), content: z.string().optional() }) }).optional(),
});
const ApiPage = z.object({
  title: z.string(),
  ns: z.int().default(-1),
  invalid: z.boolean().default(false),
  redirect: z.boolean().default(false),
  revisions: z.array(ApiRevision).default([]),
});
const Pages = z.object({
  query: z.object({
    normalized: z.array(z.object({ from: z.string(), to: z.string() })).default([]),
    pages: z.array(ApiPage).default([]),
  }),
});
const Tree = z.object({ parse: z.object({ parsetree: z.string() }) });
