/**
 * What the feeds leave out of an edit, asked of the wiki for many edits at once. In: ids of revisions. Out: what is known of
 * each. Texts are deliberately absent.
 */
import { z } from 'zod';
import type { Page } from '../shared/citation.ts';
import type { Ask } from './wiki.ts';

export interface Described {
  page: Page;
  namespace: number;
  /** null for a page's first revision. */
  previous: number | null;
  /** Change tags, such as `mw-rollback`. */
  tags: string[];
  minor: boolean;
  /** Is the page a redirect now? */
  redirect: boolean;
  /** Levels that protect the page against editing now, such as `sysop`. */
  protection: string[];
  /** Its text was hidden from the public (revision deletion). */
  hidden: boolean;
}

/** By id; without those that don't exist (any more), are on a deleted page, or are not there yet. Throws TransientError. */
export type DescribeRevisions = (ids: readonly number[], signal?: AbortSignal) => Promise<Map<number, Described>>;

export function createDescribeRevisions(ask: Ask): DescribeRevisions {
  return async (ids, signal) => {
    const described = new Map<number, Described>();
    for (let start = 0; start < ids.length; start += AT_ONCE) {
      const revids = ids.slice(start, start + AT_ONCE).join('|');
      const { query } = await ask(Answer, { ...QUESTION, revids }, signal);
      for (const page of query.pages ?? []) for (const [id, known] of describe(page)) described.set(id, known);
    }
    return described;
  };
}

/** What can't be read is left out, so that one page of another shape does not hold up the others. */
function describe(answer: unknown): (readonly [number, Described])[] {
  const parsed = ApiPage.safeParse(answer);
  if (!parsed.success) return [];
  const { pageid: id, title, ns, redirect, protection, revisions } = parsed.data;
  const page = { page: { id, title }, namespace: ns, redirect };
  const levels = protection.filter(({ type }) => type === 'edit').map(({ level }) => level);
  return revisions.map(({ revid, parentid, tags, minor, sha1hidden }) => {
    const known = { previous: parentid || null, tags, minor, protection: levels, hidden: sha1hidden };
    return [revid, { ...page, ...known }] as const;
  });
}

/** As many as the API takes from who is not signed in (https://www.mediawiki.org/wiki/API:Query#Parameters). */
const AT_ONCE = 50;
/** The checksum is hidden where the text is. */
const QUESTION = { prop: 'info|revisions', inprop: 'protection', rvprop: 'ids|tags|flags|sha1' };

const ApiPage = z.object({
  pageid: z.int().positive(),
  title: z.string(),
  ns: z.int(),
  redirect: z.boolean().default(false),
  protection: z.array(z.object({ type: z.string(), level: z.string() })).default([]),
  revisions: z
    .array(
      z.object({
        revid: z.int().positive(),
        parentid: z.int().nonnegative().default(0),
        tags: z.array(z.string()).default([]),
        minor: z.boolean().default(false),
        sha1hidden: z.boolean().default(false),
      }),
    )
    .default([]),
});
const Answer = z.object({ query: z.object({ pages: z.array(z.unknown()).optional() }) });
