/** A real HTTP server on loopback that speaks OpenAI's chat completions as a test says. Whoever starts it closes it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { startWeb } from '../../../support/web.ts';

export interface ChatRequest {
  authorization: string | undefined;
  body: {
    model: string;
    messages: { role: string; content: string }[];
    response_format?: { type: string; json_schema?: { strict: boolean; schema: unknown } };
    [parameter: string]: unknown;
  };
}

export interface ChatServer {
  /** Base of the API. */
  url: string;
  received: ChatRequest[];
  close(): Promise<void>;
}

/** Answers one request, the first of which is number 0. */
export type Reply = (response: ServerResponse, request: ChatRequest, number: number) => void;

export async function startChatServer(reply: Reply): Promise<ChatServer> {
  const received: ChatRequest[] = [];
  const web = await startWeb({
    '/v1/chat/completions': async (request, response) => {
      const asked = await read(request);
      received.push(asked);
      reply(response, asked, received.length - 1);
    },
  });
  return { url: `http://127.0.0.1:${web.port}/v1`, received, close: web.close };
}

async function read(request: IncomingMessage): Promise<ChatRequest> {
  return { authorization: request.headers.authorization, body: JSON.parse(await text(request)) };
}

/** A completion whose message is `content`; objects are sent as JSON text. */
export function completion(content: unknown): Reply {
  const message = { role: 'assistant', content: typeof content === 'string' ? content : JSON.stringify(content) };
  const body = { model: 'judge-7b-q4', choices: [{ index: 0, message, finish_reason: 'stop' }] };
  return (response) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
}

/** An error as OpenAI sends it. */
export function refusal(
  status: number,
  error: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Reply {
  return (response) => response.writeHead(status, headers).end(JSON.stringify({ error: { message: 'no', ...error } }));
}

/** One reply after the other; the last for all that come later. */
export function inTurn(...replies: [Reply, ...Reply[]]): Reply {
  return (response, request, number) => replies[Math.min(number, replies.length - 1)]?.(response, request, number);
}
