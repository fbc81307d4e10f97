/** Worklists and how far they are → text for a terminal. */
import Table from 'cli-table3';
import type { ListedWorklist, ShownWorklist } from '../../bot/worklists/acts.ts';
import type { Progress } from '../../bot/worklists/progress.ts';
import { DAYS, type ListSource, type Run, type Schedule, type Worklist } from '../../bot/worklists/worklist.ts';

export function listsText(rows: readonly ListedWorklist[]): string {
  if (rows.length === 0) return 'there is no worklist yet: `sidelight worklist add`';
  const table = new Table({ head: ['worklist', 'articles from', 'last run', 'schedule'], style: PLAIN });
  for (const { worklist, run } of rows) {
    const schedule = worklist.schedule === null ? '' : scheduleWords(worklist.schedule);
    table.push([worklist.name, sourceWords(worklist.source), runWords(worklist, run), schedule]);
  }
  return table.toString();
}

export function shownText({ worklist, runs, progress }: ShownWorklist): string {
  const head = `${worklist.name}: ${sourceWords(worklist.source)}`;
  const schedule = worklist.schedule === null ? [] : [scheduleWords(worklist.schedule)];
  const lines = [[head, ...schedule].join('; '), ...runs.slice(0, RUNS).map((run) => runWords(worklist, run))];
  return [...lines, ...(progress === null ? ['not run yet'] : [progressText(progress)])].join('\n');
}

function progressText({ articles, claims, findings }: Progress): string {
  const table = new Table({ style: PLAIN });
  table.push(
    { articles: `${spell(articles.known)} known` },
    { '': counts({ waiting: articles.waiting, 'being read': articles.open, read: articles.read }) },
    { 'left out': counts(articles.leftOut) },
    {
      claims: `${spell(claims.found)} found, ${spell(claims.checked)} checked, ${spell(claims.checking)} being checked`,
    },
    { 'open findings': counts(findings.open) },
    { decided: spell(findings.decided) },
  );
  return table.toString();
}

/** The day and the hour on which a list is run. */
export function scheduleWords({ day, hour }: Schedule): string {
  return `weekly, ${DAYS[day]} ${String(hour).padStart(2, '0')}:00 UTC`;
}

export function sourceWords(source: ListSource): string {
  switch (source.kind) {
    case 'category':
      return `${source.title}${source.depth === 0 ? '' : `, ${source.depth} deep`}`;
    case 'assessment':
      return `articles assessed in ${source.title}`;
    case 'pagepile':
      return `PagePile ${source.id}`;
    case 'petscan':
      return `PetScan ${source.id}`;
    case 'file':
      return `${spell(source.titles)} titles of ${source.name}`;
    case 'search':
      return `search for ${source.query}`;
    case 'links':
      return `what links to ${source.title}`;
    case 'creations':
      return `articles that ${source.user} began`;
  }
}

function runWords({ paused }: Worklist, run: Run | null): string {
  if (run === null) return paused ? 'none, paused' : 'none';
  const since = `run ${run.number} of ${run.started.slice(0, 16).replace('T', ' ')}`;
  if (run.state === 'failed') return `${since}: failed, ${run.reason}: ${run.detail}`;
  if (run.state !== 'running') return `${since}: ${run.state}`;
  const waiting = run.waiting === null ? '' : `, waiting: ${words(run.waiting)}`;
  return `${since}: ${paused ? 'paused' : run.phase}${waiting}`;
}

function counts(numbers: Record<string, number>): string {
  const named = Object.entries(numbers).map(([name, number]) => `${spell(number)} ${words(name)}`);
  return named.join(', ') || 'none';
}

function words(code: string): string {
  return code.replaceAll('_', ' ');
}

function spell(number: number): string {
  return number.toLocaleString('en');
}

/** No colours. */
const PLAIN = { head: [], border: [] };
/** The last ones. */
const RUNS = 5;
