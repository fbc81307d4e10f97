/** Makes the edit as the signed-in user, through the wiki's own API. In: a finding with a suggestion. Out: how it went. */
import type { Finding } from '../shared/citation.ts';
import { replaceCitation } from './replace.ts';
import { type EditFailure, weakestCitation } from './state.ts';

export type EditOutcome = { kind: 'saved'; revision: number | null } | ({ kind: 'failed' } & EditFailure);

/** Saves against the text that was just read; if somebody else was quicker, once more against theirs. */
export async function applySuggestion(api: mw.Api, page: string, finding: Finding): Promise<EditOutcome> {
  const outcome = await tryEdit(api, page, finding);
  return outcome.kind === 'failed' && outcome.why === 'conflict' ? tryEdit(api, page, finding) : outcome;
}

async function tryEdit(api: mw.Api, page: string, finding: Finding): Promise<EditOutcome> {
  const user = mw.config.get('wgUserName');
  if (user === null) return failed('not_signed_in');
  const read = await answerOf<PageText>(api.get({ ...READ, titles: page }));
  if (read.kind === 'failed') return read;
  const revision = read.answer.query.pages[0]?.revisions?.[0];
  const edit = revision === undefined ? null : editOf(revision.slots.main.content, finding);
  if (revision === undefined || edit === null) return failed('not_found');
  // by revision: `mw.Api.edit` goes by time, and takes two revisions of one second for the same
  const base = { action: 'edit', title: page, baserevid: revision.revid, nocreate: true, assertuser: user };
  const saved = await answerOf<Saved>(api.postWithEditToken({ ...base, ...edit, formatversion: '2' }));
  if (saved.kind === 'failed') return saved;
  const { result, newrevid } = saved.answer.edit;
  return result === 'Success' ? { kind: 'saved', revision: newrevid ?? null } : failed('refused');
}

/** null if the claim's citation is not in this text. */
function editOf(wikitext: string, finding: Finding): { text: string; summary: string } | null {
  const { claim, suggestion } = finding;
  if (suggestion === null) return null;
  const cited = weakestCitation(finding);
  const accessDate = new Date().toISOString().slice(0, 10);
  const replaced = replaceCitation(wikitext, { claim, cited, source: suggestion, accessDate });
  if (replaced.kind === 'not_found') return null;
  return { text: replaced.wikitext, summary: summaryOf(suggestion.url, cited === null) };
}

function summaryOf(url: string, isNew: boolean): string {
  const source = new URL(url).hostname;
  const done = isNew ? `Cite ${source}` : `Replace a citation that does not support its sentence with ${source}`;
  return `${done} (found with Sidelight)`;
}

type Answered<T> = { kind: 'answered'; answer: T } | Extract<EditOutcome, { kind: 'failed' }>;

/** The answer of a request as the API documents it for its parameters, hence the cast; or why there is none. */
function answerOf<T>(request: mw.Api.AbortablePromise): Promise<Answered<T>> {
  return new Promise((resolve) => {
    request
      .done((answer) => resolve({ kind: 'answered', answer: answer as T }))
      .fail((code: string, answer?: unknown) => resolve(failed(FAILURES[code] ?? 'refused', answer)));
  });
}

function failed(why: EditFailure['why'], answer?: unknown): Extract<EditOutcome, { kind: 'failed' }> {
  // of https://www.mediawiki.org/wiki/API:Errors_and_warnings, or what jQuery says of a failed request
  const { error } = (answer ?? {}) as { error?: { info?: string } };
  return { kind: 'failed', why, detail: error?.info ?? '' };
}

const READ = { action: 'query', prop: 'revisions', rvprop: 'content|ids', rvslots: 'main', formatversion: '2' };

interface PageText {
  query: { pages: { revisions?: { revid: number; slots: { main: { content: string } } }[] }[] };
}

/** Without `newrevid` the page was so already. */
interface Saved {
  edit: { result: string; newrevid?: number };
}

const FAILURES: Record<string, EditFailure['why'] | undefined> = {
  missingtitle: 'not_found',
  editconflict: 'conflict',
  assertnameduserfailed: 'not_signed_in',
  http: 'unreachable',
};
