/** What every page for people has in common: errors are pages too, and nothing is kept by browsers. */
import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { RequestError } from '../../../shared/errors.ts';
import type { Assets } from '../assets.ts';
import { failureOf } from '../failure.ts';
import { failurePage } from '../views/failure.ts';

/** To be registered before the routes of pages, in their own scope: forms are read, and failures answered by a page. */
export async function answerInHtml(server: FastifyInstance, { assets }: { assets: Assets }): Promise<void> {
  await server.register(formbody);
  server.setErrorHandler<Error>(async (error, request, reply) => {
    const failure = failureOf(error, request);
    const finding = failure.status === 404 ? null : (/^\/findings\/\d+/.exec(request.url)?.[0] ?? null);
    const page = { assets, viewer: request.viewer, failure, finding };
    return sendHtml(reply.code(failure.status), failurePage(page));
  });
  server.setNotFoundHandler(async (request) => {
    throw new RequestError('not_found', `There is nothing at ${request.url}.`);
  });
}

export function sendHtml(reply: FastifyReply, html: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(html);
}
