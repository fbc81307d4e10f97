/** Lists of articles that are checked as a whole, for maintainers: the verbs of `sidelight worklist`, by the list's name. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import * as acts from '../../../../bot/worklists/acts.ts';
import { ListSource, Schedule } from '../../../../bot/worklists/worklist.ts';
import type { Maintenance } from '../../maintenance.ts';
import { failures, VerdictCounts } from './answers.ts';
import { BY_MAINTAINER } from './document.ts';
import { maintainersOnly, signalOf } from './maintainers.ts';

export interface WorklistOptions {
  maintenance: Maintenance;
}

export function worklistRoutes({ maintenance }: WorklistOptions): FastifyPluginAsyncZod {
  return async (api) => {
    api.route({
      method: 'GET',
      url: '/worklists',
      preParsing: maintainersOnly,
      schema: {
        ...of('The lists of the wiki, each with its newest run'),
        response: { 200: z.object({ worklists: z.array(Listed) }), ...failures(401, 403, 503) },
      },
      handler: async () => ({ worklists: await maintenance.worklists(acts.listWorklists) }),
    });
    api.route({
      method: 'GET',
      url: '/worklists/:name',
      preParsing: maintainersOnly,
      schema: {
        ...of('How far a list is: articles, claims, findings'),
        params: NameParams,
        response: { 200: Shown, ...failures(400, 401, 403, 404, 503) },
      },
      handler: async ({ params }) => maintenance.showWorklist(params.name),
    });
    api.route({
      method: 'POST',
      url: '/worklists',
      preParsing: maintainersOnly,
      bodyLimit: MOST_BYTES,
      schema: {
        ...of('Keep a list of articles under a name; the wiki or the tool is asked for its first part'),
        body: z.strictObject({ name: NewName, source: Source }),
        response: { 201: List, ...failures(400, 401, 403, 409, 413, 415, 503) },
      },
      handler: async (request, reply) => {
        const { name, source } = request.body;
        return reply.code(201).send(await maintenance.addWorklist(name, source, signalOf(reply)));
      },
    });
  };
}

/** What is done with a list that is there. */
export function worklistActRoutes({ maintenance }: WorklistOptions): FastifyPluginAsyncZod {
  return async (api) => {
    api.route({
      method: 'POST',
      url: '/worklists/:name/run',
      preParsing: maintainersOnly,
      schema: {
        ...of('Begin a run, or tell the one that is open to go on'),
        params: NameParams,
        body: z
          .strictObject({ all: z.boolean().default(false).describe('Also what has not changed') })
          .default({ all: false }),
        response: { 200: Run, ...failures(...ACT) },
      },
      handler: async ({ params, body }) => maintenance.worklists((means) => acts.runWorklist(means, params.name, body)),
    });
    api.route({
      method: 'POST',
      url: '/worklists/:name/pause',
      preParsing: maintainersOnly,
      schema: { ...of('Hand no more articles on'), params: NameParams, response: { 200: List, ...failures(...ACT) } },
      handler: async ({ params }) => maintenance.worklists((means) => acts.pauseWorklist(means, params.name)),
    });
    api.route({
      method: 'POST',
      url: '/worklists/:name/resume',
      preParsing: maintainersOnly,
      schema: {
        ...of('Go on with a list that is paused; run null: none is open'),
        params: NameParams,
        response: { 200: Listed, ...failures(...ACT) },
      },
      handler: async ({ params }) => maintenance.worklists((means) => acts.resumeWorklist(means, params.name)),
    });
    api.route({
      method: 'POST',
      url: '/worklists/:name/cancel',
      preParsing: maintainersOnly,
      schema: {
        ...of('End the open run, and take out what still waits for it'),
        params: NameParams,
        response: { 200: z.object({ run: z.int(), removed: Count.describe('Jobs') }), ...failures(...ACT) },
      },
      handler: async ({ params }) => maintenance.worklists((means) => acts.cancelWorklist(means, params.name)),
    });
    api.route({
      method: 'POST',
      url: '/worklists/:name/schedule',
      preParsing: maintainersOnly,
      schema: {
        ...of('Begin a run every week, or no longer'),
        params: NameParams,
        body: z.strictObject({ schedule: Schedule.nullable().describe('Day 0 is Sunday; hour UTC; null: no longer') }),
        response: { 200: z.object({ worklist: List, next: z.iso.datetime().nullable() }), ...failures(...ACT) },
      },
      handler: async ({ params, body }) =>
        maintenance.worklists((means) => acts.scheduleWorklist(means, params.name, body.schedule)),
    });
  };
}

function of(summary: string) {
  return { tags: ['worklists'], summary, security: BY_MAINTAINER };
}

const ACT = [400, 401, 403, 404, 409, 413, 415, 503] as const;
/** Some ten thousand titles. */
const MOST_BYTES = 2 ** 20;

const Name = z.string().trim().min(1, 'is empty').max(100, 'is longer than 100 characters');
const NameParams = z.object({ name: Name });
/** Browsers take `.` and `..` out of an address: nothing could be done with such a list. */
export const NewName = Name.regex(/[^.]/, 'is nothing but dots');
const Count = z.int().nonnegative();

const Titles = z.object({
  kind: z.literal('titles'),
  titles: z.array(z.string().trim().min(1).max(512)).min(1).max(20_000),
});
/** A list of titles comes with the request, where the command has a file of them. */
export const Source = z.union([Titles, ListSource]);
export type Source = z.infer<typeof Source>;

const List = z.object({
  id: z.int(),
  wiki: z.string(),
  name: z.string(),
  source: z.looseObject({ kind: z.string() }),
  paused: z.boolean(),
  schedule: Schedule.nullable(),
  created: z.iso.datetime(),
});

const Run = z.object({
  number: z.int().positive(),
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  phase: z.enum(['collecting', 'resolving', 'publishing']),
  everything: z.boolean(),
  waiting: z.string().nullable().describe('Code of what it waits for'),
  reason: z.string().nullable().describe('Code of why it failed'),
  detail: z.string().nullable(),
  started: z.iso.datetime(),
  ended: z.iso.datetime().nullable(),
});

const Listed = z.object({ worklist: List, run: Run.nullable() });

const Shown = z.object({
  worklist: List,
  runs: z.array(Run).describe('The newest first'),
  progress: z
    .object({
      articles: z.object({
        known: Count,
        waiting: Count,
        open: Count,
        read: Count,
        leftOut: z.record(z.string(), Count),
      }),
      claims: z.object({ found: Count, checked: Count, checking: Count }),
      findings: z.object({ open: VerdictCounts, decided: Count }),
    })
    .nullable()
    .describe('Of the newest run'),
});
