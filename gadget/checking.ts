/** Checks in the panel: what asks for one, how far it is, and what a sentence's check found. */
import {
  type Check,
  type Entry,
  entryOf,
  hasEnded,
  isSame,
  type Refusal,
  type Subject,
  shownStages,
  stageAtWork,
  subjectKey,
} from './check.ts';
import { button, element, text } from './dom.ts';
import { foundOf } from './found.ts';
import type { Content } from './frame.ts';
import type { MessageKey, Messages } from './messages.ts';
import { LONGEST, SHORTEST } from './selection.ts';
import type { View } from './view.ts';

/** A button that asks for a check of this, or how the one that goes on is. */
export function checkOf(view: View, subject: Subject, label: string): Node[] {
  const { state, act, msg } = view;
  const entry = entryOf(state.checks, subject);
  if (entry !== null && !hasEnded(entry)) return [progressOf(view, entry)];
  const isStarting = state.checks.starting !== null;
  const start = button(label, 'sidelight-button', subjectKey(subject), () => isStarting || act.check(subject));
  start.setAttribute('aria-disabled', String(isStarting)); // not `disabled`: it would lose the focus
  const said =
    isStarting && isSame(state.checks.starting ?? subject, subject) ? [text('small', msg('check-starting'))] : [];
  return [start, ...said];
}

/** What is read out of a check: not each step of it, but each stage. '' where nothing goes on. */
export function checkStatus({ state, msg }: View, subject: Subject): string {
  const { refusal } = state.checks;
  if (refusal !== null && isSame(refusal.subject, subject)) return refusalText(refusal, msg);
  const entry = entryOf(state.checks, subject);
  if (entry === null) return '';
  if (entry.isLost) return msg('check-lost');
  return entry.check === null ? msg('check-starting') : stateText(entry.check, msg);
}

function refusalText({ why, detail }: Refusal, msg: Messages): string {
  return why === 'refused' ? msg('check-refused', detail) : msg(`check-${why}`);
}

function stateText(check: Check, msg: Messages): string {
  const { state, reason } = check;
  if (state === 'failed')
    return msg(reason === null || reason === 'failed' ? 'check-failed' : `check-failed-${reason}`);
  if (state !== 'running') return msg(`check-${state}`);
  const stage = stageAtWork(check);
  return `${msg('check-running')}${stage === null ? '' : ` – ${stageText(stage, msg)}`}`;
}

function stageText(stage: string, msg: Messages): string {
  const key = STAGES.get(stage.replace(/^(retrieval)-.*$/, '$1'));
  return key === undefined ? stage : msg(key);
}

function progressOf(view: View, { id, check }: Entry): HTMLElement {
  const { msg, act } = view;
  const said = check === null ? [] : stepsOf(check, msg);
  const cancel = button(msg('check-cancel'), 'sidelight-button', `cancel-${id}`, () => act.cancel(id));
  return element('div', 'sidelight-progress', [...said, text('small', msg('check-leave')), cancel]);
}

function stepsOf(check: Check, msg: Messages): Node[] {
  const { stages, claims, idleSince } = check;
  const steps = shownStages({ stages }).map(({ stage, done, total }) =>
    element('li', done < total ? '' : 'sidelight-ended', [
      text('span', stageText(stage, msg)),
      text('span', msg('check-steps', done, total)),
    ]),
  );
  const facts = [claims === null ? '' : msg('check-claims', claims.checked, claims.total), etaText(check, msg)].filter(
    (fact) => fact !== '',
  );
  return [
    barOf(check, msg),
    text('p', facts.join(' · ') || stateText(check, msg)),
    ...(steps.length === 0 ? [] : [element('ol', 'sidelight-stages', steps)]),
    ...(idleSince === null ? [] : [text('p', msg('check-idle'))]),
  ];
}

/** Of claims, where they are known: jobs of later stages are not all known from the beginning. */
function barOf({ claims, stages }: Check, msg: Messages): HTMLElement {
  const steps = claims === null ? stages.map(({ done, total }) => ({ checked: done, total })) : [claims];
  const total = steps.reduce((sum, step) => sum + step.total, 0);
  const bar = document.createElement('progress');
  bar.max = Math.max(total, 1);
  bar.value = steps.reduce((sum, step) => sum + step.checked, 0);
  bar.setAttribute('aria-label', msg('check-progress'));
  return bar;
}

function etaText({ etaSeconds }: Check, msg: Messages): string {
  if (etaSeconds === null) return '';
  if (etaSeconds < 90) return msg('check-seconds', Math.max(5, Math.ceil(etaSeconds / 5) * 5));
  return msg('check-minutes', Math.round(etaSeconds / 60));
}

/** What is selected, and the sentences that were checked on this page. */
export function sentencesOf(view: View): Node[] {
  const { state, msg, act } = view;
  const items = state.checks.entries.map((entry) => {
    if (entry.subject.kind !== 'sentence') return null;
    const open = button(entry.subject.text, 'sidelight-claim-link', `check-${entry.id}`, () =>
      act.open({ check: entry.id }),
    );
    open.dir = 'auto';
    const how = entry.check?.found ? msg(`found-${entry.check.found.verdict}`) : checkStatus(view, entry.subject);
    return element('li', '', [open, text('small', how)]);
  });
  const checked = items.filter((item) => item !== null);
  const list = checked.length === 0 ? [] : [text('h3', msg('sentences')), element('ul', 'sidelight-list', checked)];
  return [...selectedOf(view), ...list];
}

function selectedOf(view: View): Node[] {
  const { state, msg } = view;
  const { selection } = state;
  if (selection.length < SHORTEST) return [text('p', msg('check-select'), 'sidelight-hint')];
  if (selection.length > LONGEST) return [text('p', msg('check-too-long', LONGEST), 'sidelight-hint')];
  const subject = { kind: 'sentence', text: selection } as const;
  const refused = state.checks.refusal !== null ? [text('p', checkStatus(view, subject))] : [];
  return [
    text('p', msg('check-selected', selection), 'sidelight-selected'),
    element('p', '', checkOf(view, subject, msg('check-sentence'))),
    ...refused,
  ];
}

/** The check of one sentence; null: there is no such check any more. */
export function sentenceContent(view: View, id: string): Content | null {
  const { state, msg, act } = view;
  const entry = state.checks.entries.filter((one) => one.id === id)[0];
  if (entry === undefined || entry.subject.kind !== 'sentence') return null;
  const found = entry.check?.found ?? null;
  const dismiss = button(msg('check-dismiss'), 'sidelight-link', `dismiss-${id}`, () => act.dismiss(id));
  return {
    heading: msg('sentence-heading'),
    body: [
      text('blockquote', entry.subject.text, 'sidelight-claim'),
      ...(hasEnded(entry) ? [] : [progressOf(view, entry)]),
      ...(found === null ? [] : foundOf(found, msg)),
    ],
    foot: [
      element('p', 'sidelight-links', [
        button(msg('list-all'), 'sidelight-link', 'list', () => act.open('list')),
        ...(hasEnded(entry) ? [dismiss] : []),
      ]),
    ],
    status: found === null ? checkStatus(view, entry.subject) : msg(`found-${found.verdict}`),
  };
}

/** No object, which would know `constructor`, too: names of stages come from elsewhere. */
const STAGES = new Map<string, MessageKey>([
  ['articles', 'stage-articles'],
  ['sources', 'stage-sources'],
  ['verification', 'stage-verification'],
  ['retrieval', 'stage-retrieval'],
  ['suggestion', 'stage-suggestion'],
  ['review', 'stage-review'],
  ['find', 'stage-find'],
]);
