/**
 * Checks as pages: asked for by a plain form, shown as they go on, cancelled, and judged row by row. Asking needs no account; a check
 * is cancelled with its key, which is kept in a cookie of that check alone. What people say of a row needs a patroller.
 */
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { RequestId } from '../../../shared/pipeline.ts';
import type { Assets } from '../assets.ts';
import { CheckRequest } from '../checks/check.ts';
import type { Checks } from '../checks/checks.ts';
import { FeedbackRequest, feedbackOf, giveFeedback } from '../checks/feedback.ts';
import type { LimitChecks } from '../checks/limits.ts';
import type { Schema } from '../database.ts';
import { refuseStrangeForm } from '../guard.ts';
import { parse } from '../request.ts';
import { requireRole } from '../session/actor.ts';
import { checkPage } from '../views/check.ts';
import { checkForm } from '../views/check-form.ts';
import { cancellerOf } from './api/checks.ts';
import { sendHtml } from './html.ts';

export interface CheckPageOptions {
  db: Kysely<Schema>;
  checks: Checks;
  limit: LimitChecks;
  wiki: { id: string };
  assets: Assets;
}

/** To be registered among the pages: it reads forms. */
export function checkPages(options: CheckPageOptions): FastifyPluginAsync {
  const { db, checks, limit, wiki, assets } = options;
  return async (server) => {
    server.get('/check', async (request, reply) =>
      sendHtml(reply, checkForm({ assets, viewer: request.viewer, wiki })),
    );
    server.post('/check', async (request, reply) => {
      refuseStrangeForm(request);
      const asked = parse(CheckRequest, { ...parse(Form, request.body), wiki: wiki.id });
      const { check, key } = await checks.start(asked, await limit(request, asked));
      const path = `/checks/${check.id}`;
      reply.setCookie(KEY, key, { path, httpOnly: true, secure: 'auto', sameSite: 'strict', maxAge: KEPT_S });
      return reply.redirect(path, 303);
    });
    server.get('/checks/:id', async (request, reply) => sendHtml(reply, await showCheck(request, options)));
    server.post('/checks/:id/cancel', async (request, reply) => {
      refuseStrangeForm(request);
      const id = parseCheckId(request);
      await checks.cancel(id, cancellerOf(request, request.cookies[KEY]));
      return reply.clearCookie(KEY, { path: `/checks/${id}` }).redirect(`/checks/${id}`, 303);
    });
    server.post('/checks/:id/feedback', async (request, reply) => {
      refuseStrangeForm(request);
      const person = requireRole(request, 'patroller');
      const id = parseCheckId(request);
      const { at, ...feedback } = parse(FeedbackForm, request.body);
      await giveFeedback(db, await checks.get(id), feedback, person);
      return reply.redirect(`/checks/${id}${at === undefined ? '' : `#${at}`}`, 303);
    });
  };
}

async function showCheck(request: FastifyRequest, { db, checks, assets }: CheckPageOptions): Promise<string> {
  const check = await checks.get(parseCheckId(request));
  const { actor, viewer } = request;
  return checkPage({
    ...{ assets, viewer, check },
    findings: check.kind === 'sentence' ? [] : await checks.findings(check.id, SHOWN + 1),
    shown: SHOWN,
    said: await feedbackOf(db, check.id, actor),
    mayCancel: request.cookies[KEY] !== undefined || actor?.roles.includes('maintainer') === true,
  });
}

function parseCheckId({ params }: FastifyRequest): string {
  return parse(z.object({ id: RequestId }), params).id;
}

/** What a form sends; an empty title is none. */
const Form = z
  .object({ kind: z.enum(['page', 'sentence']), title: z.string().trim(), text: z.string().optional() })
  .transform(({ title, ...others }) => (title === '' ? others : { ...others, title }));

const FeedbackForm = FeedbackRequest.extend({
  /** Where on the page to go on. */
  at: z
    .string()
    .regex(/^[a-z]+-\d+$/)
    .optional(),
});

const KEY = 'check-key';
const KEPT_S = 24 * 3600;
/** Findings of a page on one screen: the queue has the others. */
const SHOWN = 50;
