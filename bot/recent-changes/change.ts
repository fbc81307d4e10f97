/**
 * One recent change, whichever feed told of it. In: a parsed JSON value of a feed. Out: a Change, or the field that does not
 * parse. Holds only what the bot decides by; users and comments are deliberately absent.
 */
import { z } from 'zod';

interface ChangeBase {
  title: string;
  namespace: number;
  /** Made by an account with the bot flag. */
  bot: boolean;
  /** ISO time with a resolution of one second. */
  time: string;
  /** Id of the page; null where the feed does not say. */
  pageId: number | null;
}

export interface Edit extends ChangeBase {
  kind: 'edit';
  revision: number;
  /** null for a new page. */
  previous: number | null;
  /** Change tags such as `mw-rollback`; null where the feed does not say. */
  tags: string[] | null;
  /** Is the page a redirect now? null where the feed does not say. */
  redirect: boolean | null;
  minor: boolean;
  /** Bytes of wikitext before (0 of a new page) and after; null where the feed does not say. */
  size: { before: number; after: number } | null;
}

export interface LogEntry extends ChangeBase {
  kind: 'log';
  logId: number;
  /** Type and action, as in https://www.mediawiki.org/wiki/Manual:Log_actions: `delete`, `delete_redir`. */
  logType: string;
  logAction: string;
}

export type Change = Edit | LogEntry;

/** `other`: nothing that Sidelight follows (categorisation, other wikis' data). `malformed`: `field` is what does not parse. */
export type ParsedChange =
  | { kind: 'change'; change: Change }
  | { kind: 'other' }
  | { kind: 'malformed'; field: string };

/** The same change from any feed has the same identity, and no other change of its wiki has it. */
export function changeId(change: Change): string {
  return change.kind === 'edit' ? `revision-${change.revision}` : `log-${change.logId}`;
}

/**
 * An event of MediaWiki's JSON feed ($wgRCFeeds) or of EventStreams' `mediawiki.recentchange`, which adds `meta`
 * (https://www.mediawiki.org/wiki/Manual:RCFeed). It tells neither page id nor tags.
 */
export function parseFeedEvent(data: unknown): ParsedChange {
  return parse(FeedEvent, data, (event) => {
    const base = { ...common(event, event.namespace), time: isoTime(event.timestamp), pageId: null };
    if (event.type === 'log')
      return { kind: 'log', ...base, logId: event.log_id, logType: event.log_type, logAction: event.log_action };
    const { revision, length, minor } = event;
    const told = { minor: minor ?? false, size: size(length?.old, length?.new) };
    return { kind: 'edit', ...base, revision: revision.new, previous: revision.old || null, ...UNTOLD, ...told };
  });
}

/**
 * A row of `list=recentchanges`, formatversion 2 (https://www.mediawiki.org/wiki/API:RecentChanges). Of a log entry that
 * administrators hid it tells neither title nor log.
 */
export function parseApiChange(data: unknown): ParsedChange {
  return parse(ApiChange, data, (row) => {
    const base = { ...common(row, row.ns), time: row.timestamp, pageId: row.pageid || null };
    if (row.type === 'log')
      return { kind: 'log', ...base, logId: row.logid, logType: row.logtype, logAction: row.logaction };
    const { revid: revision, tags, redirect, minor, oldlen, newlen } = row;
    const told = { tags, redirect, minor: minor ?? false, size: size(oldlen, newlen) };
    return { kind: 'edit', ...base, revision, previous: row.old_revid || null, ...told };
  });
}

function parse<T>(schema: z.ZodType<T>, data: unknown, toChange: (event: T) => Change): ParsedChange {
  if (isOther(data)) return { kind: 'other' };
  const parsed = schema.safeParse(data);
  if (parsed.success) return { kind: 'change', change: toChange(parsed.data) };
  return { kind: 'malformed', field: fieldOf(parsed.error) };
}

/** Before anything is parsed: most of what a feed tells is of this kind. */
function isOther(data: unknown): boolean {
  if (typeof data !== 'object' || data === null || !('type' in data)) return false;
  if ('actionhidden' in data && data.actionhidden === true) return true;
  return typeof data.type === 'string' && !FOLLOWED.has(data.type);
}

/** Of a list, the list: so that there are only as many names as a schema has. */
export function fieldOf(error: z.ZodError): string {
  const path = error.issues[0]?.path ?? [];
  return path.filter((part) => typeof part === 'string').join('.') || 'event';
}

function size(before: number | null | undefined, after: number | null | undefined) {
  return typeof after === 'number' ? { before: before ?? 0, after } : null;
}

function common(event: { title: string; bot: boolean }, namespace: number) {
  return { title: event.title, namespace, bot: event.bot };
}

function isoTime(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}

const FOLLOWED = new Set(['edit', 'new', 'log']);
const UNTOLD = { tags: null, redirect: null };

const Title = z.string().min(1).max(512);
const Id = z.int().positive();
/** MediaWiki writes 0 or null for "none". */
const NoneOrId = z.int().nonnegative().nullish();
const NoneOrBytes = z.int().nonnegative().nullish();
/** Up to the year 9999, which is as far as MediaWiki's timestamps go. */
const UnixSeconds = z.int().min(0).max(253_402_300_799);

const feedCommon = { title: Title, namespace: z.int(), bot: z.boolean(), timestamp: UnixSeconds };
const FeedEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal(['edit', 'new']),
    ...feedCommon,
    revision: z.object({ new: Id, old: NoneOrId }),
    minor: z.boolean().nullish(),
    length: z.object({ old: NoneOrBytes, new: NoneOrBytes }).nullish(),
  }),
  z.object({ type: z.literal('log'), ...feedCommon, log_id: Id, log_type: z.string(), log_action: z.string() }),
]);

const apiCommon = { title: Title, ns: z.int(), bot: z.boolean(), timestamp: z.iso.datetime(), pageid: NoneOrId };
const ApiChange = z.discriminatedUnion('type', [
  z.object({
    type: z.literal(['edit', 'new']),
    ...apiCommon,
    revid: Id,
    old_revid: NoneOrId,
    tags: z.array(z.string()),
    redirect: z.boolean(),
    minor: z.boolean().nullish(),
    oldlen: NoneOrBytes,
    newlen: NoneOrBytes,
  }),
  z.object({ type: z.literal('log'), ...apiCommon, logid: Id, logtype: z.string(), logaction: z.string() }),
]);
