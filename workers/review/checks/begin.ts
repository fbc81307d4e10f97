/** What somebody asks to have checked → the row of the check and its first job. Asks the wiki which revision is the newest. Writes nothing. */
import type { Revision } from '../../../bot/wiki.ts';
import { checkName } from '../../../shared/check-name.ts';
import type { Claim } from '../../../shared/citation.ts';
import { RequestError, TransientError } from '../../../shared/errors.ts';
import { hashClaim, hashText } from '../../../shared/hash.ts';
import type { Next } from '../../../shared/pipeline.ts';
import type { CheckRequest } from './check.ts';
import type { CheckRow } from './store.ts';

/** The wiki that is followed. */
export interface CheckedWiki {
  id: string;
  latestRevision(title: string): Promise<Pick<Revision, 'page' | 'revision'> | null>;
}

export interface Begun {
  row: CheckRow;
  /** Null where there is nothing to do: the check has failed. */
  job: Next | null;
}

/** Throws where no more checks of this page are taken. */
export type AdmitPage = (pageId: number) => Promise<void>;

/** Throws RequestError `unknown_wiki`, `invalid` for a sentence without words, `wiki_away`. */
export async function begin(asked: CheckRequest, wiki: CheckedWiki, now: Date): Promise<Begun> {
  if (asked.wiki !== undefined && asked.wiki !== wiki.id) {
    throw new RequestError('unknown_wiki', `${asked.wiki} is not a wiki that is checked here.`);
  }
  const id = checkName(now);
  const fresh: Fresh = { ...EMPTY, id, wiki: wiki.id, kind: asked.kind, created_at: now.toISOString() };
  return asked.kind === 'sentence' ? beginSentence(asked, fresh) : beginPage(asked, wiki, fresh);
}

type Fresh = Omit<CheckRow, 'subject'>;

const EMPTY: Omit<Fresh, 'id' | 'wiki' | 'kind' | 'created_at'> = {
  ...{ page_id: null, page_title: null, revision: null, claim: null },
  ...{ state: 'waiting', reason: null, claims: null, found: null, finished_at: null },
};

function beginSentence(asked: Extract<CheckRequest, { kind: 'sentence' }>, fresh: Fresh): Begun {
  const text = plain(asked.text);
  if (!/[\p{L}\p{N}]/u.test(text)) throw new RequestError('invalid', 'text: has no words; paste one sentence.');
  const title = plain(asked.title ?? '');
  const claim: Claim = {
    ...{ hash: hashClaim(text), text, markerOffset: text.length, context: '', section: [], title },
    ...{ kind: 'sentence', trigger: null },
  };
  const subject = subjectOf('sentence', text, title);
  const row = { ...fresh, claim: text, page_title: title === '' ? null : title, subject };
  return { row, job: { stage: 'find', input: { wiki: fresh.wiki, claim, request: fresh.id } } };
}

/** As it is pasted from an article: without line breaks and markers, which are no part of the claim. */
function plain(text: string): string {
  return text
    .replace(/\[(?:\d+|[a-z]|citation needed|note \d+)\]/gi, '')
    .replace(/[\p{Cc}\p{Zs}\s]+/gu, ' ')
    .trim();
}

async function beginPage(
  asked: Exclude<CheckRequest, { kind: 'sentence' }>,
  wiki: CheckedWiki,
  fresh: Fresh,
): Promise<Begun> {
  const newest = await newestRevision(asked.title, wiki);
  if (newest === null) return { row: noPage(asked.title, fresh), job: null };
  const { page, revision } = newest;
  const anchors = asked.kind === 'page' ? [] : asked.anchors;
  const keys = anchors.map(({ claim, citations }) => `${claim}-${citations}`).sort();
  const subject = subjectOf(asked.kind, String(page.id), String(revision), ...keys);
  const scope = asked.kind === 'page' ? { scope: 'all' as const } : { scope: 'chosen' as const, chosen: anchors };
  const at = { wiki: wiki.id, page, revision, previous: null, request: fresh.id };
  const row = { ...fresh, page_id: page.id, page_title: page.title, revision, subject };
  return { row, job: { stage: 'articles', input: { ...at, ...scope } } };
}

/** A '|' would ask for several pages at once. */
async function newestRevision(title: string, wiki: CheckedWiki) {
  if (NO_TITLE.test(title)) return null;
  try {
    return await wiki.latestRevision(title);
  } catch (error) {
    if (!(error instanceof TransientError)) throw error;
    throw new RequestError('wiki_away', 'The wiki does not answer. Nothing was begun: try again in a minute.');
  }
}

/** https://www.mediawiki.org/wiki/Manual:Page_title#Invalid_page_titles */
const NO_TITLE = /[#<>[\]{}|\p{Cc}]/u;

function noPage(title: string, fresh: Fresh): CheckRow {
  const over = { state: 'failed', reason: 'no_page', finished_at: fresh.created_at } as const;
  return { ...fresh, ...over, page_title: title, subject: subjectOf('no_page', title) };
}

function subjectOf(...parts: string[]): string {
  return hashText(JSON.stringify(parts));
}
