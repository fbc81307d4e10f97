/** Worklists on the maintainers' page. In: lists with their runs. Out: how far each is, and forms for what can be done with it. */
import { html } from 'ghtml';
import type { ShownWorklist } from '../../../bot/worklists/acts.ts';
import type { Progress } from '../../../bot/worklists/progress.ts';
import { DAYS, type Run, type Schedule } from '../../../bot/worklists/worklist.ts';
import { button, hidden } from './forms.ts';

export function worklistsPart(lists: readonly ShownWorklist[], csrf: string): string {
  return html`!${lists.map((list) => worklistPart(list, csrf))}!${addForm(csrf)}`;
}

function worklistPart({ worklist, runs, progress }: ShownWorklist, csrf: string): string {
  const { name, paused, schedule } = worklist;
  const run = runs[0];
  const running = run?.state === 'running';
  const act = (verb: string, label: string) =>
    button(`/maintain/worklists/${encodeURIComponent(name)}/${verb}`, label, name, csrf);
  return html`<article class="service-list"><h3><bdi>${name}</bdi></h3>
<p>${stateOf(run, paused)}!${schedule === null ? '' : html` <span class="quiet">Weekly, ${DAYS[schedule.day]} ${hourOf(schedule)}.</span>`}</p>
!${progress === null ? '' : bars(progress, name)}
<div class="service-acts">!${paused ? act('resume', 'Resume') : html`!${act('run', running ? 'Go on' : 'Run')}!${act('pause', 'Pause')}`}!${running ? act('cancel', 'Cancel the run') : ''}!${scheduleForm(name, schedule, csrf)}</div></article>`;
}

function stateOf(run: Run | undefined, paused: boolean): string {
  if (run === undefined) return paused ? 'Not run yet, paused.' : 'Not run yet.';
  const since = `Run ${run.number} of ${run.started.slice(0, 16).replace('T', ' ')} UTC`;
  if (run.state === 'failed') return `${since} failed: ${run.detail ?? run.reason ?? ''}`;
  if (run.state !== 'running') return `${since}: ${run.state}.`;
  const waiting = run.waiting === null ? '' : `, waiting: ${run.waiting.replaceAll('_', ' ')}`;
  return `${since}: ${paused ? 'paused' : run.phase}${waiting}.`;
}

function hourOf({ hour }: Schedule): string {
  return `${String(hour).padStart(2, '0')}:00 UTC`;
}

function bars({ articles, claims, findings }: Progress, name: string): string {
  const leftOut = Object.values(articles.leftOut).reduce((sum, count) => sum + count, 0);
  const open = Object.values(findings.open).reduce((sum, count) => sum + count, 0);
  const asked = claims.checked + claims.checking;
  return html`<p>!${bar(articles.read + leftOut, articles.known, `articles of ${name}`)} ${articles.read} of ${articles.known} articles read, ${leftOut} left out</p>
<p>!${bar(claims.checked, asked, `claims of ${name}`)} ${claims.checked} of ${asked} claims checked; ${open} findings open, ${findings.decided} decided</p>`;
}

function bar(done: number, all: number, label: string): string {
  return html`<progress value="${done}" max="${Math.max(all, 1)}" aria-label="${label}"></progress>`;
}

function scheduleForm(name: string, schedule: Schedule | null, csrf: string): string {
  const days = DAYS.map(
    (day, at) => html`<option value="${at}" !${schedule?.day === at ? 'selected' : ''}>${day}</option>`,
  );
  return html`<form method="post" action="/maintain/worklists/${encodeURIComponent(name)}/schedule">!${hidden('_csrf', csrf)}
<label>Weekly <select name="day"><option value="off">never</option>!${days}</select></label>
<label>at, UTC <input name="hour" type="number" min="0" max="23" value="${schedule?.hour ?? 3}"></label>
<button class="button" type="submit">Set<span class="visually-hidden"> the schedule of ${name}</span></button></form>`;
}

function addForm(csrf: string): string {
  const kinds = Object.entries(KINDS).map(([kind, label]) => html`<option value="${kind}">${label}</option>`);
  return html`<form class="service-form" method="post" action="/maintain/worklists">!${hidden('_csrf', csrf)}
<label>Name of a new list <input name="name" required maxlength="100"></label>
<label>Articles from <select name="kind">!${kinds}</select></label>
<label class="service-wide">Which <textarea name="from" rows="2" required></textarea></label>
<label>Levels of subcategories <input name="depth" type="number" min="0" max="50" value="0"></label>
<button class="button" type="submit">Add the list</button></form>`;
}

const KINDS = {
  category: 'a category',
  assessment: 'a WikiProject’s assessments (a category)',
  titles: 'titles, one a line',
  pagepile: 'PagePile (its number)',
  petscan: 'PetScan (its PSID)',
  search: 'a search',
  links: 'what links to a page',
  creations: 'what a user began',
};
