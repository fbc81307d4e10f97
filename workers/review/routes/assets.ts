/** Style sheet, script and icon, from memory. */
import type { FastifyPluginAsync } from 'fastify';
import type { Assets } from '../assets.ts';

export function assetRoutes({ assets }: { assets: Assets }): FastifyPluginAsync {
  return async (server) => {
    for (const asset of Object.values(assets)) {
      server.get(asset.path, async (_request, reply) =>
        reply.type(asset.type).header('cache-control', 'public, max-age=31536000, immutable').send(asset.body),
      );
    }
  };
}
