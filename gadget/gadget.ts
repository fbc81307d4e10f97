/**
 * Joins the parts: asks the service after the reader has agreed, keeps the state, has it drawn, and does what is pressed. What
 * is shown is decided in state.ts and panel.ts.
 */
import { createAsk } from './ask.ts';
import { createAskReport } from './ask-report.ts';
import { findBadge, markBadges, placeBadges } from './badges.ts';
import { loadSiteConfig } from './config-page.ts';
import type { Consent } from './consent.ts';
import { createFrame } from './frame.ts';
import type { KeptChecks } from './kept-checks.ts';
import { createMend } from './mend.ts';
import type { Messages } from './messages.ts';
import { panelContent } from './panel.ts';
import { createRunChecks } from './run-checks.ts';
import { watchSelection } from './selection.ts';
import type { Service } from './service.ts';
import type { SiteConfig } from './site-config.ts';
import { initial, openRows, type State, type What } from './state.ts';
import { createStore } from './store.ts';
import { createTool } from './tool.ts';
import { toolText } from './tool-text.ts';
import { createUrls, linkedFinding } from './urls.ts';
import type { Actions, PageKind } from './view.ts';

export interface GadgetOptions {
  service: Service;
  consent: Consent;
  kept: KeptChecks;
  api: mw.Api;
  msg: Messages;
  /** Id of this wiki, as findings have it. */
  wiki: string;
  page: PageKind;
}

export interface Gadget {
  /** `content`: of the article, as it is now. Marks its claims. */
  show(content: Element): void;
}

export function createGadget({ service, consent, kept, api, msg, wiki, page }: GadgetOptions): Gadget {
  let article: Element | null = null;
  let selected: (() => string) | null = null;
  let linked = linkedFinding();
  let stopPlacing: (() => void) | null = null;
  const store = createStore({ ...initial, agreed: consent.isGiven() }, draw);
  const { dispatch } = store;
  const site = createSite(api, () => draw(store.state));
  const ask = createAsk({ store, service, wiki, page, config: site.load });
  const { act, checks, report } = createActions();
  const urls = createUrls(service.origin, wiki, page, site.known);
  const frame = createFrame(msg, close);
  const tool = createTool(toolText({ state: store.state, msg, page }), msg('tool-title'), () => open('list'));

  function createActions() {
    const title = 'title' in page ? page.title : '';
    const mend = createMend({ api, service, page: title, store, config: site.known });
    const report = createAskReport({ api, talk: page.kind === 'talk' ? page.talk : '', store });
    const checks = createRunChecks({ service, kept, wiki, title, store, judged: ask.soon });
    const act: Actions = {
      ...{ agree, withdraw, close, open, ask: ask.now },
      ...{ check: checks.start, cancel: checks.cancel, dismiss: checks.dismiss },
      ...{ prepare: mend.prepare, save: mend.save, back: mend.back },
      ...{
        prepareReport: () => report.prepare(msg('report-summary')),
        saveReport: report.save,
        backFromReport: report.back,
      },
    };
    return { act, checks, report };
  }

  function draw(before: State): void {
    const { state } = store;
    if (before.rows !== state.rows) place();
    if (stopPlacing === null) tool.setText(toolText({ state, msg, page }));
    markBadges(state);
    frame.draw(panelContent({ state, msg, act, urls, page, config: site.known(), service: service.origin }));
  }

  function place(): void {
    if (article === null) return;
    stopPlacing?.();
    stopPlacing = null;
    const placed = (ids: number[]) => {
      stopPlacing = null;
      dispatch({ type: 'placed', ids });
      openLinked();
    };
    stopPlacing = placeBadges({ content: article, rows: openRows(store.state), msg, open, placed });
  }

  function open(what: What): void {
    if (selected !== null) dispatch({ type: 'selected', text: selected() });
    dispatch({ type: 'open', what });
    frame.toTop();
    const badge = typeof what === 'number' ? findBadge(what) : null;
    if (badge !== null) {
      badge.scrollIntoView({ block: 'nearest' });
      frame.uncover(badge);
    }
    learn();
  }

  /** A talk page's summary leads to a finding in its article, once. */
  function openLinked(): void {
    const id = linked;
    if (id === null || !store.state.rows.some((row) => row.id === id)) return;
    linked = null;
    open(id);
  }

  /** What only an open panel shows. */
  async function learn(): Promise<void> {
    const { reportTemplate } = await site.load();
    const { agreed, service: answered, report: known } = store.state;
    if (agreed && answered === 'unasked') ask.now();
    if (agreed && page.kind === 'talk' && known.step === 'unknown') report.look(reportTemplate);
  }

  /** Focus goes back to where the panel was opened. */
  function close(): void {
    const { open: was } = store.state;
    dispatch({ type: 'close' });
    ((typeof was === 'number' ? findBadge(was) : null) ?? tool).focus();
  }

  async function agree(): Promise<void> {
    const isKept = consent.give();
    begin();
    dispatch({ type: 'agreed', isKept: await isKept });
  }

  async function withdraw(): Promise<void> {
    const isKept = consent.withdraw();
    forget();
    if (!(await isKept)) dispatch({ type: 'unkept' });
  }

  /** Nothing is asked any more, and nothing of what was said stays. */
  function forget(): void {
    checks.stop();
    ask.stop();
    dispatch({ type: 'withdrawn' });
  }

  function begin(): void {
    if (!store.state.agreed) dispatch({ type: 'agreed', isKept: true });
    checks.resume();
    if (page.kind === 'article') ask.now();
    if (store.state.open !== null) learn();
  }

  consent.watch(() => (consent.isGiven() ? begin() : forget()));
  kept.watch(() => consent.isGiven() && checks.resume());
  watchSelection(
    () => article,
    (read) => {
      selected = read;
      if (store.state.open === 'list') dispatch({ type: 'selected', text: read() });
    },
  );
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented && store.state.open !== null) close();
  });
  let hasBegun = false;
  const start = () => {
    if (consent.isGiven() && !hasBegun) begin();
    hasBegun = true;
  };
  if (page.kind !== 'article') start();
  return {
    show(content) {
      article = content;
      place();
      if (hasBegun && consent.isGiven()) ask.now();
      start();
    },
  };
}

/** The wiki's own settings: asked for when the panel is first opened. */
function createSite(api: mw.Api, learnt: () => void) {
  let known: SiteConfig | null = null;
  let loading: Promise<SiteConfig> | null = null;
  const fetchIt = async () => {
    const config = await loadSiteConfig(api, mw.config.get('wgContentLanguage'));
    known = config;
    learnt();
    return config;
  };
  return {
    known: () => known,
    load: () => {
      const config = loading ?? fetchIt();
      loading = config;
      return config;
    },
  };
}
