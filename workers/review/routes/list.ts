/** The list of findings as a page. Its address holds the filter; a form's empty fields are taken out of it first. */
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { Assets } from '../assets.ts';
import type { Schema } from '../database.ts';
import type { Findings } from '../findings.ts';
import { createGroupNames, type GroupNames, projectsOf } from '../groups.ts';
import { DEFAULT_LIMIT, type ListRequest, parseList } from '../request.ts';
import { savedFilters } from '../saved-filters.ts';
import { addressOf, type Beside } from '../views/address.ts';
import { listPage } from '../views/list.ts';
import { sendHtml } from './html.ts';

export interface ListOptions {
  db: Kysely<Schema>;
  findings: Findings;
  assets: Assets;
}

export function listRoutes(options: ListOptions): FastifyPluginAsync {
  const groupNames = createGroupNames(options.db);
  return async (server) => {
    server.get('/', async (request, reply) => {
      const asked = parseList(request.query);
      if (hasEmpty(request.query)) return reply.redirect(addressOf(null, asked.filter, besideOf(asked)), 302);
      return sendHtml(reply, await showList(options, request, asked, groupNames));
    });
  };
}

/** As a browser sends a form of which most is left out. */
function hasEmpty(query: unknown): boolean {
  return typeof query === 'object' && query !== null && Object.values(query).includes('');
}

function besideOf({ slice: { limit, after }, done }: ListRequest): Beside {
  return {
    ...(limit !== DEFAULT_LIMIT && { limit }),
    ...(after !== undefined && { after }),
    ...(done !== null && { done }),
  };
}

async function showList(
  { db, findings, assets }: ListOptions,
  { viewer, actor }: FastifyRequest,
  { filter, slice, done }: ListRequest,
  groupNames: () => Promise<GroupNames>,
): Promise<string> {
  const found = await findings.list(filter, { ...slice, limit: slice.limit + 1 });
  const rows = found.slice(0, slice.limit);
  const last = rows.at(-1);
  const hasMore = found.length > rows.length && last !== undefined;
  return listPage({
    assets,
    viewer,
    filter,
    rows,
    projects: await projectsOf(db, rows),
    more: hasMore
      ? addressOf(null, filter, besideOf({ filter, slice: { ...slice, after: last.id }, done: null }))
      : null,
    counts: await findings.counts(filter),
    coverage: await findings.coverage(filter),
    saved: actor === null ? [] : await savedFilters(db, actor.id),
    names: await groupNames(),
    done: done === null ? null : await findings.get(done),
    now: new Date(),
  });
}
