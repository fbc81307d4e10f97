/**
 * Sign-in with the wiki's OAuth 2.0, identity only (https://www.mediawiki.org/wiki/Extension:OAuth): authorization code, PKCE and
 * state. In: a client that is registered there. Out: an account, or RequestError with what went wrong. No token is kept.
 */
import type { FastifyBaseLogger } from 'fastify';
import * as oauth from 'oauth4webapi';
import { z } from 'zod';
import { RequestError } from '../../../shared/errors.ts';
import type { PendingSignIn } from './store.ts';
import type { Account } from './users.ts';

export interface WikiOAuthOptions {
  wiki: { id: string; origin: string; restUrl: string; userAgent: string };
  /** Of a public client the secret is null. */
  client: { id: string; secret: string | null };
  /** Where the wiki sends people back to. */
  redirectUri: string;
  log: FastifyBaseLogger;
}

export interface WikiOAuth {
  /** Where to send a person, and what to remember until they come back. */
  begin(): Promise<{ url: string; state: string; verifier: string }>;
  /** `url`: as the wiki called it. */
  finish(url: URL, pending: Pick<PendingSignIn, 'state' | 'verifier'>): Promise<Account>;
}

export function createWikiOAuth(options: WikiOAuthOptions): WikiOAuth {
  const { wiki, client } = options;
  const endpoint = (name: string) => `${wiki.restUrl}/oauth2/${name}`;
  const server: oauth.AuthorizationServer = {
    issuer: wiki.origin,
    authorization_endpoint: endpoint('authorize'),
    token_endpoint: endpoint('access_token'),
    userinfo_endpoint: endpoint('resource/profile'),
  };
  return {
    async begin() {
      const state = oauth.generateRandomState();
      const verifier = oauth.generateRandomCodeVerifier();
      const asked = new URLSearchParams({
        response_type: 'code',
        client_id: client.id,
        redirect_uri: options.redirectUri,
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return { url: `${server.authorization_endpoint}?${asked}`, state, verifier };
    },
    async finish(url, pending) {
      try {
        const token = await exchange(url, pending, server, options);
        return toAccount(await readProfile(token, server, options), wiki.id);
      } catch (error) {
        const refusal = refusalOf(error);
        // the message alone: what is attached to it may have a token in it
        if (OURS.includes(refusal.code))
          options.log.warn({ code: refusal.code, reason: String(error) }, 'sign-in failed');
        throw refusal;
      }
    },
  };
}

async function exchange(
  url: URL,
  { state, verifier }: Pick<PendingSignIn, 'state' | 'verifier'>,
  server: oauth.AuthorizationServer,
  options: WikiOAuthOptions,
): Promise<string> {
  const client: oauth.Client = { client_id: options.client.id };
  const { secret } = options.client;
  const authentication = secret === null ? oauth.None() : oauth.ClientSecretPost(secret);
  const answer = oauth.validateAuthResponse(server, client, url, state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authentication,
    answer,
    options.redirectUri,
    verifier,
    requestOptions(options),
  );
  return (await oauth.processAuthorizationCodeResponse(server, client, response)).access_token;
}

async function readProfile(token: string, server: oauth.AuthorizationServer, options: WikiOAuthOptions) {
  const url = new URL(server.userinfo_endpoint ?? '');
  const { headers, ...others } = requestOptions(options);
  const response = await oauth.protectedResourceRequest(token, 'GET', url, new Headers(headers), null, others);
  if (!response.ok)
    throw new RequestError('wiki_failed', `The wiki did not say who you are (${response.status}). ${AGAIN}`);
  return Profile.parse(await response.json());
}

/** Numbers of the wiki's own ids, and of the farm's where its accounts are shared. */
const Profile = z.object({
  sub: z.union([z.string(), z.number()]).transform(String),
  username: z.string().min(1),
  blocked: z.boolean().default(false),
  groups: z.array(z.string()).default([]),
});

function toAccount({ sub, username, blocked, groups }: z.infer<typeof Profile>, wiki: string): Account {
  if (blocked) {
    throw new RequestError(
      'blocked',
      `${username} is blocked on the wiki, and so can't sign in here. Reading needs no account.`,
    );
  }
  return { wiki, subject: sub, name: username, groups, blocked };
}

/** Plain HTTP for wikis on this machine only. */
function requestOptions({ wiki }: WikiOAuthOptions) {
  return {
    headers: { 'user-agent': wiki.userAgent, accept: 'application/json' },
    signal: () => AbortSignal.timeout(TIMEOUT_MS),
    [oauth.allowInsecureRequests]: wiki.origin.startsWith('http:'),
    [oauth.customFetch]: ask,
  };
}

type Sent = oauth.CustomFetchOptions<string, oauth.ProtectedResourceRequestBody>;

async function ask(url: string, { body = null, ...sent }: Sent): Promise<Response> {
  try {
    return await fetch(url, { ...sent, body });
  } catch {
    throw new RequestError('wiki_away', `The wiki does not answer. ${AGAIN}`);
  }
}

const TIMEOUT_MS = 10_000;
const AGAIN = 'Try to sign in again. Nothing was changed.';

/** For whoever runs the service to look into. */
const OURS = ['wiki_failed', 'wiki_away'];

function refusalOf(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  if (error instanceof oauth.AuthorizationResponseError && error.error === 'access_denied') {
    return new RequestError(
      'declined',
      'The wiki was not allowed to say who you are, so you are not signed in. Reading needs no account.',
    );
  }
  if (error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant') {
    return new RequestError(
      'stale_sign_in',
      `The wiki does not take this sign-in any more: it was used, or took too long. ${AGAIN}`,
    );
  }
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError) {
    return new RequestError('wiki_failed', `The wiki refused the sign-in: ${error.error}. ${AGAIN}`);
  }
  return new RequestError('wiki_failed', `The wiki answered the sign-in with something else. ${AGAIN}`);
}
