/** The API for people who write programs: a page made of its document. */
import type { FastifyPluginAsync } from 'fastify';
import type { Assets } from '../assets.ts';
import { docsPage } from '../views/docs.ts';
import { sendHtml } from './html.ts';

export function docsRoutes({ assets }: { assets: Assets }): FastifyPluginAsync {
  return async (server) => {
    server.get('/docs', async (request, reply) =>
      sendHtml(reply, docsPage({ assets, viewer: request.viewer, document: server.swagger() })),
    );
  };
}
