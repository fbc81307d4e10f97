/**
 * Joins the parts: asks the service for the article's findings, keeps the state, has it drawn, makes the edit. What is shown
 * is decided in state.ts and panel.ts.
 */
import type { Reliability } from '../shared/citation.ts';
import { applySuggestion } from './edit.ts';
import { createPanel, findBadge, markBadges, placeBadges } from './page.ts';
import { panelContent } from './panel.ts';
import type { Service } from './service.ts';
import { type Action, editOf, initial, isUnmended, openRows, type Row, reduce } from './state.ts';
import { linkText } from './wording.ts';

export interface GadgetOptions {
  service: Service;
  api: mw.Api;
  /** Id of this wiki, as findings have it. */
  wiki: string;
  /** Title of the article. */
  page: string;
  reviewUrl(id: number): string;
}

export interface Gadget {
  /** `content`: of the article, as it is now. Asks for its findings and marks them. */
  show(content: Element): void;
}

function addressOf(title: string, query: Record<string, string>): string {
  return new URL(mw.util.getUrl(title, query), location.href).href;
}

export function createGadget({ service, api, wiki, page, reviewUrl }: GadgetOptions): Gadget {
  let state = initial;
  let article: Element | null = null;
  const urls = {
    review: reviewUrl,
    change: (diff: number) => addressOf(page, { diff: String(diff) }),
    list: ({ wiki: home, list, revision }: Reliability) =>
      home === wiki
        ? addressOf(list, { oldid: String(revision) })
        : `https://${home}/w/index.php?title=${encodeURIComponent(list)}&oldid=${revision}`, // a farm's shared wiki
  };
  const portlet = mw.util.addPortletLink('p-tb', '#', linkText(state), 't-sidelight', 'Citations on this page');
  const tool = portlet?.querySelector('a') ?? null;
  const panel = createPanel(close);

  function dispatch(action: Action): void {
    const { rows } = state;
    state = reduce(state, action);
    if (rows !== state.rows) place();
    if (tool !== null) tool.textContent = linkText(state);
    markBadges(state.open);
    panel.draw(panelContent(state, { open, useSource }, urls));
  }

  function place(): void {
    if (article === null) return;
    state = reduce(state, { type: 'placed', ids: placeBadges(article, openRows(state), open) });
  }

  function open(what: number | 'list'): void {
    dispatch({ type: 'open', what });
    const badge = what === 'list' ? null : findBadge(what);
    if (badge === null) return;
    badge.scrollIntoView({ block: 'nearest' });
    panel.uncover(badge);
  }

  /** Focus goes back to where the panel was opened. */
  function close(): void {
    const badge = typeof state.open === 'number' ? findBadge(state.open) : null;
    dispatch({ type: 'close' });
    (badge ?? tool ?? document.body).focus();
  }

  async function ask(): Promise<void> {
    const answer = await service.findings(wiki, page).catch(() => null);
    dispatch(answer === null ? { type: 'unreachable' } : { type: 'answered', ...answer });
  }

  async function useSource({ id, finding }: Row): Promise<void> {
    if (editOf(state, id).step === 'saving') return;
    dispatch({ type: 'edit', edit: { step: 'saving', id } });
    const outcome = await applySuggestion(api, page, finding);
    if (outcome.kind === 'failed') return dispatch({ type: 'edit', edit: { step: 'failed', id, failure: outcome } });
    dispatch({ type: 'edit', edit: { step: 'saved', id, revision: outcome.revision } });
    askUntilClosed(id, ASK_TIMES);
  }

  /** A service that does not answer now may do so the next time. */
  async function askUntilClosed(id: number, left: number): Promise<void> {
    const row = await service.finding(id).catch(() => null);
    if (row !== null && !isUnmended(row)) dispatch({ type: 'changed', row });
    else if (left > 0) setTimeout(() => askUntilClosed(id, left - 1), ASK_EVERY_MS);
  }

  tool?.addEventListener('click', (event) => {
    event.preventDefault();
    open('list');
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented && state.open !== null) close();
  });
  return {
    show(content) {
      article = content;
      place();
      ask();
    },
  };
}

/** After an edit the bot has to see the new revision: about a minute is asked for, then the next visit will tell. */
const ASK_TIMES = 30;
const ASK_EVERY_MS = 2000;
