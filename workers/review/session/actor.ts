/** Who asks. In: a request on which the server has set `actor`. Out: the person, or RequestError with what is missing. */
import type { FastifyRequest } from 'fastify';
import { RequestError } from '../../../shared/errors.ts';

/** A `patroller` decides; a `maintainer` also requeues, cancels, keeps worklists and opt-outs. */
export type Role = 'patroller' | 'maintainer';

export interface Actor {
  /** Of the table `users`. */
  id: number;
  name: string;
  roles: readonly Role[];
  via: 'session' | 'token';
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null: nobody is signed in. */
    actor: Actor | null;
  }
}

/** Throws RequestError `not_signed_in`, or `forbidden` where the role is missing. */
export function requireRole({ actor }: Pick<FastifyRequest, 'actor'>, role: Role): Actor {
  if (actor === null) throw new RequestError('not_signed_in', 'Sign in first: this needs an account of the wiki.');
  if (actor.roles.includes(role)) return actor;
  throw new RequestError('forbidden', ROLE_MISSING[role]);
}

const ROLE_MISSING: Record<Role, string> = {
  patroller: 'This account may not decide: it is blocked on the wiki.',
  maintainer: 'Only maintainers may do this.',
};
