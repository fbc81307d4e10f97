/** Worklists as plain forms of the maintainers' page: added, run, paused, resumed, cancelled, scheduled. */
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { z } from 'zod';
import * as acts from '../../../bot/worklists/acts.ts';
import type { Maintenance } from '../maintenance.ts';
import { parse } from '../request.ts';
import { signalOf } from './api/maintainers.ts';
import { NewName, Source } from './api/worklists.ts';

export interface WorklistFormOptions {
  maintenance: Maintenance;
  /** Refuses all but a maintainer's form. */
  byForm(request: FastifyRequest): unknown;
}

export function worklistForms({ maintenance, byForm }: WorklistFormOptions): FastifyPluginAsync {
  return async (server) => {
    server.post('/maintain/worklists', async (request, reply) => {
      byForm(request);
      const { name, ...fields } = parse(AddForm, request.body);
      await maintenance.addWorklist(name, parse(Source, sourceOf(fields)), signalOf(reply));
      return reply.redirect('/maintain#worklists', 303);
    });
    server.post('/maintain/worklists/:name/:act', async (request, reply) => {
      byForm(request);
      const { name, act } = parse(Act, request.params);
      await maintenance.worklists<unknown>((means) => ACTS[act](means, name));
      return reply.redirect('/maintain#worklists', 303);
    });
    server.post('/maintain/worklists/:name/schedule', async (request, reply) => {
      byForm(request);
      const { name } = parse(Act.pick({ name: true }), request.params);
      const { day, hour } = parse(ScheduleForm, request.body);
      const schedule = day === 'off' ? null : { day: Number(day), hour };
      await maintenance.worklists((means) => acts.scheduleWorklist(means, name, schedule));
      return reply.redirect('/maintain#worklists', 303);
    });
  };
}

const ACTS = {
  run: (means: acts.WorklistMeans, name: string) => acts.runWorklist(means, name, { all: false }),
  pause: acts.pauseWorklist,
  resume: acts.resumeWorklist,
  cancel: acts.cancelWorklist,
} as const;

const Act = z.object({ name: z.string(), act: z.enum(['run', 'pause', 'resume', 'cancel']) });

const AddForm = z.object({
  name: NewName,
  kind: z.enum(['titles', 'category', 'assessment', 'pagepile', 'petscan', 'search', 'links', 'creations']),
  from: z.string().trim().min(1, 'is empty').max(30_000),
  depth: z.coerce.number().int().min(0).max(50).default(0),
});

const ScheduleForm = z.object({
  day: z.enum(['off', '0', '1', '2', '3', '4', '5', '6']),
  hour: z.coerce.number().int().min(0).max(23).default(3),
});

/** What one field means for each kind of list. */
function sourceOf({ kind, from, depth }: Omit<z.infer<typeof AddForm>, 'name'>): object {
  switch (kind) {
    case 'titles':
      return {
        kind,
        titles: from
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => line !== ''),
      };
    case 'category':
    case 'assessment':
      return { kind, title: from, depth };
    case 'pagepile':
    case 'petscan':
      return { kind, id: Number(from) };
    case 'search':
      return { kind, query: from };
    case 'links':
      return { kind, title: from };
    case 'creations':
      return { kind, user: from };
  }
}
