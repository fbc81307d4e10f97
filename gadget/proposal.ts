/**
 * From a finding to an edit that can be looked at, and from there to a saved one: as the signed-in user, through the wiki's own
 * API. In: page, finding, kind of edit. Out: a proposal with its difference, or why there is none. Saves only what was shown.
 */
import { applySpans, type ChangeWish, changeWikitext, citedTemplate } from './change.ts';
import { describeWork } from './citoid.ts';
import type { DiffRow } from './diff.ts';
import type { EditFailure, EditKind, EditOptions, EditOutcome, Proposal } from './editing.ts';
import { readDiff } from './read-diff.ts';
import type { Row } from './state.ts';
import { existingTemplates, knownParameters } from './templates.ts';
import { type Answered, answerOf, failed, failureOf, PLAIN } from './wiki-api.ts';
import type { WorkStyle } from './work.ts';

/** Changes nothing. Never rejects. */
export async function prepare(
  api: mw.Api,
  page: string,
  row: Row,
  kind: EditKind,
  options: EditOptions,
): Promise<Proposal | EditFailure> {
  if (mw.config.get('wgUserName') === null) return failed('not_signed_in');
  const read = await readPage(api, page);
  if ('why' in read) return read;
  const wish = await askFor(api, read.wikitext, row, kind, options);
  const changed = changeWikitext(read.wikitext, kind, wish);
  if ('why' in changed) return changed;
  const wikitext = applySpans(read.wikitext, changed.spans);
  const [diff, reads] = await Promise.all([
    compare(api, read.revision, wikitext),
    changed.reference === null ? '' : render(api, page, changed.reference),
  ]);
  if ('why' in diff) return diff;
  const summary = summaryOf(row, options.config.summaries[kind]);
  const { revision: baseRevision } = read;
  return { kind, title: page, wikitext, baseRevision, summary, diff: diff.rows, reads, wish: { row, options } };
}

/** What this wiki knows of the source and calls its templates. */
async function askFor(
  api: mw.Api,
  wikitext: string,
  { finding }: Row,
  kind: EditKind,
  { config, language, now = new Date() }: EditOptions,
): Promise<ChangeWish> {
  const { suggestion } = finding;
  const isCiting = suggestion !== null && (kind === 'replace' || kind === 'add');
  const style: WorkStyle = { config, language, now, parameters: null, newTemplate: null };
  const cited = kind === 'replace' ? citedTemplate(wikitext, { finding, style, work: null, tagTemplate: null }) : null;
  const [work, known, parameters] = await Promise.all([
    isCiting ? describeWork(suggestion, config.citoid) : null,
    existingTemplates(api, kind === 'tag' ? config.templates.failedVerification : valuesOf(config.templateByType)),
    cited === null ? null : knownParameters(api, cited, config),
  ]);
  const types = work === null ? [] : [config.templateByType[work.type], config.templateByType.webpage];
  const newTemplate = types.filter((name) => name !== undefined && known.indexOf(name) >= 0)[0] ?? null;
  const tagTemplate = kind === 'tag' ? (known[0] ?? null) : null;
  return { finding, style: { ...style, parameters, newTemplate }, work, tagTemplate };
}

function valuesOf(templates: Readonly<Record<string, string>>): string[] {
  return Object.keys(templates).map((type) => templates[type] ?? '');
}

/** Against the revision that was shown: what somebody else has saved since is looked at first, never overwritten. */
export async function save(api: mw.Api, proposal: Proposal): Promise<EditOutcome> {
  const { changeTag } = proposal.wish.options.config;
  const first = await post(api, proposal, changeTag === '' ? {} : { tags: changeTag });
  const saved = first.kind === 'failed' && first.isTag ? await post(api, proposal, {}) : first;
  if (saved.kind === 'saved') return saved;
  const { failure } = saved;
  if (failure.why !== 'conflict') return { kind: 'failed', failure, proposal };
  const { row, options } = proposal.wish;
  const anew = await prepare(api, proposal.title, row, proposal.kind, options);
  if ('why' in anew) return { kind: 'failed', failure: anew, proposal: null };
  return { kind: 'failed', failure, proposal: { ...anew, summary: proposal.summary } };
}

type Posted = { kind: 'saved'; revision: number | null } | { kind: 'failed'; failure: EditFailure; isTag: boolean };

async function post(api: mw.Api, proposal: Proposal, more: { tags?: string }): Promise<Posted> {
  const { title, wikitext, summary, baseRevision } = proposal;
  const user = mw.config.get('wgUserName');
  if (user === null) return { kind: 'failed', failure: failed('not_signed_in'), isTag: false };
  // by revision: `mw.Api.edit` goes by time, and takes two revisions of one second for the same
  const base = { action: 'edit', title, baserevid: baseRevision, nocreate: true, notminor: true, assertuser: user };
  const saved = await answerOf<Saved>(api.postWithEditToken({ ...base, text: wikitext, summary, ...more, ...PLAIN }));
  if (saved.kind === 'failed') return { ...saved, isTag: more.tags !== undefined && saved.failure.why === 'refused' };
  const { result, newrevid, captcha } = saved.answer.edit;
  if (result === 'Success') return { kind: 'saved', revision: newrevid ?? null };
  return { kind: 'failed', failure: failed(captcha === undefined ? 'refused' : 'captcha'), isTag: false };
}

interface Read {
  wikitext: string;
  revision: number;
}

async function readPage(api: mw.Api, title: string): Promise<Read | EditFailure> {
  const read = await answerOf<PageText>(api.get({ ...READ, titles: title, ...PLAIN }));
  if (read.kind === 'failed') return read.failure;
  const page = read.answer.query.pages[0];
  const revision = page?.revisions?.[0];
  if (revision === undefined) return failed('page_gone');
  const errors = page?.actions?.edit ?? [];
  const [error] = errors;
  if (error !== undefined) return failureOf(error.code, { errors });
  return { wikitext: revision.slots.main.content, revision: revision.revid };
}

async function compare(api: mw.Api, fromrev: number, text: string): Promise<{ rows: DiffRow[] } | EditFailure> {
  const slots = { toslots: 'main', 'totext-main': text, 'tocontentmodel-main': 'wikitext' };
  const compared: Answered<Compared> = await answerOf(
    api.post({ action: 'compare', fromrev, ...slots, prop: 'diff', ...PLAIN }),
  );
  return compared.kind === 'failed' ? compared.failure : { rows: readDiff(compared.answer.compare.body) };
}

/** As text; '' if the wiki does not say: the difference is what counts. */
async function render(api: mw.Api, title: string, text: string): Promise<string> {
  const ask = { action: 'parse', title, text, contentmodel: 'wikitext', prop: 'text', disablelimitreport: true };
  const parsed = await answerOf<Parsed>(api.post({ ...ask, ...PLAIN }));
  if (parsed.kind === 'failed') return '';
  const html = new DOMParser().parseFromString(parsed.answer.parse.text, 'text/html');
  html.querySelectorAll('style, script, .error, .mw-editsection').forEach((hidden) => {
    hidden.remove();
  });
  return (html.body.textContent ?? '').replace(/\s+/g, ' ').trim();
}

function summaryOf({ id, finding }: Row, summary: string): string {
  const address = finding.suggestion?.url ?? '';
  return summary.replace(/\$1/g, () => hostOf(address)).replace(/\$2/g, String(id));
}

function hostOf(address: string): string {
  try {
    return new URL(address).hostname;
  } catch {
    return '';
  }
}

/** And whether this person may edit the page: nobody should look at an edit that can't be saved. */
const READ = {
  action: 'query',
  prop: 'revisions|info',
  rvprop: 'content|ids',
  rvslots: 'main',
  intestactions: 'edit',
  intestactionsdetail: 'full',
};

interface PageText {
  query: {
    pages: {
      revisions?: { revid: number; slots: { main: { content: string } } }[];
      actions?: { edit?: { code: string; text?: string }[] };
    }[];
  };
}

interface Compared {
  compare: { body: string };
}

interface Parsed {
  parse: { text: string };
}

/** Without `newrevid` the page was so already. */
interface Saved {
  edit: { result: string; newrevid?: number; captcha?: unknown };
}
