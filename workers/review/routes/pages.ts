/** Pages for people: the queue, one finding, and its decision as a plain form. Works without scripts. */
import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply } from 'fastify';
import { RequestError } from '../../../shared/errors.ts';
import type { Assets } from '../assets.ts';
import { DecisionRequest } from '../decide.ts';
import { failureOf } from '../failure.ts';
import type { Findings } from '../findings.ts';
import { refuseStrangeForm } from '../guard.ts';
import { type ListRequest, parse, parseId, parseList } from '../request.ts';
import { addressOf } from '../views/address.ts';
import { failurePage } from '../views/failure.ts';
import { findingPage } from '../views/finding.ts';
import { listPage } from '../views/list.ts';
import { type GivenDependencies, givenRoutes } from './given.ts';

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
    await server.register(formbody);
    answerInHtml(server, options.assets);
    if (options.texts !== undefined) await server.register(givenRoutes({ ...options, ...options.texts }));
    server.get('/', async (request, reply) => sendHtml(reply, await showList(options, parseList(request.query))));
    server.get('/findings/:id', async (request, reply) =>
      sendHtml(reply, await showFinding(options, parseId(request.params), parseList(request.query))),
    );
    server.post('/findings/:id/decision', async (request, reply) => {
      refuseStrangeForm(request);
      const decision = parse(DecisionRequest, request.body);
      const next = await decideAndGoOn(options, parseId(request.params), decision, parseList(request.query));
      return reply.redirect(next, 303);
    });
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

/** The next finding is looked up first: a decision moves this one out of its place. */
async function decideAndGoOn(
  { findings }: PageOptions,
  id: number,
  decision: DecisionRequest,
  { filter }: ListRequest,
): Promise<string> {
  const { next } = await findings.neighbours(id, filter);
  await findings.decide(id, decision);
  return addressOf(next, filter, { done: id });
}

function answerInHtml(server: FastifyInstance, assets: Assets): void {
  server.setErrorHandler<Error>(async (error, request, reply) => {
    const failure = failureOf(error, request);
    const finding = failure.status === 404 ? null : (/^\/findings\/\d+/.exec(request.url)?.[0] ?? null);
    return sendHtml(reply.code(failure.status), failurePage({ assets, failure, finding }));
  });
  server.setNotFoundHandler(async (request) => {
    throw new RequestError('not_found', `There is nothing at ${request.url}.`);
  });
}

function sendHtml(reply: FastifyReply, html: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(html);
}
