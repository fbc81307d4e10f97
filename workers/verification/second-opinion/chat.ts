/**
 * Messages → the text that a chat model answers, from any server with OpenAI's chat completions. Whatever the server does is an
 * outcome with a code; the budget is asked before every request. Knows nothing of claims.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { z } from 'zod';
import { parseJson } from '../../../shared/json.ts';
import { retryAfterMs } from '../../../shared/retry-after.ts';
import type { Budget } from './budget.ts';
import { type Dialect, FIRST_DIALECT, nextDialect, type Refusal, toParameters } from './dialect.ts';
import type { Message } from './prompt.ts';

export interface ChatSettings {
  /** Base of the API, `https://host/v1`. */
  url: string;
  model: string;
  /** Bearer token. */
  key: string | null;
  /** A server that asks for more patience than this is not asked again. Milliseconds. */
  timeoutMs: number;
}

export type ChatOutcome =
  /** `model`: as the server names it, or as it was asked for. */
  | { kind: 'answer'; model: string; content: string }
  /** `detail` is for a maintainer: 'HTTP 401', 'ECONNREFUSED'. */
  | { kind: 'none'; code: 'failed' | 'malformed' | 'over_budget'; detail: string };

export interface Chat {
  /** `schema`: JSON Schema of the content. Rejects where `signal` aborts, and where the budget can't be asked. */
  complete(messages: readonly Message[], schema: Record<string, unknown>, signal: AbortSignal): Promise<ChatOutcome>;
}

/** Remembers in which dialect the server answered. */
export function createChat(settings: ChatSettings, budget: Budget): Chat {
  let settled: Dialect | null = null;
  return {
    async complete(messages, schema, signal) {
      const sendIn = (dialect: Dialect): Promise<Sent> => {
        const body = { model: settings.model, messages, ...toParameters(dialect, schema) };
        return sendPatiently(settings, budget, JSON.stringify(body), signal);
      };
      const { dialect, sent } = settled === null ? await findDialect(sendIn) : await trySending(sendIn, settled);
      if (sent.kind === 'answer') settled = dialect;
      return sent.kind === 'refused' ? none('failed', `HTTP ${sent.status}`) : sent;
    },
  };
}

type SendIn = (dialect: Dialect) => Promise<Sent>;

/** The first dialect that is not refused for its form. */
async function findDialect(sendIn: SendIn, dialect = FIRST_DIALECT): Promise<{ dialect: Dialect; sent: Sent }> {
  const tried = await trySending(sendIn, dialect);
  const next = tried.sent.kind === 'refused' ? nextDialect(dialect, tried.sent) : null;
  return next === null ? tried : findDialect(sendIn, next);
}

async function trySending(sendIn: SendIn, dialect: Dialect): Promise<{ dialect: Dialect; sent: Sent }> {
  return { dialect, sent: await sendIn(dialect) };
}

type Sent = ChatOutcome | Rejection;

interface Rejection extends Refusal {
  kind: 'refused';
  /** Milliseconds that the server asks to wait. */
  retryAfterMs: number;
}

/** Once more where the server is busy and says, or may be taken to mean, that it won't be for long. */
async function sendPatiently(settings: ChatSettings, budget: Budget, body: string, signal: AbortSignal): Promise<Sent> {
  const first = await send(settings, budget, body, signal);
  if (first.kind !== 'refused' || !BUSY.has(first.status) || first.retryAfterMs >= settings.timeoutMs) return first;
  await pause(first.retryAfterMs, undefined, { signal });
  return send(settings, budget, body, signal);
}

async function send(settings: ChatSettings, budget: Budget, body: string, signal: AbortSignal): Promise<Sent> {
  if (!(await budget.take())) return none('over_budget', 'the requests of this day are used up');
  try {
    const {
      statusCode,
      headers,
      body: answer,
    } = await request(addressOf(settings.url), {
      method: 'POST',
      dispatcher: AGENT,
      signal,
      headers: headersFor(settings.key),
      body,
    });
    const text = await answer.text();
    if (statusCode >= 200 && statusCode < 300) return readCompletion(text, settings.model);
    return { kind: 'refused', status: statusCode, body: text, retryAfterMs: pauseOf(headers['retry-after']) };
  } catch (error) {
    signal.throwIfAborted();
    const code = codeOf(error);
    return none(code === TOO_LARGE ? 'malformed' : 'failed', code);
  }
}

function readCompletion(text: string, asked: string): ChatOutcome {
  const parsed = Completion.safeParse(parseJson(text));
  const content = parsed.data?.choices[0]?.message.content;
  if (content === undefined) return none('malformed', 'not a chat completion with text');
  return { kind: 'answer', model: (parsed.data?.model || asked).slice(0, 200), content };
}

function none(code: 'failed' | 'malformed' | 'over_budget', detail: string): ChatOutcome {
  return { kind: 'none', code, detail };
}

/** A query stays where it is: some services carry their version in it. */
function addressOf(base: string): URL {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/chat/completions`;
  return url;
}

function headersFor(key: string | null): Record<string, string> {
  return { 'content-type': 'application/json', ...(key !== null && { authorization: `Bearer ${key}` }) };
}

function pauseOf(header: string | string[] | undefined): number {
  return retryAfterMs(String(header ?? ''), Date.now()) ?? USUAL_PAUSE_MS;
}

/** Node's errors may come from another realm, where instanceof fails. */
function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'error';
}

const Completion = z.object({
  model: z.string().optional().catch(undefined),
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
});

/** Bytes; 2,000 tokens are a tenth of it. */
const MAX_ANSWER = 128 * 1024;
const TOO_LARGE = 'UND_ERR_RES_EXCEEDED_MAX_SIZE';
/** The caller's signal ends a request, not the agent's own patience. No connection is kept: nothing is left to close. */
const AGENT = new Agent({
  pipelining: 0,
  maxResponseSize: MAX_ANSWER,
  headersTimeout: 0,
  bodyTimeout: 0,
  connect: { timeout: 0 },
});
const BUSY: ReadonlySet<number> = new Set([429, 503]);
const USUAL_PAUSE_MS = 1000;
