/** Figures of what was found and decided: a page, each figure as SVG and as CSV. Public, as reading is. */
import { stringify } from 'csv-stringify/sync';
import type { FastifyPluginAsync } from 'fastify';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { RequestError } from '../../../shared/errors.ts';
import type { Assets } from '../assets.ts';
import type { Schema } from '../database.ts';
import { FIGURES, type FigureId } from '../insights/figure.ts';
import { createInsights } from '../insights/insights.ts';
import { insightsPage } from '../views/insights.ts';
import { sendHtml } from './html.ts';

export interface InsightsOptions {
  db: Kysely<Schema>;
  assets: Assets;
}

export function insightsRoutes({ db, assets }: InsightsOptions): FastifyPluginAsync {
  const insights = createInsights(db);
  return async (server) => {
    server.get('/insights', async (request, reply) =>
      sendHtml(reply, insightsPage({ assets, viewer: request.viewer, figures: await insights.all() })),
    );
    server.get('/insights/:figure.svg', async (request, reply) => {
      const figure = await insights.figure(parseFigure(request.params));
      const { drawFigure } = await import('../insights/charts.ts'); // d3, which nothing else here needs
      return reply.type('image/svg+xml').header('cache-control', 'no-cache').send(drawFigure(figure));
    });
    server.get('/insights/:figure.csv', async (request, reply) => {
      const { columns, rows } = await insights.figure(parseFigure(request.params));
      return reply.type('text/csv; charset=utf-8').send(stringify([columns, ...rows], { escape_formulas: true }));
    });
  };
}

function parseFigure(params: unknown): FigureId {
  const parsed = z.object({ figure: z.enum(FIGURES) }).safeParse(params);
  if (parsed.success) return parsed.data.figure;
  throw new RequestError('not_found', `There is no such figure; figures are ${FIGURES.join(', ')}.`);
}
