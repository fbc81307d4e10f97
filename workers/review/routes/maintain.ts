/** The maintainers' page: the verbs of routes/api as plain forms. What can't be had (queues away, worklists elsewhere) is said in its place. */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import * as acts from '../../../bot/worklists/acts.ts';
import { RequestError, TransientError } from '../../../shared/errors.ts';
import { RequestId } from '../../../shared/pipeline.ts';
import type { Assets } from '../assets.ts';
import { refuseStrangeForm } from '../guard.ts';
import type { Maintenance } from '../maintenance.ts';
import { parse } from '../request.ts';
import { type Actor, requireRole } from '../session/actor.ts';
import { type MaintainView, maintainPage, type Part } from '../views/maintain.ts';
import { signalOf } from './api/maintainers.ts';
import { OptOutRequest } from './api/opt-outs.ts';
import { Criteria } from './api/requeues.ts';
import { sendHtml } from './html.ts';
import { worklistForms } from './maintain-worklists.ts';

export interface MaintainOptions {
  maintenance: Maintenance;
  assets: Assets;
}

/** To be registered among the pages: it reads forms. */
export function maintainRoutes(options: MaintainOptions): FastifyPluginAsync {
  const { maintenance } = options;
  return async (server) => {
    server.get('/maintain', async (request, reply) => {
      requireRole(request, 'maintainer');
      return show(request, reply, options, { said: parse(Said, request.query) });
    });
    server.post('/maintain/requeues', async (request, reply) => {
      byForm(request);
      const { act, ...fields } = parse(RequeueForm, request.body);
      const criteria = parse(Criteria, criteriaOf(fields));
      const dryRun = act === 'count';
      const counted = await maintenance.requeue(criteria, { dryRun, signal: signalOf(reply) });
      if (dryRun) return show(request, reply, options, { asked: { fields, counted } });
      return reply.redirect(`/maintain?began=${counted.request ?? 'nothing'}#queues`, 303);
    });
    server.post('/maintain/requeues/:request/cancel', async (request, reply) => {
      byForm(request);
      const { request: name } = parse(z.object({ request: RequestId }), request.params);
      const jobs = await maintenance.cancelRequeue(name);
      return reply.redirect(`/maintain?cancelled=${name}&jobs=${jobs}#queues`, 303);
    });
    server.post('/maintain/opt-outs', async (request, reply) => {
      const { id: userId } = byForm(request);
      const { title, comment } = parse(OptOutRequest, parse(OptOutForm, request.body));
      await maintenance.optOut(title, { userId, comment: comment || null }, signalOf(reply));
      return reply.redirect('/maintain#opt-outs', 303);
    });
    server.post('/maintain/opt-outs/:wiki/:page/remove', async (request, reply) => {
      byForm(request);
      const { wiki, page } = parse(
        z.object({ wiki: z.string(), page: z.coerce.number().int().positive() }),
        request.params,
      );
      await maintenance.optIn(wiki, page);
      return reply.redirect('/maintain#opt-outs', 303);
    });
    server.register(worklistForms({ maintenance, byForm }));
  };
}

function byForm(request: FastifyRequest): Actor {
  refuseStrangeForm(request);
  return requireRole(request, 'maintainer');
}

async function show(
  request: FastifyRequest,
  reply: FastifyReply,
  { assets, maintenance }: MaintainOptions,
  also: Pick<Partial<MaintainView>, 'asked' | 'said'>,
): Promise<FastifyReply> {
  const page = {
    assets,
    viewer: request.viewer,
    asked: null,
    said: {},
    ...also,
    queues: await part(maintenance.queues()),
    worklists: await part(worklistsOf(maintenance)),
    optOuts: await part(maintenance.optOuts()),
  };
  return sendHtml(reply, maintainPage(page));
}

/** The page is wanted most when something is away. */
async function part<T>(asked: Promise<T>): Promise<Part<T>> {
  try {
    return { is: await asked };
  } catch (error) {
    if (error instanceof RequestError || error instanceof TransientError) return { away: error.message };
    throw error;
  }
}

/** How far each is that has been run. */
async function worklistsOf(maintenance: Maintenance): Promise<acts.ShownWorklist[]> {
  const listed = await maintenance.worklists(acts.listWorklists);
  return Promise.all(listed.map(({ worklist }) => maintenance.showWorklist(worklist.name)));
}

const Said = z.object({
  began: z.union([RequestId, z.literal('nothing')]).optional(),
  cancelled: RequestId.optional(),
  jobs: z.coerce.number().int().nonnegative().optional(),
});

const text = z.string().trim().max(30_000).default('');
const OptOutForm = z.object({ title: text, comment: text });

const RequeueForm = z.object({
  act: z.enum(['count', 'requeue']),
  articles: text,
  category: text,
  depth: text,
  citation: text,
  reason: text,
  verdict: text,
  model: text,
  olderThan: text,
  readAgain: z.string().optional(),
});

/** As the API takes it: an empty field is none, and numbers are numbers. */
function criteriaOf({ articles, readAgain, ...fields }: Omit<z.infer<typeof RequeueForm>, 'act'>) {
  const { depth, olderThan, ...texts } = fields;
  const given = Object.entries(texts).filter(([, value]) => value !== '');
  const numbers = Object.entries({ depth, olderThan }).flatMap(([name, value]) =>
    value === '' ? [] : [[name, Number(value)] as const],
  );
  const titles = articles.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  const listed = titles.length === 0 ? {} : { articles: titles };
  return {
    ...Object.fromEntries(given),
    ...Object.fromEntries(numbers),
    ...listed,
    readAgain: readAgain !== undefined,
  };
}
