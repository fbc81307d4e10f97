/** A run of a worklist over a wiki, step by step, without a queue: as far as its articles are known. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAsk } from '../../../bot/wiki.ts';
import { articleJob } from '../../../bot/worklists/articles.ts';
import { createCollect } from '../../../bot/worklists/collect.ts';
import { createLatest } from '../../../bot/worklists/latest.ts';
import { createResolve } from '../../../bot/worklists/resolve.ts';
import { createWorklists, type WorklistsOptions } from '../../../bot/worklists/step.ts';
import { openWorklists, type WorklistStore } from '../../../bot/worklists/store.ts';
import type { ListSource, Run } from '../../../bot/worklists/worklist.ts';
import { parseConfig } from '../../../shared/config.ts';
import { createLogger } from '../../../shared/logger.ts';
import type { Context, Input } from '../../../shared/pipeline.ts';
import type { DatabasePlace } from '../../../shared/sql.ts';

export const context: Context = {
  gathered: { sources: [], retrieval: [], coverage: { shardsAsked: 0, shardsAnswered: 0, missing: [] } },
  signal: new AbortController().signal,
};

export const WIKI = 'wiki.example';

export interface WalkOptions extends Partial<WorklistsOptions> {
  /** Of the worklists; default: a file. */
  place?: DatabasePlace;
  tools?: { pagePileUrl: string; petScanUrl: string };
}

/** `server`: where the wiki is. */
export async function openWalk(server: { origin: string }, { place, tools, ...overrides }: WalkOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'sidelight-worklists-'));
  const store = await openWorklists(place ?? join(folder, 'worklists.sqlite'));
  const ask = createAsk(parseConfig({ WIKI: server.origin }).wiki);
  const { pagePileUrl = server.origin, petScanUrl = server.origin } = tools ?? {};
  const options: WorklistsOptions = {
    wikiId: WIKI,
    store,
    collect: createCollect({ ask, tools: { pagePileUrl, petScanUrl, userAgent: 'test' }, titles: store.lists.titles }),
    resolve: createResolve(ask),
    latest: createLatest(ask),
    backlog: { claims: async () => 0, stateOf: async () => 'open' },
    cancel: async () => 0,
    model: 'model-1',
    log: createLogger('silent', 'test'),
    ...overrides,
  };
  const handle = createWorklists(options);
  const input = ({ worklist, number: run, step }: Run): Input<'worklists'> => ({ wiki: WIKI, worklist, run, step });
  const again = async (run: Run) => (await store.runs.get(run.worklist, run.number)) ?? run;
  return {
    store,
    options,
    handle,
    input,
    again,
    begin: async (source: ListSource, titles: readonly string[] = [], name = 'mills') =>
      store.runs.begin((await store.lists.add({ wiki: WIKI, name, source }, titles)).id, false),
    /** Does the step that the run stands at; what it gives. */
    step: async (run: Run) => (await handle(input(await again(run)), context)).next,
    async toPublishing(source: ListSource, titles: readonly string[] = []): Promise<Run> {
      let run = await this.begin(source, titles);
      while (run.state === 'running' && run.phase !== 'publishing') {
        await this.step(run);
        run = await again(run);
      }
      return run;
    },
    /** The jobs of what was handed on and is not read yet. */
    async jobs(run: Run) {
      const members = await store.members.enqueued(run);
      return members.map((member) => articleJob(WIKI, run, { ...member, revision: member.revision ?? 0 }));
    },
    ready: (run: Run) => titlesOf(store, run),
    async close() {
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function titlesOf(store: WorklistStore, run: Run): Promise<string[]> {
  return (await store.members.ready(run, 1000)).map(({ title }) => title);
}

export type Walk = Awaited<ReturnType<typeof openWalk>>;
