/** The document that describes the API, made of the schemas of its routes. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { failures } from './answers.ts';

export function openapiRoutes(): FastifyPluginAsyncZod {
  return async (api) => {
    api.route({
      method: 'GET',
      url: '/openapi.json',
      schema: {
        tags: ['feeds'],
        summary: 'This document (OpenAPI 3.1)',
        response: { 200: z.looseObject({ openapi: z.string() }), ...failures() },
      },
      handler: async () => ({ ...api.swagger(), openapi: '3.1.0' }),
    });
  };
}
