/** Has a talk page ask for the bot's reports: looks whether it does, and puts the template there as the user's own edit. Out: actions. */
import type { DiffRow } from './diff.ts';
import type { EditFailure } from './editing.ts';
import type { Report, Wish } from './report.ts';
import type { Store } from './store.ts';
import { answerOf, failed, PLAIN } from './wiki-api.ts';

export interface AskReportOptions {
  api: mw.Api;
  /** Title of the talk page. */
  talk: string;
  store: Store;
}

export interface AskReport {
  /** `template`: its name, without the namespace. */
  look(template: string): Promise<void>;
  prepare(summary: string): Promise<void>;
  save(summary: string): Promise<void>;
  back(): void;
}

export function createAskReport({ api, talk, store }: AskReportOptions): AskReport {
  const dispatch = (report: Report) => store.dispatch({ type: 'report', report });
  const nameOf = () => {
    const now = store.state.report;
    return now.step === 'unknown' ? '' : now.template;
  };
  const look = async (template: string): Promise<PageOf | EditFailure> => {
    const titles = { titles: talk, tltemplates: `Template:${template}` };
    const read = await answerOf<{ query: { pages: PageOf[] } }>(api.get({ ...READ, ...titles, ...PLAIN }));
    if (read.kind === 'failed') return read.failure;
    return read.answer.query.pages[0] ?? failed('refused');
  };
  return {
    async look(template) {
      const page = await look(template);
      if (!('why' in page)) dispatch({ step: page.templates === undefined ? 'missing' : 'there', template });
    },
    async prepare(summary) {
      const template = nameOf();
      if (mw.config.get('wgUserName') === null) {
        return dispatch({ step: 'failed', template, failure: failed('not_signed_in') });
      }
      const page = await look(template);
      if ('why' in page) return dispatch({ step: 'failed', template, failure: page });
      if (page.templates !== undefined) return dispatch({ step: 'there', template });
      dispatch({ step: 'preview', template, wish: wishOf(template, page, summary), failure: null });
    },
    async save(summary) {
      const now = store.state.report;
      if (now.step !== 'preview') return;
      const { template } = now;
      const wish = { ...now.wish, summary };
      dispatch({ step: 'saving', template, wish, failure: null });
      const edit = { action: 'edit', title: talk, prependtext: wish.prepended, summary, notminor: true };
      const user = mw.config.get('wgUserName') ?? '';
      const saved = await answerOf<Saved>(api.postWithEditToken({ ...edit, assertuser: user, ...PLAIN }));
      const failure = saved.kind === 'failed' ? saved.failure : failureOf(saved.answer);
      dispatch(failure === null ? { step: 'saved', template } : { step: 'preview', template, wish, failure });
    },
    back: () => dispatch({ step: 'missing', template: nameOf() }),
  };
}

interface PageOf {
  /** Those that were asked about and stand on the page. */
  templates?: unknown[];
  revisions?: { slots: { main: { content: string } } }[];
}

interface Saved {
  edit: { result: string; captcha?: unknown };
}

function failureOf({ edit }: Saved): EditFailure | null {
  if (edit.result === 'Success') return null;
  return failed(edit.captcha === undefined ? 'refused' : 'captcha');
}

/** What stands on the page stays as it is: the first of it is shown below what comes before it. */
function wishOf(template: string, { revisions }: PageOf, summary: string): Wish {
  const added = `{{${template}}}`;
  const first = (revisions?.[0]?.slots.main.content ?? '').split('\n')[0] ?? '';
  const line: DiffRow = { kind: 'changed', before: null, after: [{ text: added, isMarked: true }] };
  const diff: DiffRow[] = first === '' ? [line] : [line, { kind: 'same', text: first }];
  return { prepended: `${added}\n`, summary, diff };
}

const READ = { action: 'query', prop: 'templates|revisions', rvprop: 'content', rvslots: 'main' };
