/** Checks that a reader asked for, as plain data. In: what the service said of them. Out: what is known of each. Asks nothing. */
import type { Found } from '../shared/found.ts';

/** A check as the service gives it (workers/review/checks/check.ts). */
export interface Check {
  id: string;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  reason: 'no_page' | 'unreadable' | 'failed' | null;
  /** Since when it waits for workers; ISO time. */
  idleSince: string | null;
  stages: readonly { stage: string; done: number; total: number }[];
  claims: { checked: number; total: number } | null;
  etaSeconds: number | null;
  found: Found | null;
}

/** What is checked: the page, the citation of a finding, or words that were selected. */
export type Subject = { kind: 'page' } | { kind: 'claims'; finding: number } | { kind: 'sentence'; text: string };

/** A check that this reader asked for, on this page. */
export interface Entry {
  id: string;
  /** By which it can be cancelled. */
  key: string;
  subject: Subject;
  /** What was heard of it last; null: nothing yet. */
  check: Check | null;
  /** The service does not answer for it now; it is asked again. */
  isLost: boolean;
}

export interface Checks {
  entries: readonly Entry[];
  /** What the service is being asked to check; null: nothing. */
  starting: Subject | null;
  refusal: Refusal | null;
}

/** Why a check was not taken. `detail`: the service's own words, '' for none. */
export interface Refusal {
  subject: Subject;
  why: 'unreachable' | 'too_many' | 'refused' | 'forgotten';
  detail: string;
}

export type CheckAction =
  | { type: 'starting'; subject: Subject }
  | { type: 'started'; entry: Entry }
  | { type: 'refused'; refusal: Refusal }
  | { type: 'heard'; check: Check }
  | { type: 'lost'; id: string }
  /** Nobody wants to see it any more, or the service does not know it. */
  | { type: 'forgotten'; id: string };

export const noChecks: Checks = { entries: [], starting: null, refusal: null };

export function reduceChecks(checks: Checks, action: CheckAction): Checks {
  const { entries } = checks;
  const others = (id: string) => entries.filter((entry) => entry.id !== id);
  switch (action.type) {
    case 'starting':
      return { ...checks, starting: action.subject, refusal: null };
    case 'started':
      return { entries: others(action.entry.id).concat(action.entry), starting: null, refusal: null };
    case 'refused':
      return { ...checks, starting: null, refusal: action.refusal };
    case 'heard':
      return { ...checks, entries: entries.map((entry) => hear(entry, action.check)) };
    case 'lost':
      return {
        ...checks,
        entries: entries.map((entry) => (entry.id === action.id ? { ...entry, isLost: true } : entry)),
      };
    case 'forgotten':
      return { ...checks, entries: others(action.id) };
  }
}

/** What ended stays so: an answer that was under way longer than another says what was. */
function hear(entry: Entry, check: Check): Entry {
  if (entry.id !== check.id || hasEnded(entry)) return entry;
  return { ...entry, check, isLost: false };
}

export function hasEnded({ check }: Pick<Entry, 'check'>): boolean {
  return check !== null && check.state !== 'waiting' && check.state !== 'running';
}

export function isSame(a: Subject, b: Subject): boolean {
  return subjectKey(a) === subjectKey(b);
}

export function subjectKey(subject: Subject): string {
  if (subject.kind === 'claims') return `claims ${subject.finding}`;
  return subject.kind === 'page' ? 'page' : `sentence ${subject.text}`;
}

/** The newest check of this subject; null: there is none. */
export function entryOf({ entries }: Checks, subject: Subject): Entry | null {
  return entries.filter((entry) => isSame(entry.subject, subject)).pop() ?? null;
}

/** The stage that is at work: the first in which something is left to do; null: that is not known. */
export function stageAtWork({ stages }: Check): string | null {
  return stages.filter(({ done, total }) => done < total)[0]?.stage ?? null;
}

/** Both arms of a search are one stage to people. */
export function shownStages({ stages }: Pick<Check, 'stages'>): Check['stages'] {
  const [first, ...rest] = stages.filter(({ stage }) => /^retrieval-/.test(stage));
  const others = stages.filter((stage) => rest.indexOf(stage) < 0);
  return others.map((one) => (one === first ? [one].concat(rest).reduce(together) : one));
}

function together(one: Check['stages'][0], other: Check['stages'][0]): Check['stages'][0] {
  return { ...one, done: one.done + other.done, total: one.total + other.total };
}
