/** The list of findings, dense: for people who choose among many. In: rows, counts, coverage. Out: a page; never "no problems". */
import { html } from 'ghtml';
import type { Assets } from '../assets.ts';
import type { Filter } from '../filter.ts';
import type { GroupNames } from '../groups.ts';
import type { Coverage } from '../page.ts';
import type { Row } from '../queue.ts';
import { queryOf } from '../request.ts';
import type { SavedFilter } from '../saved-filters.ts';
import type { Viewer } from '../session/people.ts';
import { addressOf, withQuery } from './address.ts';
import { missingMarked } from './claim.ts';
import { activeFilters, type Counts, filterForm, savedTabs, savingForms, sortLinks, verdictChips } from './filters.ts';
import { layout } from './layout.ts';
import { coverageLine, doneNotice, hostOf, meter, sectionOf, verdictBadge } from './parts.ts';
import { chance, DECISIONS, ENDINGS } from './words.ts';

export interface ListView {
  assets: Assets;
  viewer: Viewer;
  filter: Filter;
  rows: Row[];
  /** WikiProjects of each row's article, by its id. */
  projects: ReadonlyMap<number, readonly string[]>;
  /** Where the list goes on; null at its end. */
  more: string | null;
  counts: Counts;
  /** Null: no page was read yet. */
  coverage: Coverage | null;
  saved: readonly SavedFilter[];
  /** What the form offers. */
  names: GroupNames;
  done: Row | null;
  now: Date;
}

export function listPage(view: ListView): string {
  const { assets, viewer, filter, saved } = view;
  const body = html`
!${doneNotice(view.done, view)}
<div class="page-head">
<h1>!${heading(filter)}</h1>
!${coverageLine(view.coverage, 'claims checked')}
!${triage(view)}
</div>
!${savedTabs(filter, saved)}
<nav class="chips" aria-label="Verdict">!${verdictChips(filter, view.counts)}</nav>
<div class="choosing">!${filterForm(filter, view.names)}!${savingForms(filter, saved, viewer)}!${sortLinks(filter)}</div>
!${activeFilters(filter)}
!${view.rows.length === 0 ? emptyState(view) : queue(view)}`;
  const { sort, ...chosen } = filter;
  return layout({ assets, title: filter.page ?? 'Queue', body, viewer, feed: withQuery('/feed.xml', chosen) });
}

function heading({ page, project, worklist, user }: Filter): string {
  const what = page ?? (project === undefined ? (worklist ?? user) : `WikiProject ${project}`);
  return what === undefined ? 'Review queue' : html`Review queue <bdi class="quiet">${what}</bdi>`;
}

/** Opens the first one that nobody else looks at. */
function triage({ filter, viewer, rows }: ListView): string {
  if (!rows.some(({ state }) => state === 'open')) return '';
  const { actor, csrf, path } = viewer;
  if (actor === null) {
    return html`<a class="button" href="/sign-in?to=${encodeURIComponent(path)}" rel="nofollow">Sign in to triage</a>`;
  }
  if (!actor.roles.includes('patroller')) return '';
  return html`<form method="post" action="${withQuery('/next', filter)}"><input type="hidden" name="_csrf" value="${csrf}">
<button class="button button-primary" type="submit">Start triage</button></form>`;
}

function emptyState({ coverage, filter, done }: ListView): string {
  const { sort, ...chosen } = filter;
  if (queryOf(chosen).length > 0) {
    const text =
      done === null ? 'No finding matches these filters.' : 'No other finding matches these filters and is free.';
    return empty('Nothing here', text, '/', 'Show the whole queue');
  }
  if (coverage === null || coverage.checked === 0) return nothingChecked(coverage);
  const caution =
    'Nothing waits for a decision right now. That says nothing about claims that are not checked yet, or claims that were judged wrongly.';
  return empty('All triaged', caution, '/?state=closed', 'See what was decided');
}

function nothingChecked(coverage: Coverage | null): string {
  const progress =
    coverage === null
      ? 'No article has been read yet. As soon as an edit touches a claim, it is checked'
      : `Claims found: ${coverage.claims}. The first ones are being checked`;
  return empty('Nothing checked yet', `${progress}; what needs a look appears here.`, '/', 'Look again');
}

function empty(title: string, text: string, address: string, label: string): string {
  return html`<div class="empty"><h2>${title}</h2><p>${text}</p><p><a class="button" href="${address}">${label}</a></p></div>`;
}

function queue(view: ListView): string {
  return html`
<ol class="queue">!${view.rows.map((row) => card(row, view))}</ol>
!${view.more === null ? '' : html`<p class="more"><a class="button" href="${view.more}">More</a></p>`}
<p class="keys">Keys: <kbd>j</kbd> and <kbd>k</kbd> move, <kbd>Enter</kbd> opens.</p>`;
}

function card(row: Row, { filter, projects, now }: ListView): string {
  const { finding } = row;
  const article = addressOf(null, { ...filter, page: finding.page.title });
  return html`
<li class="card">
<div class="card-score">!${scoreOf(row)}</div>
<div class="card-text">
<a class="card-claim" data-stop dir="auto" href="${addressOf(row.id, filter)}">!${missingMarked(finding)}</a>
<p class="card-meta">!${verdictBadge(finding.verdict)} !${betterBadge(row)} !${endBadge(row)} !${holderOf(row)}
<a class="card-page" href="${article}"><bdi>${finding.page.title}</bdi></a> <bdi class="quiet">${sectionOf(finding)}</bdi>
!${projectLinks(projects.get(row.id) ?? [], filter)} !${viewsOf(row)} <span class="quiet">!${ageOf(row, now)}</span> <bdi class="quiet card-hosts">${citedHosts(row)}</bdi></p>
</div>
</li>`;
}

function scoreOf({ finding }: Row): string {
  if (finding.score === null) return html`<span class="score-number quiet" title="Nothing could be judged">–</span>`;
  return html`<span class="score-number" title="Chance that what is cited supports the claim">${chance(finding.score)}</span>!${meter(finding.score)}`;
}

function betterBadge({ finding }: Row): string {
  if (finding.suggestion === null) return '';
  return html`<span class="badge badge-suggestion">${finding.citations.length === 0 ? 'Source found' : 'Better source found'}</span>`;
}

/** What was decided and by whom, or what became of it. */
function endBadge({ state, closedBecause, decision, decidedBy }: Row): string {
  const isDecided = state === 'accepted' || closedBecause === 'decided';
  if (closedBecause !== null && !isDecided) return html`<span class="badge">${ENDINGS[closedBecause]}</span>`;
  if (decision === null) return '';
  return html`<span class="badge">${DECISIONS[decision]}!${decidedBy === null ? '' : html` by <bdi>${decidedBy}</bdi>`}</span>`;
}

function holderOf({ lease }: Row): string {
  if (lease === null) return '';
  return html`<span class="badge badge-held" title="Until ${lease.until.slice(11, 16)} UTC"><bdi>${lease.name}</bdi> looks at it</span>`;
}

/** Two at most: some articles are in a dozen. */
function projectLinks(projects: readonly string[], filter: Filter): string {
  return projects
    .filter((name) => name !== filter.project)
    .slice(0, 2)
    .map(
      (project) =>
        html`<a class="card-project" href="${addressOf(null, { ...filter, project })}"><bdi>${project}</bdi></a>`,
    )
    .join(' ');
}

function viewsOf({ views }: Row): string {
  if (views === null) return '';
  return html`<span class="quiet">${views.toLocaleString('en')} ${views === 1 ? 'view' : 'views'} a day</span>`;
}

function ageOf({ createdAt }: Row, now: Date): string {
  const days = Math.max(0, Math.floor((now.getTime() - Date.parse(createdAt)) / 86_400_000));
  const age = days === 0 ? 'today' : days === 1 ? 'yesterday' : `${days.toLocaleString('en')} days ago`;
  return html`<time datetime="${createdAt}" title="Found ${createdAt.slice(0, 16).replace('T', ' ')} UTC">${age}</time>`;
}

function citedHosts({ finding }: Row): string {
  const hosts = finding.citations.map((citation) => hostOf(citation.url)).filter((host) => host !== null);
  return [...new Set(hosts)].slice(0, 3).join(', ');
}
