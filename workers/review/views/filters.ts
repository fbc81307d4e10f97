/** What a list is chosen by. In: a filter, what there is to choose from. Out: a form, what is chosen, tabs; all without scripts. */
import { html } from 'ghtml';
import { Decision, UnavailableReason, Verdict } from '../../../shared/citation.ts';
import type { Filter, Sort } from '../filter.ts';
import type { GroupNames } from '../groups.ts';
import { isToMend } from '../position.ts';
import { COUNTED } from '../queue.ts';
import { queryOf } from '../request.ts';
import type { SavedFilter } from '../saved-filters.ts';
import type { Viewer } from '../session/people.ts';
import { addressOf, withQuery } from './address.ts';
import { DECISIONS, REASONS, VERDICTS } from './words.ts';

export type Counts = Partial<Record<Verdict, number>>;

/** How many there are of each verdict, each a link. */
export function verdictChips(filter: Filter, counts: Counts): string {
  const { verdict: current, ...others } = filter;
  const verdicts = CHIPS.map((verdict) =>
    chip(VERDICTS[verdict], counted([verdict], counts), addressOf(null, { ...others, verdict }), current === verdict),
  );
  const toReview = counted(CHIPS.filter(isToMend), counts);
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

/** `1,000+`: no more are counted of one verdict. */
function counted(verdicts: readonly Verdict[], counts: Counts): string {
  const numbers = verdicts.map((verdict) => counts[verdict] ?? 0);
  const sum = numbers.reduce((all, one) => all + Math.min(one, COUNTED), 0);
  return `${sum.toLocaleString('en')}${numbers.some((one) => one > COUNTED) ? '+' : ''}`;
}

function chip(label: string, count: string, address: string, isCurrent: boolean): string {
  const current = isCurrent ? 'aria-current="page"' : '';
  return html`<a class="chip" href="${address}" !${current}>${label} <span class="count">${count}</span></a>`;
}

/** Filters that the person has saved, as tabs. */
export function savedTabs(filter: Filter, saved: readonly SavedFilter[]): string {
  if (saved.length === 0) return '';
  const here = addressOf(null, filter);
  const tabs = saved.map(({ name, filter: one }) => tab(name, addressOf(null, one), here));
  return html`<nav class="tabs" aria-label="Saved filters">!${[tab('Whole queue', '/', here), ...tabs].join('')}</nav>`;
}

function tab(name: string, address: string, here: string): string {
  return html`<a class="tab" href="${address}" !${address === here ? 'aria-current="page"' : ''}><bdi>${name}</bdi></a>`;
}

/** What is chosen, each with a link that takes it away. */
export function activeFilters(filter: Filter): string {
  const chosen = (Object.keys(LABELS) as Chosen[]).flatMap((field) => chosenOf(filter, field));
  if (chosen.length === 0) return '';
  const all = html`<a class="active-clear" href="${addressOf(null, { state: 'open', ...(filter.sort && { sort: filter.sort }) })}">Remove all</a>`;
  return html`<ul class="active" aria-label="Filters in use">!${chosen.join('')}<li>!${all}</li></ul>`;
}

type Chosen = Exclude<keyof Filter, 'verdict' | 'sort'>;

const LABELS: Record<Chosen, (value: never) => string> = {
  wiki: (value: string) => `Wiki: ${value}`,
  page: (value: string) => `Article: ${value}`,
  project: (value: string) => `WikiProject: ${value}`,
  category: (value: string) => `Category: ${value}`,
  worklist: (value: string) => `Worklist: ${value}`,
  user: (value: string) => `Lists of: ${value}`,
  state: (value: Filter['state']) => STATES[value],
  reason: (value: UnavailableReason) => `Not read: ${REASONS[value]}`,
  decision: (value: Decision) => `Decision: ${DECISIONS[value]}`,
  scoreMin: (value: number) => `Score from ${value}`,
  scoreMax: (value: number) => `Score to ${value}`,
  minAge: (value: number) => `Found ${value} days ago or earlier`,
  maxAge: (value: number) => `Found in the last ${value} days`,
  viewsMin: (value: number) => `${value.toLocaleString('en')} views a day or more`,
  suggestion: (value: boolean) => (value ? 'With a better source' : 'Without a better source'),
  decidedBy: (value: string) => `Decided by ${value}`,
};

function chosenOf(filter: Filter, field: Chosen): string[] {
  const { [field]: value, ...others } = filter;
  if (value === undefined || (field === 'state' && value === 'open')) return [];
  // each field's own label is for its own type, which an index by field does not say
  const label = LABELS[field](value as never);
  const address = addressOf(null, { state: 'open', ...others });
  return [
    html`<li class="active-one"><bdi>${label}</bdi> <a href="${address}" aria-label="Remove: ${label}" title="Remove"><span aria-hidden="true">×</span></a></li>`,
  ];
}

/** One click each; the address says which. */
export function sortLinks(filter: Filter): string {
  const { sort: current, ...others } = filter;
  const link = (sort: Sort | undefined, name: string, meaning: string) =>
    html`<a href="${addressOf(null, sort === undefined ? others : { ...others, sort })}" title="${meaning}" !${sort === current ? 'aria-current="true"' : ''}>${name}</a>`;
  return html`<nav class="sorts" aria-label="Sort"><span aria-hidden="true">Sort:</span>!${SORT_NAMES.map((one) => link(...one))}</nav>`;
}

const SORT_NAMES: readonly [Sort | undefined, string, string][] = [
  [undefined, 'Queue', 'By verdict, then the lowest score first; what was put off comes last'],
  [
    'gain',
    'Expected gain',
    'What most readers would gain from first: likely to fail, a better source found, often read',
  ],
  ['score', 'Score', 'Lowest score first'],
  ['newest', 'Newest', 'Found last first'],
  ['views', 'Views', 'Most read articles first'],
];

/** All that can be chosen. Closed, it takes one line. */
export function filterForm(filter: Filter, names: GroupNames): string {
  const { sort } = filter;
  return html`
<details class="filters">
<summary>Filter</summary>
<form class="filter" method="get" action="/" role="search">
!${sort === undefined ? '' : html`<input type="hidden" name="sort" value="${sort}">`}
!${field('Article', 'page', 'search', filter.page)}
!${field('WikiProject', 'project', 'search', filter.project, names.project)}
!${field('Category', 'category', 'search', filter.category)}
!${field('Worklist', 'worklist', 'search', filter.worklist, names.worklist)}
!${field('Lists of user', 'user', 'search', filter.user, names.user)}
!${field('Wiki', 'wiki', 'search', filter.wiki)}
!${select('State', 'state', Object.entries(STATES), filter.state)}
!${select('Verdict', 'verdict', [['', 'To review'], ...Verdict.options.map((one) => [one, VERDICTS[one]] as const), ['all', 'All']], filter.verdict)}
!${select('Could not be read', 'reason', [ANY, ...UnavailableReason.options.map((one) => [one, REASONS[one]] as const)], filter.reason)}
!${select('Better source', 'suggestion', [ANY, ['yes', 'Found'], ['no', 'None found']], yesNo(filter.suggestion))}
!${range('Score', ['score-min', filter.scoreMin], ['score-max', filter.scoreMax], 'step="any" max="1"')}
!${range('Days since found', ['min-age', filter.minAge], ['max-age', filter.maxAge], 'max="36500"')}
!${field('Views a day, at least', 'views-min', 'number', filter.viewsMin)}
!${select('Decision', 'decision', [ANY, ...Decision.options.map((one) => [one, DECISIONS[one]] as const)], filter.decision)}
!${field('Decided by', 'decided-by', 'search', filter.decidedBy)}
<p class="filter-end"><button class="button button-primary" type="submit">Show</button></p>
</form>
</details>`;
}

const ANY = ['', 'Any'] as const;

export const STATES: Record<Filter['state'], string> = {
  open: 'Open',
  accepted: 'Accepted, not mended yet',
  unmended: 'Open or accepted',
  closed: 'Closed',
  all: 'All, also of pages that opted out',
};

function yesNo(value: boolean | undefined): string | undefined {
  return value === undefined ? undefined : value ? 'yes' : 'no';
}

function field(
  label: string,
  name: string,
  type: 'search' | 'number',
  value: string | number | undefined,
  offered: readonly string[] = [],
): string {
  const list = offered.length === 0 ? '' : html`list="names-${name}"`;
  const limits = type === 'number' ? 'min="0"' : 'maxlength="255"';
  const options = offered.map((one) => html`<option value="${one}"></option>`);
  const datalist = list === '' ? '' : html`<datalist id="names-${name}">!${options}</datalist>`;
  return html`<label><span>${label}</span><input type="${type}" name="${name}" value="${value}" !${limits} !${list} dir="auto" autocomplete="off"></label>!${datalist}`;
}

function range(
  label: string,
  [from, low]: readonly [string, number | undefined],
  [to, high]: readonly [string, number | undefined],
  limits: string,
): string {
  return html`<fieldset><legend>${label}</legend>
<input type="number" name="${from}" value="${low}" min="0" !${limits} aria-label="${label}, from">
<span aria-hidden="true">–</span>
<input type="number" name="${to}" value="${high}" min="0" !${limits} aria-label="${label}, to"></fieldset>`;
}

function select(
  label: string,
  name: string,
  options: readonly (readonly [string, string])[],
  current: string | undefined,
): string {
  const shown = options.map(
    // what is the default is left out of the address
    ([value, text]) =>
      html`<option value="${value === 'open' ? '' : value}" !${value === (current ?? '') ? 'selected' : ''}>${text}</option>`,
  );
  return html`<label><span>${label}</span><select name="${name}">!${shown}</select></label>`;
}

/** To keep this filter under a name, or to forget those that were kept. '' for who is not signed in. */
export function savingForms(filter: Filter, saved: readonly SavedFilter[], { actor, csrf }: Viewer): string {
  if (actor === null || !actor.roles.includes('patroller')) return '';
  const hidden = html`<input type="hidden" name="_csrf" value="${csrf}">`;
  const here = queryOf(filter).length > 0;
  const save = html`
<form class="saving" method="post" action="${withQuery('/saved-filters', filter)}">!${hidden}
<label><span>Save this filter as</span><input name="name" required maxlength="100" dir="auto" autocomplete="off"></label>
<button class="button" type="submit">Save</button>
</form>`;
  const forget = saved.map(
    ({ id, name }) => html`
<li><form method="post" action="${withQuery(`/saved-filters/${id}/delete`, filter)}">!${hidden}
<bdi>${name}</bdi> <button class="button" type="submit" aria-label="Delete: ${name}">Delete</button></form></li>`,
  );
  if (!here && saved.length === 0) return '';
  return html`
<details class="saved"><summary>Saved filters</summary>
!${here ? save : ''}!${saved.length === 0 ? '' : html`<ul>!${forget}</ul>`}
</details>`;
}
