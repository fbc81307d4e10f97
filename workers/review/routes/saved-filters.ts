/** Filters are saved and deleted by plain forms, each person's own. The filter is in the form's address, as on the list. */
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Schema } from '../database.ts';
import { refuseStrangeForm } from '../guard.ts';
import { parse, parseId, parseList } from '../request.ts';
import { deleteSavedFilter, SavedFilterName, saveFilter } from '../saved-filters.ts';
import { requireRole } from '../session/actor.ts';
import { addressOf } from '../views/address.ts';

/** To be registered among the pages: it reads forms. */
export function savedFilterRoutes({ db }: { db: Kysely<Schema> }): FastifyPluginAsync {
  return async (server) => {
    server.post('/saved-filters', async (request, reply) => {
      const person = ofForm(request);
      const { name } = parse(z.object({ name: SavedFilterName }), request.body);
      const { filter } = parseList(request.query);
      await saveFilter(db, person.id, name, filter);
      return reply.redirect(addressOf(null, filter), 303);
    });
    server.post('/saved-filters/:id/delete', async (request, reply) => {
      const person = ofForm(request);
      await deleteSavedFilter(db, person.id, parseId(request.params));
      return reply.redirect(addressOf(null, parseList(request.query).filter), 303);
    });
  };
}

function ofForm(request: FastifyRequest) {
  refuseStrangeForm(request);
  return requireRole(request, 'patroller');
}
