/**
 * The connection that pages are saved over: mwn, signed in with a bot password or an owner-only OAuth 2 token. In: whose account,
 * parameters of api.php. Out: parsed answers, or an ApiFailure with the API's code. Tries nothing again, and decides nothing.
 */

import { Mwn } from 'mwn';
import { z } from 'zod';
import type { BotSettings, Config } from '../../shared/config.ts';
import { retryAfterMs } from '../../shared/retry-after.ts';

type Params = Record<string, string | number | boolean | string[]>;

export interface Connection {
  /** Asks without changing anything; once signed in, as the bot. Throws ApiFailure. */
  query<T>(schema: z.ZodType<T>, params: Params, signal?: AbortSignal): Promise<T>;
  /** Anew, if it was before. Throws ApiFailure. */
  signIn(signal?: AbortSignal): Promise<void>;
  renewToken(): Promise<void>;
  /** `action=edit`: only write/save.ts calls it, behind write/places.ts. Throws ApiFailure. */
  edit(params: EditParams, signal?: AbortSignal): Promise<EditAnswer>;
}

export interface EditParams {
  /** By title: a page that was moved away meanwhile would be followed by its id, perhaps to an article. */
  title: string;
  baserevid: number;
  text: string;
  summary: string;
}

const EditAnswer = z.object({ edit: z.object({ newrevid: z.int().optional() }) });
export type EditAnswer = z.infer<typeof EditAnswer>;

/** The API, or the way to it, said no. */
export class ApiFailure extends Error {
  override readonly name: string = 'ApiFailure';
  /** Of https://www.mediawiki.org/wiki/API:Errors_and_warnings; `unreachable` where no answer of the API came. */
  readonly code: string;
  /** The server's Retry-After; null if it names none. */
  readonly retryAfterMs: number | null;
  /** What a blacklist of links matched. */
  readonly matches: readonly string[];

  /** Without a cause: mwn's errors carry the request, and with it the password or token. */
  constructor(code: string, more: { retryAfterMs?: number | null; matches?: readonly string[] } = {}) {
    super(`the wiki's API answers ${code}`);
    this.code = code;
    this.retryAfterMs = more.retryAfterMs ?? null;
    this.matches = more.matches ?? [];
  }
}

/** Opens nothing yet. */
export function createConnection(
  { apiUrl, userAgent }: Pick<Config['wiki'], 'apiUrl' | 'userAgent'>,
  { name, login, isFlagged }: Pick<BotSettings, 'name' | 'login' | 'isFlagged'>,
): Connection {
  Mwn.setLoggingConfig({ stream: process.stderr }); // stdout is a command's answer
  const open = () => new Mwn({ apiUrl, userAgent, silent: true, suppressAPIWarnings: true, maxRetries: 0 });
  let mwn = open();
  let assertion: Params = {};

  async function request<T>(schema: z.ZodType<T>, params: Params, signal?: AbortSignal): Promise<T> {
    const options = { timeout: TIMEOUT_MS, ...(signal === undefined ? {} : { signal }) };
    const answer: unknown = await mwn.request({ ...params, ...assertion }, options).catch((error: unknown) => {
      signal?.throwIfAborted();
      throw toFailure(error);
    });
    const parsed = schema.safeParse(answer);
    if (parsed.success) return parsed.data;
    throw failureOfAnswer(answer); // of another shape: from a proxy, or a refusal that is no error (a captcha)
  }

  return {
    query: request,
    async signIn(signal) {
      if (login === null || name === null) throw new ApiFailure('mwn_failedlogin');
      signal?.throwIfAborted();
      mwn = open(); // without the cookies of a session that was lost
      assertion = {};
      mwn.setOptions(
        login.kind === 'oauth'
          ? { OAuth2AccessToken: login.token }
          : { username: login.username, password: login.password },
      );
      if (login.kind === 'oauth') mwn.initOAuth();
      await (login.kind === 'oauth' ? mwn.getTokensAndSiteInfo() : mwn.login()).catch((error: unknown) => {
        throw toFailure(error);
      });
      assertion = { assert: isFlagged ? 'bot' : 'user', assertuser: name };
    },
    async renewToken() {
      await mwn.getTokens().catch((error: unknown) => {
        throw toFailure(error);
      });
    },
    edit(params, signal) {
      const always = {
        action: 'edit',
        nocreate: true,
        bot: isFlagged,
        contentmodel: 'wikitext',
        watchlist: 'nochange',
      };
      return request(Saved, { ...params, ...always, token: mwn.csrfToken }, signal);
    },
  };
}

/** mwn rejects with what axios or the API gave: a code, and the response if there was one. */
function toFailure(error: unknown): ApiFailure {
  const { code, response } = Thrown.parse(error);
  const pauseMs = retryAfterMs(response?.headers['retry-after'], Date.now());
  if (response === undefined) return new ApiFailure(isOfApi(code) ? code : 'unreachable');
  const failure = ErrorAnswer.safeParse(response.data).data?.error;
  if (failure !== undefined) {
    return new ApiFailure(failure.code, { retryAfterMs: pauseMs, matches: failure.spamblacklist.matches });
  }
  if (code === 'mwn_failedlogin') return new ApiFailure(code);
  return new ApiFailure(response.status === 429 ? 'ratelimited' : 'unreachable', { retryAfterMs: pauseMs });
}

/** `ECONNREFUSED`, `invalidjson` and the like tell of the way there. */
function isOfApi(code: string): boolean {
  return /^(mwn_|assert)/.test(code);
}

function failureOfAnswer(answer: unknown): ApiFailure {
  const refused = RefusedEdit.safeParse(answer).data?.edit;
  if (refused === undefined) return new ApiFailure('unreachable');
  return new ApiFailure('captcha' in refused ? 'captcha' : (refused.code ?? 'failure'));
}

const TIMEOUT_MS = 60_000;

const Saved = EditAnswer.extend({ edit: EditAnswer.shape.edit.extend({ result: z.literal('Success') }) });
const RefusedEdit = z.object({
  edit: z.looseObject({ result: z.literal('Failure'), code: z.string().optional() }),
});
const Thrown = z.object({
  code: z.string().catch('unreachable'),
  response: z
    .object({
      status: z.int(),
      headers: z.object({ 'retry-after': z.string().optional().catch(undefined) }),
      data: z.unknown().optional(),
    })
    .optional()
    .catch(undefined),
});
const ErrorAnswer = z.object({
  error: z.object({
    code: z.string(),
    spamblacklist: z.object({ matches: z.array(z.string()) }).catch({ matches: [] }),
  }),
});
