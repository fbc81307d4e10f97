import { Ajv2020 } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { openWorklists } from '../../../bot/worklists/store.ts';
import { requestPrefix } from '../../../shared/pipeline.ts';
import { createPublisher } from '../../../shared/queue.ts';
import { makeToken, revokeToken } from '../../../workers/review/tokens.ts';
import { describeWith } from '../../support/describe-with.ts';
import { type Ground, type Maintained, openMaintained, startGround } from './maintained.ts';

const HOSTILE = [`'; DROP TABLE findings; --`, '<script>alert(1)</script>', '\u0000', '../../../etc/passwd'];

describeWith(['redis', 'wiki'], 'what maintainers do through the API', () => {
  let ground: Ground;
  let is: Maintained;

  beforeAll(async () => {
    ground = await startGround();
  });
  afterAll(() => ground?.close());
  beforeEach(async () => {
    is = await openMaintained(ground);
  });
  afterEach(() => is.close());

  async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = is.program) {
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${is.origin}/api${path}`, { method, headers: { ...type, ...headers }, ...sent });
    // every answer of these routes is a JSON object
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }
  const jobs = async () => {
    const ids = await ground.redis.zrange('{sidelight}:articles:prioritized', 0, '-1');
    return ids.filter((id) => id.includes(requestPrefix('')));
  };

  /** Every route of maintainers, each with what it takes, in an order in which each finds what it needs. */
  const calls = (): [method: string, route: string, path: string, body?: unknown][] => [
    ['GET', '/queues', '/queues'],
    ['POST', '/requeues', '/requeues', { verdict: 'not_supported', dryRun: true }],
    ['DELETE', '/requeues/{request}', '/requeues/r0mi8k2f9_1'],
    ['POST', '/worklists', '/worklists', { name: 'mills', source: { kind: 'titles', titles: ['Mill', 'Quay'] } }],
    ['GET', '/worklists', '/worklists'],
    ['GET', '/worklists/{name}', '/worklists/mills'],
    ['POST', '/worklists/{name}/pause', '/worklists/mills/pause'],
    ['POST', '/worklists/{name}/resume', '/worklists/mills/resume'],
    ['POST', '/worklists/{name}/run', '/worklists/mills/run', {}],
    ['POST', '/worklists/{name}/cancel', '/worklists/mills/cancel'],
    ['POST', '/worklists/{name}/schedule', '/worklists/mills/schedule', { schedule: { day: 1, hour: 3 } }],
    ['POST', '/opt-outs', '/opt-outs', { title: 'Quay', comment: 'Asked for on its talk page.' }],
    ['GET', '/opt-outs', '/opt-outs'],
    [
      'DELETE',
      '/opt-outs/{wiki}/{page}',
      `/opt-outs/${encodeURIComponent(ground.config.wiki.id)}/${ground.pages.Quay}`,
    ],
    ['GET', '/tokens', '/tokens'],
    ['POST', '/tokens', '/tokens', { name: 'another' }],
    ['DELETE', '/tokens/{id}', '/tokens/4'],
  ];

  test('nobody, a patroller and a revoked token are refused; a maintainer and their token are answered as is documented', async () => {
    const { token, secret } = await makeToken(is.db, is.patroller.id, 'of old');
    await revokeToken(is.db, is.patroller.id, token.id);
    await is.db.deleteFrom('tokens').where('id', '=', token.id).execute();
    const { secret: held, token: gone } = await makeToken(is.db, is.maintainer.id, 'gone');
    await revokeToken(is.db, is.maintainer.id, gone.id);
    const strangers: [number, Record<string, string>][] = [
      [401, {}],
      [401, { authorization: `Bearer ${secret}` }],
      [401, { authorization: `Bearer ${held}` }],
      [403, is.patroller.headers],
    ];
    const document = Documented.parse((await ask('GET', '/openapi.json')).body);
    const known = new Set(calls().map(([method, route]) => `${method} ${route}`));
    expect(known).toEqual(new Set(ofMaintainers(document)));
    for (const [method, , path, body] of calls()) {
      for (const [status, headers] of strangers) expect((await ask(method, path, body, headers)).status).toBe(status);
    }
    for (const [method, route, path, body] of calls()) {
      const answer = await ask(method, path, body);
      expect([path, answer.status < 300]).toEqual([path, true]);
      expect(misfits(document, method, route, answer)).toEqual([]);
    }
    expect((await ask('GET', '/queues', undefined, is.maintainer.headers)).status).toBe(200);
  });

  test('a wrong type is refused by the name of its field, and an unknown field too', async () => {
    for (const [method, , path, body] of calls()) {
      if (typeof body !== 'object' || body === null) continue;
      for (const field of Object.keys(body)) {
        const refused = await ask(method, path, { ...body, [field]: 17.5 });
        expect([path, field, refused.status, refused.body.error]).toEqual([path, field, 400, 'invalid']);
        expect(String(refused.body.message).split(/[.:]/)[0]).toBe(field);
      }
      expect((await ask(method, path, { ...body, isAdmin: true })).status).toBe(400);
    }
  });

  test('SQL and markup in every field find nothing and change nothing', async () => {
    const before = await is.db.selectFrom('findings').selectAll().execute();
    for (const text of HOSTILE) {
      const quoted = encodeURIComponent(text);
      const fields = ['category', 'citation', 'reason', 'verdict', 'model'].map((name) => ({ [name]: text }));
      const asked = [
        ...[...fields, { articles: [text] }].map((one) => ask('POST', '/requeues', one)),
        ask('DELETE', `/requeues/${quoted}`),
        ...['run', 'pause', 'resume', 'cancel'].map((verb) => ask('POST', `/worklists/${quoted}/${verb}`, undefined)),
        ask('GET', `/worklists/${quoted}`),
        ask('POST', '/worklists', { name: text, source: { kind: text } }),
        ask('POST', '/opt-outs', { title: text }),
        ask('DELETE', `/opt-outs/${quoted}/${quoted}`),
        ask('DELETE', `/tokens/${quoted}`),
        ...['wiki', 'page', 'project', 'state', 'verdict', 'after', 'decided-by'].map((name) =>
          ask('GET', `/findings?${name}=${quoted}`),
        ),
        ask('GET', `/pages?wiki=${quoted}&title=${quoted}`),
        ask('GET', `/findings/${quoted}`),
      ];
      for (const { status, body } of await Promise.all(asked)) {
        expect(status).toBeLessThan(500);
        expect(
          status === 200 ? (body.findings ?? body.counts ?? body.articles ?? body.request) : body.error,
        ).toBeDefined();
      }
    }
    expect(await is.db.selectFrom('findings').selectAll().execute()).toEqual(before);
    expect(await is.db.selectFrom('opt_outs').selectAll().execute()).toEqual([]);
    expect(await jobs()).toEqual([]);
    const { secret } = await makeToken(is.db, is.maintainer.id, HOSTILE[1] ?? '');
    const named = await ask('GET', '/tokens', undefined, { authorization: `Bearer ${secret}` });
    expect(named.body).toMatchObject({ tokens: [{ name: HOSTILE[1] }, { name: 'nightly' }] });
  });

  test('findings are counted, then checked again, seen to wait, and cancelled', async () => {
    const counted = await ask('POST', '/requeues', { articles: ['Mill'], dryRun: true });
    expect(counted.body).toEqual({ request: null, articles: 1, findings: 1, left: 0 });
    expect(await jobs()).toEqual([]);
    const begun = await ask('POST', '/requeues', { verdict: 'not_supported' });
    expect(begun.body).toMatchObject({ articles: 2, findings: 2 });
    const { request } = z.object({ request: z.string() }).parse(begun.body);
    expect(await jobs()).toHaveLength(2);
    const now = await ask('GET', '/queues');
    expect(now.body.waiting).toEqual([{ request, kind: 'requeue', jobs: 2 }]);
    expect((await ask('DELETE', `/requeues/${request}`)).body).toEqual({ request, jobs: 2 });
    expect((await ask('GET', '/queues')).body.waiting).toEqual([]);
  });

  test('a requeue that names nothing, or an article that is none, says so', async () => {
    expect(await ask('POST', '/requeues', {})).toMatchObject({ status: 400, body: { error: 'no_choice' } });
    const none = await ask('POST', '/requeues', { articles: ['Nowhere'] });
    expect(none).toMatchObject({ status: 404, body: { error: 'not_found' } });
    expect(await ask('DELETE', '/requeues/w1_1')).toMatchObject({ status: 404, body: { error: 'no_requeue' } });
  });

  test('a page that opted out is shown nowhere and told to the bot, until it opts in again', async () => {
    const titles = async (path: string) => {
      const { findings } = z
        .object({ findings: z.array(z.object({ finding: z.object({ page: z.object({ title: z.string() }) }) })) })
        .parse((await ask('GET', path)).body);
      return findings.map(({ finding }) => finding.page.title);
    };
    await ask('POST', '/opt-outs', { title: 'Quay', comment: 'Asked for on its talk page.' });
    expect(await titles('/findings')).toEqual(['Mill']);
    expect(await titles('/findings?page=Quay')).toEqual([]);
    const wiki = ground.config.wiki.id;
    expect((await ask('GET', `/pages?wiki=${wiki}&title=Quay`)).body).toMatchObject({ optedOut: true, counts: {} });
    const members = () => ground.redis.smembers('{sidelight}:opt-outs');
    expect(await members()).toEqual([`${wiki}/${ground.pages.Quay}`]);
    await ground.redis.flushall();
    await is.maintenance.tellOptOuts();
    expect(await members()).toHaveLength(1);
    await ask('DELETE', `/opt-outs/${encodeURIComponent(wiki)}/${ground.pages.Quay}`);
    expect(await members()).toEqual([]);
    expect(await titles('/findings')).toHaveLength(2);
    expect((await ask('DELETE', `/opt-outs/${encodeURIComponent(wiki)}/${ground.pages.Quay}`)).status).toBe(404);
  });

  test('a worklist that is taken, unknown, paused or not running says so', async () => {
    const source = { kind: 'titles', titles: ['Mill'] };
    await ask('POST', '/worklists', { name: 'taken', source });
    const refusals: [string, unknown, number, string][] = [
      ['/worklists', { name: 'taken', source }, 409, 'name_taken'],
      [
        '/worklists',
        { name: 'none', source: { kind: 'category', title: 'Category:Nowhere', depth: 0 } },
        404,
        'no_such_category',
      ],
      ['/worklists/unknown/run', {}, 404, 'no_such_worklist'],
      ['/worklists/taken/cancel', undefined, 409, 'no_run'],
    ];
    for (const [path, body, status, error] of refusals) {
      expect(await ask('POST', path, body)).toMatchObject({ status, body: { error } });
    }
    await ask('POST', '/worklists/taken/pause');
    expect(await ask('POST', '/worklists/taken/run', {})).toMatchObject({ status: 409, body: { error: 'paused' } });
    const store = await openWorklists(ground.config.databases.worklists);
    expect((await store.lists.find(ground.config.wiki.id, 'taken')).paused).toBe(true);
    await store.lists.drop((await store.lists.find(ground.config.wiki.id, 'taken')).id);
    await store.close();
  });

  test('a job that failed is shown with its page and what kind of error it was', async () => {
    const publisher = createPublisher(ground.redis);
    const page = { id: ground.pages.Mill, title: 'Mill' };
    const input = { wiki: ground.config.wiki.id, page, revision: 1, previous: null, scope: 'all' as const };
    await publisher.publish([{ stage: 'articles', input }], 4);
    await publisher.close();
    const [id = ''] = await ground.redis.zrange('{sidelight}:articles:prioritized', 0, '-1');
    const key = `{sidelight}:articles:${id}`;
    await ground.redis.zrem('{sidelight}:articles:prioritized', id);
    await ground.redis.zadd('{sidelight}:articles:failed', Date.now(), id);
    await ground.redis.hset(key, { failedReason: 'BrokenPayload: page: is none', finishedOn: Date.now(), atm: 1 });
    const { body } = await ask('GET', '/queues');
    expect(body.failures).toMatchObject([
      { queue: 'articles', page: 'Mill', error: 'BrokenPayload', message: 'page: is none' },
    ]);
  });
});

const Documented = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        security: z.array(z.record(z.string(), z.unknown())).optional(),
        responses: z.record(z.string(), z.unknown()),
      }),
    ),
  ),
  components: z.unknown(),
});

function ofMaintainers({ paths }: z.infer<typeof Documented>): string[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security?.some((one) => 'token' in one))
      .map(([method]) => `${method.toUpperCase()} ${path.replace(/^\/api/, '')}`),
  );
}

/** What of an answer is not as the document says; whatever it does not name is one too. */
function misfits(
  document: z.infer<typeof Documented>,
  method: string,
  route: string,
  answer: { status: number; body: unknown },
): string[] {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ ...document, $id: 'api' });
  const at = [
    'paths',
    `/api${route}`,
    method.toLowerCase(),
    'responses',
    String(answer.status),
    'content',
    'application/json',
    'schema',
  ];
  const pointer = at.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
  const validate = ajv.compile({ $ref: `api#/${pointer}` });
  validate(answer.body);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
