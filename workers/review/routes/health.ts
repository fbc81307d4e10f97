/** For probes: whether the service lives, and whether it can do its work. What it counts is at OPS_PORT, since that is not for the public. */
import type { FastifyPluginAsync } from 'fastify';

export function healthRoutes(ready: () => Promise<string[]> = async () => []): FastifyPluginAsync {
  return async (server) => {
    const asked = lately(ready);
    let isStopping = false;
    server.addHook('preClose', async () => {
      isStopping = true;
    });
    server.get('/healthz', async () => ({ ok: true }));
    server.get('/readyz', async (_request, reply) => {
      const waiting = isStopping ? ['stopping'] : await asked();
      return reply
        .code(waiting.length === 0 ? 200 : 503)
        .header('cache-control', 'no-store')
        .send({ waiting });
    });
  };
}

/** Whoever asks for these learns nothing, so any name will do: a probe knows an address only. */
export const HEALTH_PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** Anybody may ask, so that asking often costs nothing. */
function lately(ready: () => Promise<string[]>): () => Promise<string[]> {
  let last = { at: Number.NEGATIVE_INFINITY, answer: Promise.resolve<string[]>([]) };
  return () => {
    if (performance.now() - last.at > FRESH_MS) last = { at: performance.now(), answer: ready() };
    return last.answer;
  };
}

const FRESH_MS = 500;
