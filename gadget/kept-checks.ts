/** Checks that go on while their page is left: kept with the browser, for a day. What another script wrote there is not trusted. */
import type { Entry, Subject } from './check.ts';

export interface KeptChecks {
  /** Of this page. */
  read(): Entry[];
  add(entry: Entry): void;
  remove(id: string): void;
  /** `changed`: in another tab of this browser. */
  watch(changed: () => void): void;
}

interface Kept {
  id: string;
  key: string;
  page: string;
  subject: Subject;
}

export function createKeptChecks(page: string): KeptChecks {
  return {
    read: () =>
      readAll()
        .filter((one) => one.page === page)
        .map(({ id, key, subject }) => ({ id, key, subject, check: null, isLost: false })),
    add({ id, key, subject }) {
      write(without(id).concat({ id, key, page, subject }));
    },
    remove: (id) => write(without(id)),
    watch(changed) {
      window.addEventListener('storage', ({ key }) => {
        if (key === KEY) changed();
      });
    },
  };
}

function without(id: string): Kept[] {
  return readAll().filter((one) => one.id !== id);
}

function write(checks: readonly Kept[]): void {
  mw.storage.setObject(KEY, checks.slice(-MOST), DAY_S);
}

function readAll(): Kept[] {
  const kept: unknown = mw.storage.getObject(KEY);
  return Array.isArray(kept) ? kept.filter(isKept) : [];
}

function isKept(value: unknown): value is Kept {
  const { id, key, page, subject } = Object(value) as Partial<Record<keyof Kept, unknown>>;
  return (
    typeof id === 'string' && ID.test(id) && typeof key === 'string' && typeof page === 'string' && isSubject(subject)
  );
}

function isSubject(value: unknown): value is Subject {
  const { kind, finding, text } = Object(value) as Record<string, unknown>;
  if (kind === 'claims') return typeof finding === 'number';
  return kind === 'page' || (kind === 'sentence' && typeof text === 'string');
}

const KEY = 'sidelight-checks';
const ID = /^[a-z0-9][a-z0-9_]{0,40}$/;
const MOST = 50;
const DAY_S = 24 * 60 * 60;
