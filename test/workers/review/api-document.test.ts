import { z } from 'zod';
import type { Checks } from '../../../workers/review/checks/checks.ts';
import { type Served, serve } from './served.ts';

/** Only asked for while routes are made; no check is begun. */
const checks = { checks: {} as Checks, limits: { hourly: 1, pageHourly: 1 } };

let served: Served;
beforeEach(async () => {
  served = await serve({ checks });
});
afterEach(() => served.close());

test('every route of the API stands in its document, with a summary and what it answers', async () => {
  const document = Document.parse(await (await fetch(`${served.origin}/api/openapi.json`)).json());
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );
  for (const { name, operation } of operations) {
    expect([name, operation.summary.length > 5, operation.tags.length]).toEqual([name, true, 1]);
    expect([name, Object.keys(operation.responses)]).toEqual([name, expect.arrayContaining(['429'])]);
  }
  // an address that has a route names its methods to who asks with another one
  for (const path of Object.keys(document.paths).filter((one) => one.startsWith('/api/'))) {
    const response = await fetch(`${served.origin}${path.replace(/\{\w+\}/g, '1')}`, { method: 'PATCH' });
    const documented = Object.keys(document.paths[path] ?? {}).map((method) => method.toUpperCase());
    const allowed = (response.headers.get('allow') ?? '').split(', ').filter((method) => method !== 'HEAD');
    expect([path, response.status, allowed.sort()]).toEqual([path, 405, documented.sort()]);
  }
});

const Document = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        summary: z.string(),
        tags: z.array(z.string()),
        responses: z.record(z.string(), z.unknown()),
      }),
    ),
  ),
});
