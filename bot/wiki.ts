/**
 * Reads a MediaWiki: who and what a revision is, recent changes, Parsoid HTML. In: config.wiki. Out: parsed answers, or a
 * TransientError when the wiki is away or lagging. Never writes and never signs in.
 */
import { Mwn, type MwnError } from 'mwn';
import { z } from 'zod';
import type { Page } from '../shared/citation.ts';
import type { Config } from '../shared/config.ts';
import { TransientError } from '../shared/errors.ts';
import { createParsoid, type RevisionHtml } from './parsoid.ts';

export interface Revision {
  page: Page;
  namespace: number;
  revision: number;
  /** null for a page's first revision. */
  previous: number | null;
  /** Change tags, such as `mw-rollback`. */
  tags: string[];
  /** Is the page a redirect now? */
  redirect: boolean;
}

export type CurrentPage = Pick<Revision, 'page' | 'namespace' | 'revision'>;

export interface RecentChangesPage {
  /** Rows as the API gives them, oldest first. */
  rows: unknown[];
  /** Where to go on; null at the end. */
  next: string | null;
}

export interface Wiki {
  parsoidHtml(revision: number, signal?: AbortSignal): Promise<RevisionHtml>;
  transform(title: string, wikitext: string, signal?: AbortSignal): Promise<RevisionHtml>;
  /** null if it does not exist (any more) or is on a deleted page. */
  revision(id: number, signal?: AbortSignal): Promise<Revision | null>;
  /** Follows redirects. null if there is no such page. */
  latestRevision(title: string, signal?: AbortSignal): Promise<Revision | null>;
  /** Where a page now stands, and its latest revision; null if it is deleted. */
  currentPage(pageId: number, signal?: AbortSignal): Promise<CurrentPage | null>;
  /** Id of the page that a log entry is about, also after its deletion; null if the log doesn't know. */
  pageOfLog(entry: { title: string; logType: string; logId: number }, signal?: AbortSignal): Promise<number | null>;
  /** Changes from `since` (ISO time, included) on; `next` as an earlier answer gave it. */
  recentChanges(since: string, next: string | null, signal?: AbortSignal): Promise<RecentChangesPage>;
}

/** `maxBytes`: limit of one revision's HTML. */
export function createWiki(config: Config['wiki'], { maxBytes = 30 * 2 ** 20 } = {}): Wiki {
  const ask = createAsk(config);
  const parsoid = createParsoid({ ...config, maxBytes });
  return {
    parsoidHtml: parsoid.html,
    transform: parsoid.transform,
    async revision(id, signal) {
      return toRevision(await ask(Pages, { ...REVISION, revids: id }, signal));
    },
    async latestRevision(title, signal) {
      return toRevision(await ask(Pages, { ...REVISION, titles: title, redirects: true }, signal));
    },
    async currentPage(pageId, signal) {
      const page = (await ask(Pages, { prop: 'info', pageids: pageId }, signal)).query.pages?.[0];
      if (page?.lastrevid === undefined) return null;
      return { page: { id: pageId, title: page.title }, namespace: page.ns, revision: page.lastrevid };
    },
    async pageOfLog({ title, logType, logId }, signal) {
      const params = { list: 'logevents', letitle: title, letype: logType, leprop: 'ids', lelimit: 50 };
      const { logevents } = (await ask(LogEvents, params, signal)).query;
      return logevents.find((entry) => entry.logid === logId)?.logpage || null;
    },
    async recentChanges(since, next, signal) {
      const params = { ...RECENT_CHANGES, rcstart: since, ...(next === null ? {} : { rccontinue: next }) };
      const answer = await ask(RecentChangesAnswer, params, signal);
      return { rows: answer.query.recentchanges, next: answer.continue?.rccontinue ?? null };
    },
  };
}

type Params = Record<string, string | number | boolean>;

export type Ask = <T>(schema: z.ZodType<T>, params: Params, signal?: AbortSignal) => Promise<T>;

/** `action=query` of a wiki. An answer that the schema does not accept, and none at all, is a TransientError. */
export function createAsk(config: Pick<Config['wiki'], 'apiUrl' | 'userAgent'>): Ask {
  const query = createQuery(config);
  return async (schema, params, signal) => parse(schema, await query(params, signal));
}

/** Asks api.php with maxlag 5. mwn's own retries are off: they print to stdout, and our callers all try again themselves. */
function createQuery({ apiUrl, userAgent }: Pick<Config['wiki'], 'apiUrl' | 'userAgent'>) {
  const mwn = new Mwn({ apiUrl, userAgent, silent: true, suppressAPIWarnings: true, maxRetries: 0 });
  return async (params: Params, signal: AbortSignal | undefined): Promise<unknown> => {
    try {
      return await mwn.query(params, { timeout: TIMEOUT_MS, ...(signal === undefined ? {} : { signal }) });
    } catch (error) {
      signal?.throwIfAborted();
      const { code } = error as Partial<MwnError>; // mwn rejects with what axios or the API gave: a code is all we read
      throw new TransientError(`${apiUrl} does not answer (${code ?? 'unknown error'})`, { cause: error });
    }
  };
}

/** An answer of another shape comes from a proxy or an error page: it may be better later. */
function parse<T>(schema: z.ZodType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new TransientError(`api.php: ${issue?.path.join('.')}: ${issue?.message}`);
}

function toRevision(answer: z.infer<typeof Pages>): Revision | null {
  const page = answer.query.pages?.[0];
  const revision = page?.revisions?.[0];
  if (page?.pageid === undefined || revision === undefined) return null;
  return {
    page: { id: page.pageid, title: page.title },
    namespace: page.ns,
    revision: revision.revid,
    previous: revision.parentid || null,
    tags: revision.tags,
    redirect: page.redirect,
  };
}

const REVISION: Params = { prop: 'info|revisions', rvprop: 'ids|tags' };
const RECENT_CHANGES: Params = {
  list: 'recentchanges',
  rctype: 'edit|new|log',
  rcprop: 'title|ids|timestamp|flags|sizes|tags|redirect|loginfo',
  rcdir: 'newer',
  rclimit: 'max',
};
const TIMEOUT_MS = 30_000;

const ApiPage = z.object({
  ns: z.int().default(-1),
  pageid: z.int().positive().optional(),
  title: z.string().default(''),
  /** Not there if the page is missing. */
  lastrevid: z.int().positive().optional(),
  redirect: z.boolean().default(false),
  revisions: z.array(z.object({ revid: z.int(), parentid: z.int(), tags: z.array(z.string()) })).optional(),
});
const Pages = z.object({ query: z.object({ pages: z.array(ApiPage).optional() }) });
const LogEvents = z.object({
  query: z.object({ logevents: z.array(z.object({ logid: z.int().optional(), logpage: z.int().optional() })) }),
});
const RecentChangesAnswer = z.object({
  query: z.object({ recentchanges: z.array(z.unknown()) }),
  continue: z.object({ rccontinue: z.string() }).optional(),
});
