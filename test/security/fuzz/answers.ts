/** What a server answered, as it knows itself. In: a server that listens. Out: how many, by status, and at what it failed. */
import type { Server } from 'node:http';

export interface Counted {
  requests: number;
  statuses: Record<string, number>;
  /** Method, path and status of what was answered with 5xx, each once. */
  failures: Set<string>;
}

/** Goes on counting while the server is asked. */
export function countAnswers(server: Server): Counted {
  const counted: Counted = { requests: 0, statuses: {}, failures: new Set() };
  server.prependListener('request', ({ method, url }, response) => {
    response.once('finish', () => {
      const { statusCode } = response;
      counted.requests += 1;
      counted.statuses[statusCode] = (counted.statuses[statusCode] ?? 0) + 1;
      if (statusCode >= 500) counted.failures.add(`${statusCode} ${method} ${url}`.slice(0, 300));
    });
  });
  return counted;
}
