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
    const worklist = await store.lists.get(input.worklist);
    const run = worklist === null ? null : await findRun(worklist, input.run);
    const isStopped = run === null ? input.run > 0 : run.state === 'cancelled';
    if (isStopped) await options.cancel(requestOf({ worklist: input.worklist, number: input.run }));
    if (worklist === null || run === null || run.state !== 'running') return outcome([]);
    if (input.run === 0) return outcome([stepJob(wikiId, run)]);
    if (input.step !== run.step) return outcome(await again(worklist, run, input.step));
    if (worklist.paused) return outcome(await park(run));
    return outcome(await step(worklist, run, signal));
  };

  /** A list that is paused begins no run. */
  async function findRun(worklist: Worklist, number: number): Promise<Run | null> {
    if (number > 0) return store.runs.get(worklist.id, number);
    return worklist.paused ? null : store.runs.begin(worklist.id, false);
  }

  /** The step was done before: what it led to is published once more, which queues that have it ignore. */
  async function again({ id, paused }: Worklist, run: Run, step: number): Promise<Next[]> {
    const members = await store.members.enqueuedBy(run, step);
    const articles = members.flatMap(({ page, title, revision }) => {
      return revision === null ? [] : [articleJob(wikiId, run, { page, title, revision })];
    });
    log.info({ worklist: id, run: run.number, step, articles: articles.length }, 'step of a worklist done before');
    return paused ? articles : [...articles, stepJob(wikiId, run)];
  }

  async function park(run: Run): Promise<Next[]> {
    await store.runs.renumber(run); // whoever resumes publishes a number that no queue has seen
    return [];
  }

  async function step(worklist: Worklist, run: Run, signal: AbortSignal): Promise<Next[]> {
    try {
      if (worklist.wiki !== wikiId) throw new ListRefused('other_wiki', `the list is of ${worklist.wiki}`);
      const next = await phases[run.phase](worklist, run, signal);
      const now = await store.runs.get(worklist.id, run.number);
      return now?.state === 'running' ? [...next, stepJob(wikiId, now)] : [];
    } catch (error) {
      if (error instanceof ListRefused) return fail(run, error);
      throw await noted(run, error);
    }
  }

  /** What a run waits for is shown to who asks. */
  async function noted(run: Run, error: unknown): Promise<unknown> {
    if (error instanceof ToolAway) await store.runs.wait(run, error.code);
    else if (error instanceof TransientError) await store.runs.wait(run, 'wiki_away');
    return error;
  }

  async function collect(worklist: Worklist, run: Run, signal: AbortSignal): Promise<Next[]> {
    const { found, next, walked } = await options.collect(worklist, run.position, signal);
    await store.runs.advance(run, async ({ members, walk }) => {
      await members.list(run, found);
      const category = walked === undefined ? null : await walk(walked.read, walked.below);
      const position = next ?? (category === null ? null : { category });
      return position === null ? { phase: 'resolving', position } : { position };
    });
    return [];
  }

  async function resolve(_: Worklist, run: Run, signal: AbortSignal): Promise<Next[]> {
    const titles = await store.members.listed(run, batch);
    const resolved = titles.length === 0 ? [] : await options.resolve(titles, signal);
    await store.runs.advance(run, async ({ members }) => {
      await members.resolve(run, resolved);
      return titles.length < batch ? { phase: 'publishing' } : {};
    });
    return [];
  }

  async function fail(run: Run, { code, message }: ListRefused): Promise<Next[]> {
    log.warn({ worklist: run.worklist, run: run.number, code }, 'worklist refused');
    await store.runs.end(run, 'failed', { reason: code, detail: message });
    return [];
  }
}

function outcome(next: Next[]): Outcome<'worklists'> {
  return { answer: null, next };
}
