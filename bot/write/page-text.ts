/**
 * The text of a page, and what its own preprocessor reads in it: templates and comments, so that what stands in <nowiki> or in a
 * comment is neither. In: a title. Out: text, templates, comments, and the text of the switch page at the same moment.
 */
import { DOMParser } from 'linkedom';
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
  // the types of linkedom's nodes need those of a browser, which has no place here
  const root = new DOMParser().parseFromString(parse.parsetree, 'text/xml') as unknown as Xml;
  return {
    templates: [...root.querySelectorAll('template')].map(toTemplate),
    comments: [...root.querySelectorAll('comment')].map((comment) => comment.textContent ?? ''),
  };
}

function toTemplate(template: Xml): Template {
  const parts = [...template.children].filter((child) => child.localName === 'part');
  return {
    name: textOf(template, 'title'),
    params: new Map(
      parts.map((part) => {
        const index = childOf(part, 'name')?.getAttribute('index');
        return [index ?? textOf(part, 'name'), textOf(part, 'value')];
      }),
    ),
  };
}

function textOf(element: Xml, name: string): string {
  const nodes = [...(childOf(element, name)?.childNodes ?? [])];
  const said = nodes.filter((node) => node.nodeName.toLowerCase() !== 'comment');
  return said
    .map((node) => node.textContent ?? '')
    .join('')
    .trim();
}

function childOf(element: Xml, name: string): Xml | undefined {
  return [...element.children].find((child) => child.localName === name);
}

/** As much of a node as is asked for. */
interface Xml {
  nodeName: string;
  localName: string;
  textContent: string | null;
  childNodes: Iterable<Xml>;
  children: Iterable<Xml>;
  getAttribute(name: string): string | null;
  querySelectorAll(selector: string): Iterable<Xml>;
}

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
