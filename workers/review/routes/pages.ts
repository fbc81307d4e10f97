/** Pages for people: one finding, which opening takes for who may decide. Works without scripts. */
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { RequestError } from '../../../shared/errors.ts';
import { aboutPage } from '../about-page.ts';
import type { Assets } from '../assets.ts';
import { type ConfirmedShares, createConfirmedShares } from '../confirmed.ts';
import type { Schema } from '../database.ts';
import type { Decisions } from '../decisions.ts';
import type { Filter } from '../filter.ts';
import type { Findings } from '../findings.ts';
import type { PastDecision } from '../history.ts';
import type { Holder } from '../leases.ts';
import type { Row } from '../queue.ts';
import { parseId, parseList } from '../request.ts';
import type { Actor } from '../session/actor.ts';
import { addressOf } from '../views/address.ts';
import { findingPage } from '../views/finding.ts';
import { type GivenDependencies, givenRoutes } from './given.ts';
import { sendHtml } from './html.ts';

export interface PageOptions {
  db: Kysely<Schema>;
  findings: Findings;
  decisions: Decisions;
  wikiOrigins: readonly string[];
  indexPath: string;
  assets: Assets;
  /** Undefined: no texts of sources are taken. */
  texts: GivenDependencies | undefined;
}

export function pageRoutes(options: PageOptions): FastifyPluginAsync {
  const context = { ...options, confirmed: createConfirmedShares(options.db) };
  return async (server) => {
    if (options.texts !== undefined) await server.register(givenRoutes({ ...options, ...options.texts }));
    server.get('/findings/:id', async (request, reply) => {
      // what is fetched ahead differs from what is opened
      reply.header('vary', AHEAD);
      return sendHtml(reply, await showFinding(context, request));
    });
  };
}

async function showFinding(context: PageOptions & { confirmed: ConfirmedShares }, request: FastifyRequest) {
  const { db, findings, wikiOrigins, indexPath, assets, texts, confirmed } = context;
  const { filter, done } = parseList(request.query);
  const row = await findings.get(parseId(request.params));
  const { id, finding } = row;
  const holder = await holderOf(context, request, row);
  const history = await findings.history(id);
  return findingPage({
    assets,
    viewer: request.viewer,
    wikiOrigins,
    indexPath,
    takesTexts: texts !== undefined,
    filter,
    row,
    holder,
    history,
    isOwn: isOwn(history, request.actor),
    ahead: holder?.userId === request.actor?.id ? await addressesAhead(context, row, filter) : [],
    coverage: await findings.coverage({ wiki: finding.wiki, page: finding.page.title }),
    about: await aboutPage(db, finding.wiki, finding.page.id),
    confirmed: await confirmed.of(finding),
    neighbours: await findings.neighbours(id, filter),
    done: done === null ? null : await findings.get(done),
  });
}

/** Browsers name it `Sec-Purpose` when they fetch a page ahead by themselves; scripts may not. */
const AHEAD = 'x-purpose';

/** Who opens a finding looks at it from then on. What is fetched ahead is not looked at yet. */
async function holderOf(
  { decisions }: PageOptions,
  request: FastifyRequest,
  { id, state }: Row,
): Promise<Holder | null> {
  const { actor, headers } = request;
  if (state !== 'open') return null;
  const isAhead = /\bprefetch\b/.test(`${headers['sec-purpose']} ${headers[AHEAD]}`);
  if (!mayTake(actor) || isAhead || request.method !== 'GET') return decisions.holderOf(id);
  const asked = await request.askActor();
  if (!mayTake(asked)) return decisions.holderOf(id);
  try {
    return await decisions.take(id, asked);
  } catch (error) {
    if (error instanceof RequestError && error.code === 'leased') return decisions.holderOf(id);
    throw error;
  }
}

function mayTake(actor: Actor | null): actor is Actor {
  return actor?.roles.includes('patroller') === true;
}

/** Of the next findings that nobody else looks at. */
async function addressesAhead(
  { findings, decisions }: PageOptions,
  { id, state }: Row,
  filter: Filter,
): Promise<string[]> {
  if (state !== 'open') return [];
  const rows = await findings.list({ ...filter, state: 'open' }, { limit: AHEAD_OF, after: id });
  const held = await decisions.holdersOf(rows.map((row) => row.id));
  return rows
    .filter((row) => !held.has(row.id))
    .slice(0, 2)
    .map((row) => addressOf(row.id, filter));
}

/** Two, though others may look at some. */
const AHEAD_OF = 6;

function isOwn(history: readonly PastDecision[], actor: Actor | null): boolean {
  return actor !== null && history.findLast(({ undoneAt }) => undoneAt === null)?.by === actor.name;
}
