/**
 * Stage `worklists`: one bounded step of a run, then the job that goes on. A run reads its list, looks its titles up, then hands
 * articles on, the most important and most viewed first, and only while little of what it handed on is still to be done.
 * Where it stands is in the database: a step that is done twice, or was killed in its middle, changes nothing.
 */
import { TransientError } from '../../shared/errors.ts';
import type { Logger } from '../../shared/logger.ts';
import type { Handler, Next, Outcome } from '../../shared/pipeline.ts';
import { articleJob, stepJob } from './articles.ts';
import type { Backlog } from './backlog.ts';
import type { Collect } from './collect.ts';
import type { Latest } from './latest.ts';
import { createPublish, LIMITS, type Limits } from './publish.ts';
import type { Resolve } from './resolve.ts';
import type { WorklistStore } from './store.ts';
import { ToolAway } from './tool.ts';
import { ListRefused, type Run, requestOf, type Worklist } from './worklist.ts';

export interface WorklistsOptions {
  /** Of the wiki that is asked. */
  wikiId: string;
  store: WorklistStore;
  collect: Collect;
  resolve: Resolve;
  latest: Latest;
  backlog: Pick<Backlog, 'claims' | 'stateOf'>;
  /** Takes out what still waits of a request. */
  cancel(request: string): Promise<number>;
  /** Version of the model that judges now. */
  model: string;
  limits?: Limits;
  log: Logger;
}

/** Throws TransientError if the wiki or a tool does not answer: `show` then says what the run waits for. */
export function createWorklists(options: WorklistsOptions): Handler<'worklists'> {
  const { store, wikiId, log } = options;
  const { batch } = options.limits ?? LIMITS;
  const phases = { collecting: collect, resolving: resolve, publishing: createPublish(options) };
  return async (input, { signal }) => {
    const worklist = store.lists.get(input.worklist);
    const run = worklist === null ? null : findRun(worklist, input.run);
    const isStopped = run === null ? input.run > 0 : run.state === 'cancelled';
    if (isStopped) await options.cancel(requestOf({ worklist: input.worklist, number: input.run }));
    if (worklist === null || run === null || run.state !== 'running') return outcome([]);
    if (input.run === 0) return outcome([stepJob(wikiId, run)]);
    if (input.step !== run.step) return outcome(again(worklist, run, input.step));
    if (worklist.paused) return outcome(park(run));
    return outcome(await step(worklist, run, signal));
  };

  /** A list that is paused begins no run. */
  function findRun(worklist: Worklist, number: number): Run | null {
    if (number > 0) return store.runs.get(worklist.id, number);
    return worklist.paused ? null : store.runs.begin(worklist.id, false);
  }

  /** The step was done before: what it led to is published once more, which queues that have it ignore. */
  function again({ id, paused }: Worklist, run: Run, step: number): Next[] {
    const articles = store.members.enqueuedBy(run, step).flatMap(({ page, title, revision }) => {
      return revision === null ? [] : [articleJob(wikiId, run, { page, title, revision })];
    });
    log.info({ worklist: id, run: run.number, step, articles: articles.length }, 'step of a worklist done before');
    return paused ? articles : [...articles, stepJob(wikiId, run)];
  }

  function park(run: Run): Next[] {
    store.runs.renumber(run); // whoever resumes publishes a number that no queue has seen
    return [];
  }

  async function step(worklist: Worklist, run: Run, signal: AbortSignal): Promise<Next[]> {
    try {
      if (worklist.wiki !== wikiId) throw new ListRefused('other_wiki', `the list is of ${worklist.wiki}`);
      const next = await phases[run.phase](worklist, run, signal);
      const now = store.runs.get(worklist.id, run.number);
      return now?.state === 'running' ? [...next, stepJob(wikiId, now)] : [];
    } catch (error) {
      if (error instanceof ListRefused) return fail(run, error);
      throw noted(run, error);
    }
  }

  /** What a run waits for is shown to who asks. */
  function noted(run: Run, error: unknown): unknown {
    if (error instanceof ToolAway) store.runs.wait(run, error.code);
    else if (error instanceof TransientError) store.runs.wait(run, 'wiki_away');
    return error;
  }

  async function collect(worklist: Worklist, run: Run, signal: AbortSignal): Promise<Next[]> {
    const { found, next, walked } = await options.collect(worklist, run.position, signal);
    store.runs.advance(run, () => {
      store.members.list(run, found);
      const category = walked === undefined ? null : store.runs.walk(run, walked.read, walked.below);
      const position = next ?? (category === null ? null : { category });
      return position === null ? { phase: 'resolving', position } : { position };
    });
    return [];
  }

  async function resolve(_: Worklist, run: Run, signal: AbortSignal): Promise<Next[]> {
    const titles = store.members.listed(run, batch);
    const resolved = titles.length === 0 ? [] : await options.resolve(titles, signal);
    store.runs.advance(run, () => {
      store.members.resolve(run, resolved);
      return titles.length < batch ? { phase: 'publishing' } : {};
    });
    return [];
  }

  function fail(run: Run, { code, message }: ListRefused): Next[] {
    log.warn({ worklist: run.worklist, run: run.number, code }, 'worklist refused');
    store.runs.end(run, 'failed', { reason: code, detail: message });
    return [];
  }
}

function outcome(next: Next[]): Outcome<'worklists'> {
  return { answer: null, next };
}
