/** Checks from the request to the last finding: real wiki, Redis, database, web, workers with their models, and HTTP. */
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { createArticles } from '../../../bot/articles.ts';
import { createWiki } from '../../../bot/wiki.ts';
import { TransientError } from '../../../shared/errors.ts';
import { createLogger } from '../../../shared/logger.ts';
import type { Handlers } from '../../../shared/pipeline.ts';
import type { Runner } from '../../../shared/runner.ts';
import { Check } from '../../../workers/review/checks/check.ts';
import { configOf, type Editor, signIn } from '../../bot/wiki-editor.ts';
import { deferred } from '../../support/deferred.ts';
import { describeWith } from '../../support/describe-with.ts';
import { startWeb, type Web } from '../../support/web.ts';
import { startWiki, type TestWiki } from '../../support/wiki.ts';
import { type CheckService, type Ground, openWorkers, startGround, startService, until, WIKI } from './checked.ts';
import { WIKI_ORIGIN } from './served.ts';

const log = createLogger('silent', 'test');
const FERRY = 'The ferry Alcyone was launched at Brennhaven in 1931.';
const BRIDGE = 'The Corran suspension bridge opened to traffic on 4 June 1938.';
const html = (title: string, ...paragraphs: string[]) =>
  `<html lang="en"><head><title>${title}</title></head><body><article>${paragraphs.map((one) => `<p>${one}</p>`).join('')}</article></body></html>`;

describeWith(['redis', 'wiki'], 'checks', () => {
  let ground: Ground;
  let wiki: TestWiki;
  let editor: Editor;
  let web: Web;
  let workers: Awaited<ReturnType<typeof openWorkers>>;
  let service: CheckService;
  let runner: Runner | null = null;
  let latest: (title: string) => ReturnType<ReturnType<typeof createWiki>['latestRevision']>;

  beforeAll(async () => {
    [ground, wiki, web] = await Promise.all([
      startGround(),
      startWiki(),
      startWeb({
        '/ferry': html('The ferry', FERRY, 'It burned 14 tons of coal a day.'),
        '/museum': html('The museum', 'The museum at Brennhaven has a model of the ferry.', 'Its café closes at noon.'),
      }),
    ]);
    const asked = createWiki(configOf(wiki));
    latest = asked.latestRevision;
    editor = await signIn(wiki);
    workers = await openWorkers(asked, [
      {
        url: 'https://bridges.example/corran',
        title: 'Corran suspension bridge',
        text: `${BRIDGE}\nIt had cost 90,000 pounds.`,
      },
      {
        url: 'https://annals.example/corran',
        title: 'Annals',
        text: 'The Corran suspension bridge opened to traffic on 4 June 1941.',
      },
    ]);
    service = await startService(ground, latest);
  }, 30_000);
  afterEach(async () => {
    await runner?.stop(100);
    runner = null;
    await ground.redis.flushall();
  });
  afterAll(async () => {
    await service?.close();
    await workers?.close();
    await Promise.all([ground?.close(), wiki?.stop(), web?.close()]);
  });

  const work = (handlers: Handlers = workers.handlers) => {
    runner = ground.drain(handlers, [0]);
  };
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${service.origin}/api/checks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const ask = async (body: unknown): Promise<{ check: Check; key: string }> => {
    const response = await post(body);
    expect(response.status).toBe(202);
    const answer = (await response.json()) as { check: Check; key: string }; // what the route answers with
    return { check: Check.parse(answer.check), key: answer.key };
  };
  const get = async (id: string): Promise<Check> =>
    Check.parse(await (await fetch(`${service.origin}/api/checks/${id}`)).json());
  const cancel = async (id: string, headers: Record<string, string>): Promise<[number, Check]> => {
    const response = await fetch(`${service.origin}/api/checks/${id}`, { method: 'DELETE', headers });
    return [response.status, (await response.json()) as Check];
  };
  const ended = async (id: string): Promise<Check> => {
    await until(async () => (await get(id)).finishedAt !== null);
    return get(id);
  };
  const article = async (title: string) => {
    const cite = (name: string) => `<ref>[${web.origin}/${name} The ${name}]</ref>`;
    await editor.save(title, `${FERRY}${cite('ferry')} The museum sold 2,000 tickets in May 2003.${cite('museum')}`);
    return { kind: 'page', wiki: WIKI, title };
  };

  test('a page is checked: every claim of its newest revision, stage by stage, to an end', async () => {
    const { check } = await ask(await article('Alcyone'));
    expect(check).toMatchObject({
      kind: 'page',
      state: 'waiting',
      claims: null,
      etaSeconds: null,
      page: { title: 'Alcyone' },
    });
    expect(check.stages).toEqual([{ stage: 'articles', done: 0, failed: 0, total: 1 }]);
    work();
    const done = await ended(check.id);
    expect(done).toMatchObject({ state: 'done', reason: null, claims: { checked: 2, total: 2 }, etaSeconds: null });
    expect(done.stages.every((stage) => stage.done === stage.total && stage.failed === 0)).toBe(true);
    expect(done.stages.map(({ stage }) => stage)).toEqual(
      expect.arrayContaining(['articles', 'sources', 'verification', 'review', 'suggestion', 'retrieval-sparse']),
    );
    const findings = await service.checks.findings(check.id, 10);
    expect(findings.map(({ finding }) => finding.verdict).sort()).toEqual(['not_supported', 'supported']);
  }, 30_000);

  test('chosen claims are checked, and no others; one that is gone is not waited for', async () => {
    const { check: whole } = await ask(await article('Alcyone again'));
    work();
    await ended(whole.id);
    const [first] = await service.checks.findings(whole.id, 1);
    const [row] = await ground.store.db
      .selectFrom('findings')
      .selectAll()
      .where('id', '=', first?.id ?? 0)
      .execute();
    const anchor = { claim: row?.claim_hash, citations: row?.citations_hash };
    const gone = { claim: '0123456789abcdef', citations: '0123456789abcdef' };
    const { check } = await ask({ kind: 'claims', wiki: WIKI, title: 'Alcyone again', anchors: [anchor, gone] });
    expect(await ended(check.id)).toMatchObject({ state: 'done', claims: { checked: 1, total: 1 } });
    const { check: nothing } = await ask({ kind: 'claims', wiki: WIKI, title: 'Alcyone again', anchors: [gone] });
    expect(await ended(nothing.id)).toMatchObject({ state: 'done', claims: { checked: 0, total: 0 } });
  }, 30_000);

  test('a sentence is looked for, without the marks that it was pasted with', async () => {
    work();
    const { check } = await ask({ kind: 'sentence', text: ` ${BRIDGE.replace(' on', '[4]\n on')}[citation needed]` });
    const done = await ended(check.id);
    expect(done).toMatchObject({ state: 'done', kind: 'sentence', page: null, claims: null, sentence: BRIDGE });
    expect(done.found).toMatchObject({ verdict: 'disputed', searched: { shardsAsked: 2, shardsAnswered: 2 } });
  });

  test('who asks for the same while it runs gets the same check; it is cancelled when nobody waits any more', async () => {
    const page = await article('Ferries');
    const [mine, theirs] = await Promise.all([ask(page), ask(page)]);
    expect(theirs.check.id).toBe(mine.check.id);
    expect(theirs.key).not.toBe(mine.key);
    const { id } = mine.check;
    expect((await cancel(id, {}))[0]).toBe(403);
    expect((await cancel(id, { 'x-check-key': 'guessed' }))[0]).toBe(403);
    expect(await cancel(id, { 'x-check-key': mine.key })).toMatchObject([200, { state: 'waiting' }]);
    expect((await cancel(id, { 'x-check-key': mine.key }))[0]).toBe(403); // a key counts once
    expect(await cancel(id, { 'x-check-key': theirs.key })).toMatchObject([200, { state: 'cancelled' }]);
    expect(await ground.queues.holds(id)).toBe(false);
    expect((await ask(page)).check.id).not.toBe(id);
  });

  test('what runs when a check is cancelled leads to nothing any more', async () => {
    const reading = deferred<void>();
    const read = deferred<void>();
    const { articles } = workers.handlers;
    if (articles === undefined) throw new Error('no handler');
    work({
      articles: async (input, context) => {
        reading.resolve();
        await read.promise;
        return articles(input, context);
      },
    });
    const { check, key } = await ask(await article('Slow ferries'));
    await reading.promise;
    await cancel(check.id, { 'x-check-key': key });
    read.resolve();
    await until(async () => (await get(check.id)).stages.some(({ stage, done }) => stage === 'articles' && done === 1));
    await until(async () => !(await ground.queues.holds(check.id)));
    expect((await get(check.id)).state).toBe('cancelled');
  });

  test('a maintainer cancels for all, a patroller does not', async () => {
    const { check } = await ask(await article('More ferries'));
    const patroller = await service.signIn('Ada');
    expect((await cancel(check.id, patroller.headers))[0]).toBe(403);
    const maintainer = await service.signIn('Bo', ['patroller', 'maintainer']);
    expect(await cancel(check.id, maintainer.headers)).toMatchObject([200, { state: 'cancelled' }]);
    expect(await cancel(check.id, maintainer.headers)).toMatchObject([200, { state: 'cancelled' }]);
  });

  test('a page that is not there, and one without text that can be read, fail with a reason', async () => {
    for (const title of ['Nowhere', 'A|B', '<script>alert(1)</script>']) {
      const { check } = await ask({ kind: 'page', wiki: WIKI, title });
      expect(check).toMatchObject({ state: 'failed', reason: 'no_page', page: { id: 0, title }, stages: [] });
    }
    const hidden = { parsoidHtml: async () => ({ kind: 'hidden' as const }), currentPage: async () => null };
    work({ articles: createArticles({ wiki: hidden, extract: async () => ({ pairs: [] }), log }) });
    const { check } = await ask(await article('Hidden ferries'));
    expect(await ended(check.id)).toMatchObject({ state: 'failed', reason: 'unreadable', claims: null });
  });

  test('where the wiki does not answer nothing is begun, and that is said', async () => {
    const away = await startService(ground, async () => {
      throw new TransientError('away');
    });
    const body = JSON.stringify({ kind: 'page', wiki: WIKI, title: 'Alcyone' });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${away.origin}/api/checks`, { method: 'POST', headers, body });
    expect([response.status, await response.json()]).toMatchObject([503, { error: 'wiki_away' }]);
    await away.close();
  });

  test('a job that fails for good does not keep a check from its end, and the claim is not counted as checked', async () => {
    const { verification } = workers.handlers;
    if (verification === undefined) throw new Error('no handler');
    work({
      ...workers.handlers,
      async verification(input, context) {
        if (input.claim.text.includes('museum')) throw new BrokenFor(input.claim.text);
        return verification(input, context);
      },
    });
    const { check } = await ask(await article('Ferries and a museum'));
    const done = await ended(check.id);
    expect(done).toMatchObject({ state: 'done', claims: { checked: 1, total: 2 } });
    expect(done.stages).toContainEqual({ stage: 'verification', done: 2, failed: 1, total: 2 });
  }, 30_000);

  test('a restart of the service in the middle loses nothing, and who follows comes back to the end', async () => {
    const held = deferred<void>();
    const { sources } = workers.handlers;
    if (sources === undefined) throw new Error('no handler');
    const { check } = await ask(await article('Held ferries'));
    const following = follow(service.origin, check.id);
    work({
      ...workers.handlers,
      async sources(input, context) {
        await held.promise;
        return sources(input, context);
      },
    });
    await until(() => following.seen.some(({ state }) => state === 'running'));
    const { port } = service;
    await service.close();
    held.resolve();
    service = await startService(ground, latest, { port });
    await following.ended;
    expect(following.seen.at(-1)).toMatchObject({ state: 'done', claims: { checked: 2, total: 2 } });
    expect(following.connections).toBe(2);
    for (const { etaSeconds } of following.seen) expect(etaSeconds ?? 0).toBeGreaterThanOrEqual(0);
  }, 30_000);

  test('who comes back to a check that is over is told to stay away; who comes first is told how it ended', async () => {
    const { check } = await ask({ kind: 'page', wiki: WIKI, title: 'Nowhere' });
    const address = `${service.origin}/api/checks/${check.id}/events`;
    const first = await fetch(address, { headers: { origin: WIKI_ORIGIN } });
    expect(first.headers.get('content-type')).toContain('text/event-stream');
    expect(first.headers.get('access-control-allow-origin')).toBe(WIKI_ORIGIN);
    expect(await first.text()).toContain('event:check');
    expect((await fetch(address, { headers: { 'last-event-id': 'x' } })).status).toBe(204);
    expect((await fetch(`${service.origin}/api/checks/c123456789_0/events`)).status).toBe(404);
  });

  test('a check whose jobs were lost with Redis is said to wait, and then to have failed', async () => {
    const { check } = await ask(await article('Lost ferries'));
    await ground.redis.flushall();
    const long = new Date(Date.now() - 10 * 60_000).toISOString();
    await ground.store.db.updateTable('checks').set({ created_at: long }).where('id', '=', check.id).execute();
    expect(await get(check.id)).toMatchObject({ state: 'waiting', idleSince: long });
    const { port } = service;
    await service.close();
    service = await startService(ground, latest, { port }); // looks at all as it begins
    await until(async () => (await get(check.id)).state === 'failed');
    expect(await get(check.id)).toMatchObject({ reason: 'failed', idleSince: null });
  });

  test.each([
    ['another wiki', { kind: 'page', wiki: 'other.example', title: 'Alcyone' }, 400, 'unknown_wiki'],
    ['no title', { kind: 'page', wiki: WIKI, title: '' }, 400, 'invalid'],
    ['a title that is no text', { kind: 'page', wiki: WIKI, title: ['Alcyone'] }, 400, 'invalid'],
    ['a kind that there is not', { kind: 'all', wiki: WIKI }, 400, 'invalid'],
    [
      'an anchor that is none',
      { kind: 'claims', wiki: WIKI, title: 'Alcyone', anchors: [{ claim: "' OR 1" }] },
      400,
      'invalid',
    ],
    ['a sentence without words', { kind: 'sentence', text: ' … [12] ??? ' }, 400, 'invalid'],
    ['a sentence that is a book', { kind: 'sentence', text: 'word '.repeat(1000) }, 400, 'invalid'],
    ['no JSON', '{', 400, 'invalid'],
    ['a body of 10 MB', { kind: 'sentence', text: 'x'.repeat(10 * 2 ** 20) }, 413, 'too_large'],
  ])('%s is refused, and nothing is begun', async (_name, body, status, error) => {
    const before = await ground.store.db.selectFrom('checks').select('id').execute();
    const response = await post(body);
    expect([response.status, await response.json()]).toMatchObject([status, { error }]);
    expect(await ground.store.db.selectFrom('checks').select('id').execute()).toEqual(before);
  });

  test('a page of another origin may not ask, a wiki’s may', async () => {
    const body = { kind: 'sentence', text: 'Anybody may ask for this.' };
    expect((await post(body, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    const ours = await post(body, { origin: WIKI_ORIGIN, 'sec-fetch-site': 'cross-site' });
    expect([ours.status, ours.headers.get('access-control-allow-origin')]).toEqual([202, WIKI_ORIGIN]);
    const preflight = await fetch(`${service.origin}/api/checks/c1`, {
      method: 'OPTIONS',
      headers: {
        origin: WIKI_ORIGIN,
        'access-control-request-method': 'DELETE',
        'access-control-request-headers': 'x-check-key',
      },
    });
    expect(preflight.headers.get('access-control-allow-methods')).toContain('DELETE');
    expect(preflight.headers.get('access-control-allow-headers')).toContain('x-check-key');
  });

  test('one address may ask so often in an hour, and all together for one page; maintainers as often as they like', async () => {
    const limited = await startService(ground, latest, { limits: { hourly: 3, pageHourly: 1 } });
    const send = async (body: unknown, headers: Record<string, string> = {}) => {
      const all = { 'content-type': 'application/json', ...headers };
      return (await fetch(`${limited.origin}/api/checks`, { method: 'POST', headers: all, body: JSON.stringify(body) }))
        .status;
    };
    await editor.save('Limited ferries', 'They ran in summer.');
    await editor.save('Ferries, limited', '#REDIRECT [[Limited ferries]]');
    const page = { kind: 'page', wiki: WIKI, title: 'Limited ferries' };
    // the same page, however its title is written
    expect([await send(page), await send({ ...page, title: 'limited_ _ferries' })]).toEqual([202, 429]);
    expect([await send({ ...page, title: 'Ferries, limited' }), await send(page)]).toEqual([429, 429]);
    const others = await startService(ground, latest, { limits: { hourly: 1, pageHourly: 9 } });
    const ask = () =>
      fetch(`${others.origin}/api/checks`, {
        ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
        body: JSON.stringify({ ...page, title: 'Other' }),
      });
    expect([(await ask()).status, (await ask()).status]).toEqual([202, 429]);
    await others.close();
    const maintainer = await limited.signIn('Bo', ['patroller', 'maintainer']);
    expect(await send(page, maintainer.headers)).toBe(202);
    await limited.close();
  });

  test('what people say of a row is kept with it, and changed by their last word', async () => {
    work();
    const { check } = await ask({ kind: 'sentence', text: BRIDGE });
    const { found } = await ended(check.id);
    const url = found?.refutes[0]?.url;
    const say = async (body: unknown, headers: Record<string, string> = {}) => {
      const all = { 'content-type': 'application/json', ...headers };
      const address = `${service.origin}/api/checks/${check.id}/feedback`;
      return (await fetch(address, { method: 'POST', headers: all, body: JSON.stringify(body) })).status;
    };
    const label = { url, question: 'label', answer: 'yes' };
    const { headers } = await service.signIn('Ada');
    expect(await say(label)).toBe(401);
    expect(await say(label, (await service.signIn('Blocked', [])).headers)).toBe(403);
    expect(await say(label, { ...headers, 'x-csrf-token': 'forged' })).toBe(403);
    expect(await say({ ...label, url: 'https://never.example/' }, headers)).toBe(404);
    expect(await say({ ...label, answer: 'maybe' }, headers)).toBe(400);
    for (const answer of ['yes', 'no']) expect(await say({ ...label, answer }, headers)).toBe(200);
    expect(await say({ ...label, question: 'relevance' }, headers)).toBe(200);
    const kept = await ground.store.db.selectFrom('feedback').selectAll().orderBy('id').execute();
    expect(kept.map(({ question, answer }) => [question, answer])).toEqual([
      ['label', 'no'],
      ['relevance', 'yes'],
    ]);
    expect(JSON.parse(kept[0]?.row ?? '')).toMatchObject({ column: 'refutes', ...found?.refutes[0] });
  });
});

class BrokenFor extends Error {
  override readonly name = 'UnrecoverableError'; // as BullMQ tells it
}

/** As a browser's EventSource does: comes back with the last id until it is told to stay away. */
function follow(origin: string, id: string) {
  const seen: Check[] = [];
  const following = { seen, connections: 0, ended: Promise.resolve() };
  let last = '';
  const onEvent = ({ event, data, id: eventId }: EventSourceMessage) => {
    if (event === 'check') seen.push(Check.parse(JSON.parse(data)));
    last = eventId ?? last;
  };
  const listen = async (): Promise<void> => {
    const headers: Record<string, string> = last === '' ? {} : { 'last-event-id': last };
    const response = await fetch(`${origin}/api/checks/${id}/events`, { headers });
    if (response.status === 204) return;
    if (response.status !== 200) throw new Error('it is being restarted');
    following.connections += 1;
    const [parser, decoder] = [createParser({ onEvent }), new TextDecoder()];
    for await (const chunk of response.body ?? []) parser.feed(decoder.decode(chunk, { stream: true }));
    return listen();
  };
  const listenAgain = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, 20)); // the service is down for a moment
    return listen().catch(listenAgain);
  };
  following.ended = listen().catch(listenAgain);
  return following;
}
