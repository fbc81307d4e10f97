/** The API as an OpenAPI document, from the schemas of the routes. In: where people reach the service. Out: what makes the document. */
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { NAMED } from './answers.ts';

export function documentOf(publicUrl: string): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Sidelight', version: '1', description: DESCRIPTION },
      servers: [{ url: new URL(publicUrl).origin }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      components: { securitySchemes: SCHEMES },
    },
    transform: (route) => (isDescribed(route.url) ? describe(route) : { url: route.url, schema: { hide: true } }),
    transformObject: createJsonSchemaTransformObject({ schemaRegistry: NAMED }),
  };
}

/** Who may: for `security` of a route. Without it, anybody. */
export const SIGNED_IN = [{ session: [] }];
export const BY_MAINTAINER = [{ session: [] }, { token: [] }];

const describe = createJsonSchemaTransform({ schemaRegistry: NAMED });

function isDescribed(url: string): boolean {
  return url.startsWith('/api/') || url === '/feed.xml';
}

const DESCRIPTION = `Findings are citations that may not support their sentence. Reading needs no account. Deciding needs one of the wiki;
what maintainers do needs the role, by a session or by a token that a maintainer makes. A change that comes with a session needs its CSRF
token in the header x-csrf-token. Every refusal is an object with a code and a message.`;

const TAGS = {
  findings: 'Findings, their history, and what changes',
  decisions: 'Findings are taken, decided on, and taken back',
  pages: 'What is known of an article',
  checks: 'A page, some of its claims, or a sentence is checked',
  requeues: 'Findings are checked again',
  queues: 'What waits and what failed',
  worklists: 'Lists of articles that are checked as a whole',
  'opt-outs': 'Pages that patrol leaves alone',
  tokens: 'For programs of maintainers',
  feeds: 'News for readers of feeds, and this document',
} as const;

const SCHEMES = {
  session: { type: 'apiKey', in: 'cookie', name: 'sidelight', description: 'Signed in at the review page' },
  token: { type: 'http', scheme: 'bearer', description: 'Made at /account/tokens by a maintainer' },
} as const;
