/** A real proxy between a browser and the review service, which can keep a decision waiting, or lose what the service answers to it. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface SlowProxy {
  origin: string;
  /** The next decision waits, until what this gives is called. */
  hold(): () => void;
  /** The service gets decisions, but its answers never reach the browser, until what this gives is called. */
  loseAnswers(): () => void;
  /** Decisions that came by so far. */
  decisions(): number;
  close(): Promise<void>;
}

export async function slowProxyTo(target: string): Promise<SlowProxy> {
  let held: Promise<void> = Promise.resolve();
  let isLost = false;
  let decisions = 0;
  const server = createServer(async (asked, answer) => {
    const body = await buffer(asked);
    const isDecision = asked.method === 'POST' && asked.url?.includes('/decision');
    if (isDecision) {
      decisions++;
      await held;
    }
    const isToLose = isDecision && isLost;
    pass(target, asked, body, isToLose ? null : answer, () => asked.socket.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  // it listens on a port, not on a pipe
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    hold() {
      let release = () => {};
      held = new Promise((done) => {
        release = done;
      });
      return release;
    },
    loseAnswers() {
      isLost = true;
      return () => {
        isLost = false;
      };
    },
    decisions: () => decisions,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** `answer`: null where it is to be lost; then `lose` is called once the service has answered, as when it can't be reached. */
function pass(target: string, asked: IncomingMessage, body: Buffer, answer: ServerResponse | null, lose: () => void) {
  const { method, headers, url = '/' } = asked;
  const on = request(new URL(url, target), { method: method ?? 'GET', headers }, (answered) => {
    if (answer === null) {
      answered.resume().on('end', lose);
      return;
    }
    answer.writeHead(answered.statusCode ?? 502, answered.headers);
    answered.pipe(answer);
  });
  on.on('error', lose).end(body);
}
