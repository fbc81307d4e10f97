/** The blind comparison of cited and suggested sources: pages to judge at, and its results. Judging needs an account. */
import { stringify } from 'csv-stringify/sync';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import type { Kysely } from 'kysely';
import { agreementOf, type SourceJudgement } from '../../evaluation/agreement.ts';
import type { Assets } from '../assets.ts';
import { getItem, nextItem } from '../blind/items.ts';
import { Judgement, judge } from '../blind/judge.ts';
import { blindJudgements, blindProgress } from '../blind/results.ts';
import type { Schema } from '../database.ts';
import { refuseStrangeForm } from '../guard.ts';
import { parse, parseId } from '../request.ts';
import { requireRole } from '../session/actor.ts';
import { blindItemPage, blindPage, blindResultsPage } from '../views/blind.ts';
import { sendHtml } from './html.ts';

export interface BlindOptions {
  db: Kysely<Schema>;
  assets: Assets;
}

export function blindRoutes({ db, assets }: BlindOptions): FastifyPluginAsync {
  return async (server) => {
    server.get('/compare', async ({ viewer, query }, reply) => {
      const progress = await blindProgress(db, viewer.actor?.id ?? null);
      const none = new URLSearchParams(query as Record<string, string>).has('none'); // fastify parses it so
      return sendHtml(reply, blindPage({ assets, viewer, progress, none }));
    });
    server.get('/compare/:id', async (request, reply) => {
      const { id: userId } = requireRole(request, 'patroller');
      const item = await getItem(db, parseId(request.params), userId);
      return sendHtml(reply, blindItemPage({ assets, viewer: request.viewer, item }));
    });
    server.post('/compare/next', async (request, reply) => {
      refuseStrangeForm(request);
      return goOn(db, reply, requireRole(request, 'patroller').id);
    });
    server.post('/compare/:id', async (request, reply) => {
      refuseStrangeForm(request);
      const { id: userId } = requireRole(request, 'patroller');
      await judge(db, parseId(request.params), userId, parse(Judgement, request.body));
      return goOn(db, reply, userId);
    });
    server.post('/compare/:id/skip', async (request, reply) => {
      refuseStrangeForm(request);
      return goOn(db, reply, requireRole(request, 'patroller').id, parseId(request.params));
    });
    server.get('/compare/results', async ({ viewer }, reply) => {
      const agreement = agreementOf(await blindJudgements(db));
      return sendHtml(reply, blindResultsPage({ assets, viewer, agreement }));
    });
    server.get('/compare/results.csv', async (_request, reply) => {
      const rows = numbered(await blindJudgements(db));
      return reply.type('text/csv; charset=utf-8').send(stringify(rows, { header: true, columns: COLUMNS }));
    });
  };
}

const COLUMNS = ['item', 'judge', 'cited', 'suggested', 'preferred'];

/** Who judged is nobody else's business: a hash of a name is found by trying all names. */
function numbered(rows: readonly SourceJudgement[]): SourceJudgement[] {
  const judges = [...new Set(rows.map(({ judge: by }) => by))];
  return rows.map((row) => ({ ...row, judge: String(judges.indexOf(row.judge) + 1) }));
}

async function goOn(db: Kysely<Schema>, reply: FastifyReply, userId: number, without?: number): Promise<FastifyReply> {
  const next = await nextItem(db, userId, without);
  return reply.redirect(next === null ? '/compare?none' : `/compare/${next}`, 303);
}
