/** The maintainers' page. In: what waits, fails and runs, or why that is not known. Out: HTML with plain forms, each with what to do. */
import { html } from 'ghtml';
import type { ShownWorklist } from '../../../bot/worklists/acts.ts';
import type { FailedJob, Waiting } from '../../requeue/waiting.ts';
import type { Assets } from '../assets.ts';
import type { QueuesNow } from '../maintenance.ts';
import type { OptOut } from '../opt-outs.ts';
import type { Viewer } from '../session/people.ts';
import { button, hidden } from './forms.ts';
import { layout } from './layout.ts';
import { worklistsPart } from './maintain-worklists.ts';
import { minute } from './parts.ts';
import { type CountedRequeue, requeueForm } from './requeue-form.ts';

/** What is known, or why it is not: in words for people. */
export type Part<T> = { is: T } | { away: string };

export interface MaintainView {
  assets: Assets;
  viewer: Viewer;
  queues: Part<QueuesNow>;
  worklists: Part<readonly ShownWorklist[]>;
  optOuts: Part<readonly OptOut[]>;
  /** A requeue that was counted first; null: none was. */
  asked: CountedRequeue | null;
  /** What was just done. */
  said: { began?: string | undefined; cancelled?: string | undefined; jobs?: number | undefined };
}

export function maintainPage(view: MaintainView): string {
  const { assets, viewer, queues, worklists, optOuts } = view;
  const { csrf } = viewer;
  const body = html`
<div class="page-head service-intro"><h1>Maintain</h1><p>The same for programs: <a href="/docs">API</a>, <a href="/account/tokens">tokens</a>.</p></div>
!${notice(view)}
!${section(
    'queues',
    'What waits',
    partOf(queues, (now) => queuesPart(now, csrf)),
  )}
!${section(
    'failures',
    'What failed',
    partOf(queues, ({ failures }) => failuresPart(failures, csrf)),
  )}
!${section('requeue', 'Check findings again', requeueForm(view.asked, csrf))}
!${section(
    'worklists',
    'Worklists',
    partOf(worklists, (lists) => worklistsPart(lists, csrf)),
  )}
!${section(
    'opt-outs',
    'Pages that opted out',
    partOf(optOuts, (pages) => optOutsPart(pages, csrf)),
  )}`;
  return layout({ assets, title: 'Maintain', body, viewer });
}

function section(id: string, title: string, content: string): string {
  return html`<section class="service-part" id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>!${content}</section>`;
}

function partOf<T>(part: Part<T>, show: (is: T) => string): string {
  return 'away' in part ? html`<p class="notice">${part.away}</p>` : show(part.is);
}

function notice({ said: { began, cancelled, jobs = 0 } }: MaintainView): string {
  if (began === 'nothing') return html`<p class="notice" role="status">No finding is like that: nothing was begun.</p>`;
  if (began !== undefined) {
    return html`<p class="notice notice-success" role="status">Requeue <code>${began}</code> has begun. It stands under “What waits” until it is done.</p>`;
  }
  if (cancelled === undefined) return '';
  return html`<p class="notice notice-success" role="status"><code>${cancelled}</code> is cancelled: ${jobs} jobs taken out. What ran already goes on.</p>`;
}

function queuesPart({ queues, waiting }: QueuesNow, csrf: string): string {
  const rows = queues.map(
    ({ queue, open, failed, workers }) =>
      html`<tr><td><code>${queue}</code></td><td>${open}</td><td>${failed}</td><td>${workers}!${open > 0 && workers === 0 ? NOBODY : ''}</td></tr>`,
  );
  return html`
!${waiting.length === 0 ? html`<p>Nothing waits.</p>` : waitingTable(waiting, csrf)}
<div class="service-scroll" role="group" tabindex="0" aria-label="Table"><table class="service-table"><thead><tr><th scope="col">Queue</th><th scope="col">Jobs to do</th><th scope="col">Failed this week</th><th scope="col">Processes that drain it</th></tr></thead>
<tbody>!${rows}</tbody></table></div>`;
}

const NOBODY = html` <strong class="service-alarm">Nobody does this work: start its process (sidelight work, bot or review).</strong>`;

function waitingTable(waiting: readonly Waiting[], csrf: string): string {
  const rows = waiting.map(
    ({
      request,
      kind,
      jobs,
    }) => html`<tr><td>${KINDS[kind]} !${request === null ? '' : html`<code>${request}</code>`}</td><td>${jobs}</td>
<td>!${kind === 'requeue' && request !== null ? button(`/maintain/requeues/${request}/cancel`, 'Cancel', request, csrf) : ''}</td></tr>`,
  );
  return html`<div class="service-scroll" role="group" tabindex="0" aria-label="Table"><table class="service-table"><thead><tr><th scope="col">Asked for by</th><th scope="col">Jobs to do</th><th scope="col"><span class="visually-hidden">Cancel</span></th></tr></thead>
<tbody>!${rows}</tbody></table></div>`;
}

const KINDS: Record<Waiting['kind'], string> = {
  patrol: 'Edits (patrol)',
  worklist: 'Worklist run',
  requeue: 'Requeue',
  other: 'A person',
};

function failuresPart(failures: readonly FailedJob[], csrf: string): string {
  if (failures.length === 0) return html`<p>No job failed for good in the last week.</p>`;
  const rows = failures.map(
    (
      job,
    ) => html`<tr><td>!${minute(job.failedAt)}</td><td><code>${job.queue}</code></td><td><bdi>${job.page ?? '–'}</bdi></td>
<td><p>${job.message}</p><p class="quiet">${whatToDo(job)}</p></td><td>!${job.page === null ? '' : againForm(job.page, csrf)}</td></tr>`,
  );
  return html`<div class="service-scroll" role="group" tabindex="0" aria-label="Table"><table class="service-table"><thead><tr><th scope="col">When</th><th scope="col">Queue</th><th scope="col">Page</th><th scope="col">Why, and what to do</th><th scope="col"><span class="visually-hidden">Check again</span></th></tr></thead>
<tbody>!${rows}</tbody></table></div>`;
}

function whatToDo({ error, attempts }: FailedJob): string {
  switch (error) {
    case 'BrokenPayload':
      return 'Two parts of Sidelight are of different versions: update all of them, then check the page again.';
    case 'ModelFailure':
      return 'The model gave no number. Restart the workers; if it happens again, the model’s files are damaged: run the setup again.';
    case 'RefuseToStart':
      return 'A worker lacks a file or its part of the index: its log names it.';
    case 'other':
      return `Tried ${attempts} times. The log of the process that drains this queue has the whole error. When its cause is gone, check the page again.`;
  }
}

/** Counted first, as every requeue. */
function againForm(page: string, csrf: string): string {
  return html`<form method="post" action="/maintain/requeues#requeue">!${hidden('_csrf', csrf)}!${hidden('act', 'count')}!${hidden('articles', page)}
<button class="button" type="submit">Check again…<span class="visually-hidden"> ${page}</span></button></form>`;
}

function optOutsPart(optOuts: readonly OptOut[], csrf: string): string {
  const rows = optOuts.map(
    ({
      wiki,
      page,
      by,
      comment,
      createdAt,
    }) => html`<tr><td><bdi>${page.title}</bdi> <span class="quiet">${wiki}</span></td><td><bdi>${by}</bdi>, !${minute(createdAt)}</td><td><bdi>${comment ?? ''}</bdi></td>
<td>!${button(`/maintain/opt-outs/${encodeURIComponent(wiki)}/${page.id}/remove`, 'Remove', page.title, csrf)}</td></tr>`,
  );
  const table = html`<div class="service-scroll" role="group" tabindex="0" aria-label="Table"><table class="service-table"><thead><tr><th scope="col">Page</th><th scope="col">Added</th><th scope="col">Why</th><th scope="col"><span class="visually-hidden">Remove</span></th></tr></thead>
<tbody>!${rows}</tbody></table></div>`;
  return html`<p class="quiet">Patrol leaves them alone, and their findings are not shown. What a person asks for is still checked.</p>
!${optOuts.length === 0 ? '' : table}
<form class="service-form" method="post" action="/maintain/opt-outs">!${hidden('_csrf', csrf)}
<label>Page <input name="title" required maxlength="512"></label>
<label>Why <input name="comment" maxlength="500"></label>
<button class="button" type="submit">Add</button></form>`;
}
