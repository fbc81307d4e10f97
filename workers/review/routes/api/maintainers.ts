/** Who may do what maintainers do, and for how long it is worth doing. In: a request. Out: nothing, or RequestError. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuseStrangeOrigin } from '../../guard.ts';
import { requireRole } from '../../session/actor.ts';

/** Hook of routes: before a body is read. No wiki's page may ask for it. */
export async function maintainersOnly(request: FastifyRequest): Promise<void> {
  refuseStrangeOrigin(request, []);
  requireRole(request, 'maintainer');
}

/** Aborts when whoever asks is gone: nobody would learn the name under which to cancel. */
export function signalOf({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => gone.abort());
  return gone.signal;
}
