/** Asks the service for what a page shows, and again when there may be more. Out: actions. An answer that is overtaken is dropped. */
import type { Service } from './service.ts';
import type { SiteConfig } from './site-config.ts';
import type { Answer } from './state.ts';
import type { Store } from './store.ts';
import type { PageKind } from './view.ts';

export interface AskOptions {
  store: Store;
  service: Service;
  /** Id of this wiki, as findings have it. */
  wiki: string;
  page: PageKind;
  /** The wiki's own settings. */
  config(): Promise<SiteConfig>;
}

export interface Ask {
  now(): Promise<void>;
  /** While a check goes on its findings come one by one, and are asked for now and then. */
  soon(): void;
  /** What is under way is not wanted any more. */
  stop(): void;
}

export function createAsk(options: AskOptions): Ask {
  const { store } = options;
  let turn = 0;
  let timer = 0;
  const now = async () => {
    const mine = ++turn;
    store.dispatch({ type: 'asking' });
    const answer = await load(options).catch(() => null);
    if (mine === turn) store.dispatch(answer === null ? { type: 'unreachable' } : { type: 'answered', ...answer });
  };
  return {
    now,
    soon() {
      clearTimeout(timer);
      timer = window.setTimeout(now, SOON_MS);
    },
    stop() {
      clearTimeout(timer);
      turn++;
    },
  };
}

async function load({ service, wiki, page, config }: AskOptions): Promise<Answer> {
  if (page.kind === 'article') return { ...(await service.findings(wiki, { page: page.title }, MOST)), summary: null };
  if (page.kind === 'talk') {
    const [findings, summary] = await Promise.all([
      service.findings(wiki, { page: page.title }, MOST),
      service.summary(wiki, page.title).catch(() => null), // of a page that it does not know
    ]);
    return { ...findings, summary };
  }
  const whose = page.kind === 'user' ? { user: page.user } : { project: projectOf(page, await config()) };
  const [findings, counts] = await Promise.all([service.findings(wiki, whose, FIRST), service.counts(wiki, whose)]);
  return { ...findings, summary: { counts, optedOut: false, checkedAt: null } };
}

/** As the service knows it: the wiki may say which of its pages is whose. */
export function projectOf({ page, project }: Extract<PageKind, { kind: 'project' }>, { projects }: SiteConfig): string {
  return projects[page] ?? project;
}

/** Of an article: what the service gives at most. */
const MOST = 200;
/** Of a queue: what is shown. */
const FIRST = 10;
const SOON_MS = 1500;
