/**
 * Asks for checks, follows them until they end, and goes on with those of an earlier visit or another tab. In: the service and
 * what this browser keeps. Out: actions. Draws nothing.
 */
import { type Check, type CheckAction, type Entry, entryOf, hasEnded, type Refusal, type Subject } from './check.ts';
import { follow } from './follow.ts';
import { anchorOf } from './hash.ts';
import type { KeptChecks } from './kept-checks.ts';
import { type CheckWish, type Service, ServiceError } from './service.ts';
import type { Store } from './store.ts';

export interface RunChecks {
  start(subject: Subject): Promise<void>;
  cancel(id: string): Promise<void>;
  dismiss(id: string): void;
  /** Goes on with what is kept. */
  resume(): void;
  /** Follows nothing any more. */
  stop(): void;
}

export interface RunChecksOptions {
  service: Service;
  kept: KeptChecks;
  wiki: string;
  /** Of the article. */
  title: string;
  store: Store;
  /** More claims were judged, or all of them. */
  judged(subject: Subject): void;
}

export function createRunChecks(options: RunChecksOptions): RunChecks {
  const { service, kept, store } = options;
  const dispatch = (action: CheckAction) => store.dispatch({ type: 'check', action });
  const ends = new Map<string, () => void>();
  const begin = (entry: Entry) => {
    dispatch({ type: 'started', entry });
    ends.set(entry.id, follow(service, entry.id, listenerOf(entry, options)));
  };
  return {
    async start(subject) {
      dispatch({ type: 'starting', subject });
      try {
        const wish = await wishOf(subject, options);
        const { check, key } = await service.start(wish);
        const entry = { id: check.id, key, subject, check, isLost: false };
        kept.add(entry);
        begin(entry);
      } catch (error) {
        dispatch({ type: 'refused', refusal: refusalOf(subject, error) });
      }
    },
    async cancel(id) {
      const entry = store.state.checks.entries.filter((one) => one.id === id)[0];
      if (entry === undefined) return;
      try {
        const check = await service.cancel(id, entry.key);
        kept.remove(id);
        ends.get(id)?.();
        // it goes on where others wait for it, too
        dispatch(hasEnded({ check }) ? { type: 'heard', check } : { type: 'forgotten', id });
      } catch (error) {
        dispatch({ type: 'refused', refusal: refusalOf(entry.subject, error) });
      }
    },
    dismiss(id) {
      kept.remove(id);
      ends.get(id)?.();
      dispatch({ type: 'forgotten', id });
    },
    resume() {
      const known = store.state.checks.entries.map(({ id }) => id);
      kept
        .read()
        .filter(({ id }) => known.indexOf(id) < 0)
        .forEach(begin);
    },
    stop() {
      ends.forEach((end) => {
        end();
      });
      ends.clear();
    },
  };
}

function listenerOf(entry: Entry, { kept, store, judged }: RunChecksOptions) {
  const dispatch = (action: CheckAction) => store.dispatch({ type: 'check', action });
  const { id, subject } = entry;
  let known = -1;
  return {
    heard(check: Check) {
      dispatch({ type: 'heard', check });
      const isOver = hasEnded({ check });
      // a sentence's result is kept until the reader is done with it
      if (isOver && subject.kind !== 'sentence') kept.remove(id);
      const count = check.claims?.checked ?? 0;
      if (subject.kind === 'sentence' || (!isOver && count === known)) return;
      known = count;
      judged(subject);
    },
    lost: () => dispatch({ type: 'lost', id }),
    forgotten() {
      kept.remove(id);
      const isShown = entryOf(store.state.checks, subject)?.id === id;
      dispatch({ type: 'forgotten', id });
      if (isShown) dispatch({ type: 'refused', refusal: { subject, why: 'forgotten', detail: '' } });
    },
  };
}

async function wishOf(subject: Subject, { wiki, title, store }: RunChecksOptions): Promise<CheckWish> {
  if (subject.kind === 'page') return { kind: 'page', wiki, title };
  if (subject.kind === 'sentence') return { kind: 'sentence', wiki, title, text: subject.text };
  const found = store.state.rows.filter(({ id }) => id === subject.finding)[0];
  if (found === undefined) throw new ServiceError(404, 'not_found', '');
  return { kind: 'claims', wiki, title, anchors: [await anchorOf(found.finding)] };
}

function refusalOf(subject: Subject, error: unknown): Refusal {
  if (!(error instanceof ServiceError) || error.status === 0) return { subject, why: 'unreachable', detail: '' };
  if (error.status === 429) return { subject, why: 'too_many', detail: '' };
  return { subject, why: 'refused', detail: error.message || error.code };
}
