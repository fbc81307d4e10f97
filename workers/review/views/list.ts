/** The queue. In: rows, counts and coverage. Out: a page; it never says that there are no problems. */
import { html } from 'ghtml';
import type { Verdict } from '../../../shared/citation.ts';
import type { Assets } from '../assets.ts';
import type { Coverage } from '../page.ts';
import { type Filter, isToMend, type Row } from '../queue.ts';
import { addressOf } from './address.ts';
import { missingMarked } from './claim.ts';
import { layout } from './layout.ts';
import { coverageLine, doneNotice, hostOf, meter, sectionOf, verdictBadge } from './parts.ts';
import { chance, DECISIONS, ENDINGS, VERDICTS } from './words.ts';

export interface ListView {
  assets: Assets;
  filter: Filter;
  rows: Row[];
  hasMore: boolean;
  counts: Partial<Record<Verdict, number>>;
  /** Null: no page was read yet. */
  coverage: Coverage | null;
  done: Row | null;
}

export function listPage(view: ListView): string {
  const body = html`
!${doneNotice(view.done, view)}
<div class="page-head">
<h1>!${heading(view.filter)}</h1>
!${coverageLine(view.coverage, 'claims checked')}
</div>
<nav class="chips" aria-label="Verdict">!${chips(view)}</nav>
!${filterForm(view.filter)}
!${view.rows.length === 0 ? emptyState(view) : queue(view)}`;
  return layout({ assets: view.assets, title: view.filter.page ?? 'Queue', body });
}

function heading({ page }: Filter): string {
  return page === undefined ? 'Review queue' : html`Review queue <span class="quiet">${page}</span>`;
}

function chips({ filter, counts }: ListView): string {
  const { verdict: current, ...others } = filter;
  const count = (verdict: Verdict) => counts[verdict] ?? 0;
  const toReview = CHIPS.filter(isToMend).reduce((sum, one) => sum + count(one), 0);
  const verdicts = CHIPS.map((verdict) => {
    const address = addressOf(null, { ...others, verdict });
    return chip(VERDICTS[verdict], count(verdict), address, current === verdict);
  });
  return [chip('To review', toReview, addressOf(null, others), current === undefined), ...verdicts].join('');
}

/** In the order of the queue. */
const CHIPS: readonly Verdict[] = [
  'contradicted',
  'not_supported',
  'partially_supported',
  'unsourced',
  'unavailable',
  'unsupported_language',
  'uncheckable',
  'supported',
];

function chip(label: string, count: number, address: string, isCurrent: boolean): string {
  const current = isCurrent ? 'aria-current="page"' : '';
  return html`<a class="chip" href="${address}" !${current}>${label} <span class="count">${count}</span></a>`;
}

function filterForm(filter: Filter): string {
  return html`
<form class="filter" method="get" action="/" role="search">
!${hidden('verdict', filter.verdict)}!${hidden('wiki', filter.wiki)}
<label>Article <input type="search" name="page" value="${filter.page}" autocomplete="off"></label>
<label>State <select name="state">!${STATES.map(([value, label]) => option(value, label, filter.state))}</select></label>
<button class="button" type="submit">Filter</button>
</form>`;
}

const STATES = [
  ['open', 'Open'],
  ['closed', 'Closed'],
  ['all', 'Open and closed'],
] as const;

function option(value: string, label: string, current: string): string {
  return html`<option value="${value}" !${value === current ? 'selected' : ''}>${label}</option>`;
}

function hidden(name: string, value: string | undefined): string {
  return value === undefined ? '' : html`<input type="hidden" name="${name}" value="${value}">`;
}

function emptyState({ coverage, filter }: ListView): string {
  const { state, ...narrowing } = filter;
  if (state !== 'open' || Object.keys(narrowing).length > 0) {
    return empty('Nothing here', 'No finding matches these filters.', '/', 'Show the whole queue');
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

function queue({ rows, filter, hasMore }: ListView): string {
  const last = rows.at(-1);
  const more = hasMore && last !== undefined ? addressOf(null, filter, { after: last.id }) : null;
  return html`
<ol class="queue">!${rows.map((row) => card(row, filter))}</ol>
!${more === null ? '' : html`<p class="more"><a class="button" href="${more}">More</a></p>`}
<p class="keys">Keys: <kbd>j</kbd> and <kbd>k</kbd> move, <kbd>Enter</kbd> opens.</p>`;
}

function card(row: Row, filter: Filter): string {
  const { finding } = row;
  return html`
<li class="card">
<div class="card-score">!${scoreOf(row)}</div>
<div class="card-text">
<a class="card-claim" data-stop href="${addressOf(row.id, filter)}">!${missingMarked(finding)}</a>
<p class="card-meta">!${verdictBadge(finding.verdict)} !${betterBadge(row)} !${closedBadge(row)}
<a class="card-page" href="${addressOf(null, { ...filter, page: finding.page.title })}">${finding.page.title}</a> <span class="quiet">${sectionOf(finding)}</span> <span class="quiet">${citedHosts(row)}</span></p>
</div>
</li>`;
}

function scoreOf({ finding }: Row): string {
  if (finding.score === null) return html`<span class="score-number quiet" title="Nothing could be judged">–</span>`;
  return html`<span class="score-number" title="Chance that what is cited supports the claim">${chance(finding.score)}</span>!${meter(finding.score)}`;
}

function betterBadge({ finding }: Row): string {
  return finding.suggestion === null ? '' : html`<span class="badge badge-suggestion">Better source found</span>`;
}

function closedBadge({ closedBecause, decision }: Row): string {
  if (closedBecause === null) return '';
  const decided = closedBecause === 'decided' && decision !== null ? DECISIONS[decision] : ENDINGS[closedBecause];
  return html`<span class="badge">${decided}</span>`;
}

function citedHosts({ finding }: Row): string {
  const hosts = finding.citations.map((citation) => hostOf(citation.url)).filter((host) => host !== null);
  return [...new Set(hosts)].slice(0, 3).join(', ');
}
