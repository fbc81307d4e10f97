/** Style sheet, scripts and icon, from memory. */
import type { FastifyPluginAsync } from 'fastify';
import { type Assets, listAssets } from '../assets.ts';

export function assetRoutes({ assets }: { assets: Assets }): FastifyPluginAsync {
  return async (server) => {
    for (const asset of listAssets(assets)) {
      server.get(asset.path, async (_request, reply) =>
        reply.type(asset.type).header('cache-control', 'public, max-age=31536000, immutable').send(asset.body),
      );
    }
  };
}
