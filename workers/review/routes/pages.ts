/** Pages for people: the queue, and one finding. Works without scripts. */
import type { FastifyPluginAsync } from 'fastify';
import type { Assets } from '../assets.ts';
import type { Findings } from '../findings.ts';
import { type ListRequest, parseId, parseList } from '../request.ts';
import { findingPage } from '../views/finding.ts';
import { listPage } from '../views/list.ts';
import { type GivenDependencies, givenRoutes } from './given.ts';
import { sendHtml } from './html.ts';

export interface PageOptions {
  findings: Findings;
  wikiOrigins: readonly string[];
  indexPath: string;
  assets: Assets;
  /** Undefined: no texts of sources are taken. */
  texts: GivenDependencies | undefined;
}

export function pageRoutes(options: PageOptions): FastifyPluginAsync {
  return async (server) => {
    if (options.texts !== undefined) await server.register(givenRoutes({ ...options, ...options.texts }));
    server.get('/', async (request, reply) => sendHtml(reply, await showList(options, parseList(request.query))));
    server.get('/findings/:id', async (request, reply) =>
      sendHtml(reply, await showFinding(options, parseId(request.params), parseList(request.query))),
    );
  };
}

async function showList({ findings, assets }: PageOptions, { filter, slice, done }: ListRequest) {
  const rows = await findings.list(filter, { ...slice, limit: slice.limit + 1 });
  return listPage({
    assets,
    filter,
    rows: rows.slice(0, slice.limit),
    hasMore: rows.length > slice.limit,
    counts: await findings.counts(filter),
    coverage: await findings.coverage(filter),
    done: done === null ? null : await findings.get(done),
  });
}

async function showFinding(options: PageOptions, id: number, { filter, done }: ListRequest) {
  const { findings, wikiOrigins, indexPath, assets, texts } = options;
  const row = await findings.get(id);
  return findingPage({
    assets,
    wikiOrigins,
    indexPath,
    takesTexts: texts !== undefined,
    filter,
    row,
    coverage: await findings.coverage({ wiki: row.finding.wiki, page: row.finding.page.title }),
    neighbours: await findings.neighbours(id, filter),
    history: await findings.history(id),
    done: done === null ? null : await findings.get(done),
  });
}
