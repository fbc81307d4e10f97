/** Findings for the gadget and for programs: lists, one, its history, and what changes, as it changes. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Findings } from '../../findings.ts';
import { FilterQuery, ListQuery, listOf } from '../../request.ts';
import { Coverage, FindingRow, failures, IdParams, PastDecision, VerdictCounts } from './answers.ts';
import type { Streams } from './stream.ts';

export interface FindingsOptions {
  findings: Pick<Findings, 'list' | 'counts' | 'getShown' | 'history' | 'coverage'>;
  streams: Streams;
}

export function findingRoutes({ findings, streams }: FindingsOptions): FastifyPluginAsyncZod {
  return async (api) => {
    api.route({
      method: 'GET',
      url: '/findings',
      schema: {
        tags: ['findings'],
        summary: 'Findings of a filter, in its order',
        querystring: ListQuery.omit({ done: true }),
        response: { 200: FindingList, ...failures(400, 404) },
      },
      handler: async (request) => {
        const { filter, slice } = listOf({ ...request.query, done: undefined });
        const rows = await findings.list(filter, { ...slice, limit: slice.limit + 1 });
        const shown = rows.slice(0, slice.limit);
        const next = rows.length > slice.limit ? (shown.at(-1)?.id ?? null) : null;
        return { coverage: await findings.coverage(filter), findings: shown, next };
      },
    });
    api.route({
      method: 'GET',
      url: '/findings/counts',
      schema: {
        tags: ['findings'],
        summary: 'How many findings of a filter there are by verdict, whatever verdict it asks for',
        querystring: FilterQuery.omit({ sort: true }),
        response: { 200: z.object({ counts: VerdictCounts }), ...failures(400) },
      },
      handler: async (request) => {
        const { filter } = listOf({ ...request.query, ...UNLISTED });
        return { counts: await findings.counts(filter) };
      },
    });
    api.route({
      method: 'GET',
      url: '/findings/:id',
      schema: {
        tags: ['findings'],
        summary: 'One finding; none of an article that opted out',
        params: IdParams,
        response: { 200: FindingRow, ...failures(400, 404) },
      },
      handler: async (request) => findings.getShown(request.params.id),
    });
    api.route({
      method: 'GET',
      url: '/findings/:id/decisions',
      schema: {
        tags: ['findings'],
        summary: 'What people decided on its claim and citations, the oldest first',
        params: IdParams,
        response: { 200: z.object({ decisions: z.array(PastDecision) }), ...failures(400, 404) },
      },
      handler: async (request) => {
        const { id } = await findings.getShown(request.params.id);
        return { decisions: await findings.history(id) };
      },
    });
    api.route({
      method: 'GET',
      url: '/findings/events',
      schema: {
        tags: ['findings'],
        summary: 'New and changed findings of a filter, as Server-Sent Events',
        description: EVENTS,
        querystring: FilterQuery.omit({ sort: true }),
        headers: z.object({
          'last-event-id': z
            .string()
            .regex(/^\d{1,15}$/, 'is no id of an event')
            .optional(),
        }),
        response: { 200: EventStream, ...failures(400, 503) },
      },
      handler: async (request, reply) => {
        const { filter } = listOf({ ...request.query, ...UNLISTED });
        // who asks for no state wants to know what becomes of a finding
        const followed = request.query.state === undefined ? { ...filter, state: 'all' as const } : filter;
        const last = request.headers['last-event-id'];
        await streams.open(request, reply, followed, last === undefined ? null : Number(last));
        return reply;
      },
    });
  };
}

/** What only a list has. */
const UNLISTED = { sort: undefined, limit: undefined, after: undefined, done: undefined };

const FindingList = z.object({
  coverage: Coverage.nullable(),
  findings: z.array(FindingRow),
  next: z.int().positive().nullable().describe('Give it as `after` for what follows; null: nothing does'),
});

const EVENTS = `First comes an event \`ready\`, then an event \`finding\` for each finding that is new or changes, its data as GET
/api/findings/{id} answers. Whoever connects again with the header Last-Event-ID is told what came since, each finding once, as it is now.
Without \`state\`, findings of all states are told.`;

const EventStream = { content: { 'text/event-stream': { schema: z.string() } } };
