/** The panel on an article's talk page: what is open in the article, another check of it, and the bot's reports. */
import type { Verdict } from '../shared/citation.ts';
import { checkOf, checkStatus } from './checking.ts';
import { button, element, text } from './dom.ts';
import { failureText } from './editing.ts';
import { summaryField } from './editing-view.ts';
import type { Content } from './frame.ts';
import { coverageOf, linkedItemOf, listOf } from './listing.ts';
import { previewOf } from './preview.ts';
import { openRows } from './state.ts';
import type { View } from './view.ts';
import { dayText, verdictName } from './wording.ts';

export function talkContent(view: View): Content {
  const { state, msg } = view;
  const { report } = state;
  return {
    heading: msg('talk-heading'),
    body: [
      ...coverageOf(view),
      ...summaryOf(view),
      ...listOf(openRows(state).map((row) => linkedItemOf(view, row))),
      ...reportOf(view),
    ],
    foot: checkOf(view, { kind: 'page' }, msg(state.coverage === null ? 'check-page' : 'check-again')),
    status:
      'failure' in report && report.failure !== null
        ? failureText(report.failure, msg)
        : checkStatus(view, { kind: 'page' }) || (report.step === 'saving' ? msg('edit-saving') : ''),
  };
}

function summaryOf({ state, msg }: View): Node[] {
  const { summary } = state;
  if (summary === null) return [];
  const { checkedAt, optedOut } = summary;
  return [
    ...(optedOut ? [text('p', msg('talk-opted-out'))] : []),
    ...(checkedAt === null ? [] : [text('p', msg('talk-checked', dayText(checkedAt, msg)))]),
    ...countsOf(summary.counts, msg),
  ];
}

export function countsOf(counts: Partial<Record<Verdict, number>>, msg: View['msg']): Node[] {
  const known = SHOWN.filter((verdict) => (counts[verdict] ?? 0) > 0);
  const items = known.map((verdict) =>
    text('li', msg('talk-counts', verdictName(verdict, msg), counts[verdict] ?? 0), `sidelight-${verdict}`),
  );
  return items.length === 0 ? [] : [element('ul', 'sidelight-counts', items)];
}

function reportOf(view: View): Node[] {
  const { state, msg, act } = view;
  const { report } = state;
  if (report.step === 'unknown') return [];
  const heading = text('h3', msg('report-heading'));
  if (report.step === 'saved') return [heading, text('p', msg('report-saved'))];
  if (report.step === 'there') return [heading, text('p', msg('report-there', report.template))];
  if (report.step === 'preview' || report.step === 'saving') {
    const { wish, step } = report;
    const save = button(msg('edit-save'), 'sidelight-button sidelight-primary', 'save-report', () =>
      act.saveReport(summaryField.read()),
    );
    save.setAttribute('aria-disabled', String(step === 'saving'));
    const back = button(msg('edit-back'), 'sidelight-button', 'back-report', act.backFromReport);
    const buttons = element('p', 'sidelight-buttons', [save, back]);
    return [heading, ...previewOf({ diff: wish.diff, reads: '' }, msg), summaryField.draw(wish.summary, msg), buttons];
  }
  const ask = button(msg('report-ask'), 'sidelight-button', 'report', act.prepareReport);
  return [heading, text('p', msg('report-missing', report.template)), element('p', '', [ask])];
}

/** What may have something to mend, the most pressing first. */
const SHOWN: readonly Verdict[] = ['contradicted', 'not_supported', 'partially_supported', 'unsourced', 'unavailable'];
