/**
 * The queues job by job, for maintainers: Bull Board at /maintain/queues. It shows, tries again, lets go on and takes out single jobs;
 * what would put unchecked payloads into a queue or empty one is refused. In: Redis. The pages are its own.
 */
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import { Queue } from 'bullmq';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Redis } from 'ioredis';
import { RequestError } from '../../../shared/errors.ts';
import { queueNames, queueOptions } from '../../../shared/queue.ts';
import type { Assets } from '../assets.ts';
import { failureOf } from '../failure.ts';
import { refuseStrangeForm } from '../guard.ts';
import { requireRole } from '../session/actor.ts';
import { failurePage } from '../views/failure.ts';
import { sendHtml } from './html.ts';

export interface QueueBoardOptions {
  /** A connection of role `producer`. */
  redis: Redis;
  assets: Assets;
}

/** To be registered where who asks is known. Nobody but maintainers gets any of it, its scripts included. */
export function queueBoard({ redis, assets }: QueueBoardOptions): FastifyPluginAsync {
  return async (server) => {
    const opened = new Map<string, Queue>();
    const adapter = new FastifyAdapter();
    adapter.setBasePath(PATH);
    const { addQueue } = createBullBoard({
      queues: [],
      // it is one, but that its types are not made for exactOptionalPropertyTypes
      serverAdapter: adapter as unknown as Parameters<typeof createBullBoard>[0]['serverAdapter'],
      options: { uiConfig: LOOKS },
    });
    const addNew = async () => {
      for (const name of await queueNames(redis)) {
        if (opened.has(name)) continue;
        const queue = new Queue(name, queueOptions(redis));
        opened.set(name, queue);
        addQueue(new BullMQAdapter(queue, { allowRetries: true }));
      }
    };
    // Bull Board answers all that is thrown in its scope with the message as it is: nothing is thrown there
    server.addHook('onRequest', async (request, reply) => {
      reply.header('content-security-policy', POLICY).header('cache-control', 'no-store');
      try {
        admit(request);
        giveToken(request, reply);
        await addNew();
      } catch (error) {
        return refuse(request, reply, error, assets);
      }
    });
    server.addHook('onClose', async () => {
      await Promise.all([...opened.values()].map((queue) => queue.close()));
    });
    server.register(adapter.registerPlugin(), { prefix: PATH });
  };
}

const PATH = '/maintain/queues';

/** Its scripts ask by PUT with the session's token, from its own pages: a browser says so of each request. */
function admit(request: FastifyRequest): void {
  requireRole(request, 'maintainer');
  if (request.method === 'GET' || request.method === 'HEAD') return;
  refuseStrangeForm(request);
  const action = `${request.method} ${new URL(request.url, request.publicOrigin).pathname}`;
  if (ACTIONS.some((allowed) => allowed.test(action))) return;
  throw new RequestError('forbidden', 'That is not done here: cancel a run, or requeue, at /maintain.');
}

/** Axios, by which its scripts ask, sends this cookie back as a header (https://axios-http.com/docs/req_config, `xsrfCookieName`). */
function giveToken({ method, viewer, publicOrigin }: FastifyRequest, reply: FastifyReply): void {
  if (method !== 'GET') return;
  const secure = publicOrigin.startsWith('https:');
  reply.setCookie('XSRF-TOKEN', viewer.csrf, { path: PATH, sameSite: 'strict', secure });
}

/** Of one job, or of those that failed; what a queue holds is else changed by requests, which know what belongs together. */
const ACTIONS = [
  /^PUT \/maintain\/queues\/api\/queues\/[\w-]+\/retry\/failed$/,
  /^PUT \/maintain\/queues\/api\/queues\/[\w-]+\/[\w-]+\/(retry|promote|clean)$/,
  /^PUT \/maintain\/queues\/api\/queues\/[\w-]+\/(pause|resume)$/,
] as const;

function refuse(request: FastifyRequest, reply: FastifyReply, error: unknown, assets: Assets): FastifyReply {
  const failure = failureOf(error instanceof Error ? error : new Error(String(error)), request);
  reply.code(failure.status);
  if (request.url.startsWith(`${PATH}/api/`)) return reply.send({ error: failure.code, message: failure.message });
  return sendHtml(reply, failurePage({ assets, viewer: request.viewer, failure, finding: null }));
}

/** Its fonts would come from elsewhere and stay away. Inline are its first styles and those of its widgets; no script is. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const LOOKS = {
  boardTitle: 'Sidelight queues',
  hideDocsLink: true,
  miscLinks: [{ text: 'Back to maintenance', url: '/maintain' }],
};
