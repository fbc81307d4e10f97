/** What each page of the panel is drawn from: the state, the messages, what can be done and where links lead. */
import type { Reliability } from '../shared/citation.ts';
import type { Subject } from './check.ts';
import type { EditKind } from './editing.ts';
import type { Messages } from './messages.ts';
import type { SiteConfig } from './site-config.ts';
import type { State, What } from './state.ts';

export interface View {
  state: State;
  msg: Messages;
  act: Actions;
  urls: Urls;
  page: PageKind;
  /** Null until the wiki has answered. */
  config: SiteConfig | null;
  /** Origin of the service. */
  service: string;
}

/** What is being read. */
export type PageKind =
  | { kind: 'article'; title: string }
  /** `title`: of the article; `talk`: of this page. */
  | { kind: 'talk'; title: string; talk: string }
  | { kind: 'user'; user: string }
  /** `page`: title with its namespace, without its subpage. */
  | { kind: 'project'; page: string; project: string };

export interface Actions {
  agree(): void;
  withdraw(): void;
  close(): void;
  open(what: What): void;
  /** Asks for the findings again. */
  ask(): void;
  check(subject: Subject): void;
  cancel(id: string): void;
  dismiss(id: string): void;
  prepare(id: number, kind: EditKind): void;
  save(summary: string): void;
  /** From a preview to where it was asked for. */
  back(): void;
  prepareReport(): void;
  saveReport(summary: string): void;
  backFromReport(): void;
}

export interface Urls {
  /** Page of a finding on the review service. */
  review(id: number): string;
  /** The review page's list of what this page shows. */
  reviewList(): string;
  /** An article of this wiki, with its finding opened. */
  article(title: string, finding: number): string;
  /** What an edit changed. */
  change(revision: number): string;
  /** A list of sites, as it was read. */
  list(reliability: Reliability): string;
}
