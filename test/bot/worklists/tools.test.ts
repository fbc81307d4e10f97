import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ListSource } from '../../../bot/worklists/worklist.ts';
import { type PaperWiki, startPaperWiki } from './paper-wiki.ts';
import { openWalk, type Walk } from './walk.ts';

const pile: ListSource = { kind: 'pagepile', id: 7 };
const scan: ListSource = { kind: 'petscan', id: 9 };

describe('a list that a tool keeps', () => {
  let wiki: PaperWiki;
  let tool: Server;
  let answer: RequestListener;
  let asked: URL;
  let walk: Walk;

  beforeAll(async () => {
    wiki = await startPaperWiki();
    tool = createServer((request, response) => {
      asked = new URL(request.url ?? '', 'http://tool.example');
      answer(request, response);
    });
    await new Promise<void>((resolve) => tool.listen(0, '127.0.0.1', resolve));
    // a server that listens on TCP has an AddressInfo
    const { port } = tool.address() as AddressInfo;
    const tools = { pagePileUrl: `http://127.0.0.1:${port}/api.php`, petScanUrl: `http://127.0.0.1:${port}/` };
    walk = await openWalk(wiki, { tools });
  });
  afterAll(async () => {
    await walk?.close();
    tool?.closeAllConnections();
    await new Promise((resolve) => tool.close(resolve));
    await wiki?.close();
  });

  const says = (body: unknown, status = 200): RequestListener => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return (_, response) => void response.writeHead(status).end(text);
  };
  let lists = 0;
  async function run(source: ListSource) {
    const begun = await walk.begin(source, [], `list ${++lists}`);
    await walk.step(begun);
    return { run: await walk.again(begun), titles: await walk.store.members.listed(begun, 100) };
  }

  test('as a pile of PagePile is read whole', async () => {
    answer = says({ id: '7', wiki: 'paperwiki', pages_total: 3, pages: ['Mill_1', 'Mill_2', 'Talk:Mill_3', 'Mill_1'] });
    const { run: found, titles } = await run(pile);
    expect(titles).toEqual(['Mill 1', 'Mill 2', 'Talk:Mill 3']);
    expect(found.phase).toBe('resolving');
    expect(`${asked.pathname}${asked.search}`).toBe('/api.php?id=7&action=get_data&doit=1&format=json');
  });

  test('as a saved query of PetScan is read, in either of its forms', async () => {
    answer = says({ wiki: 'paperwiki', status: 'OK', pages: ['Mill_1', 'User:Miller'] });
    expect((await run(scan)).titles).toEqual(['Mill 1', 'User:Miller']);
    expect(asked.searchParams.get('psid')).toBe('9');
    answer = says({ wiki: 'paperwiki', pages: [{ page_id: 1, page_namespace: 0, page_title: 'Mill_1' }] });
    expect((await run(scan)).titles).toEqual(['Mill 1']);
    const row = (title: string, namespace: number, nstext: string) => ({ n: 'page', id: 1, title, namespace, nstext });
    const rows = [row('Mill_1', 0, ''), row('Mill_2', 1, 'Talk')];
    answer = says({ n: 'result', a: {}, '*': [{ n: 'combination', a: { type: 'subset', '*': rows } }] });
    expect((await run(scan)).titles).toEqual(['Mill 1', 'Talk:Mill 2']);
  });

  test('for another wiki is refused', async () => {
    answer = says({ wiki: 'enwiki', pages: ['Mill_1'] });
    expect((await run(pile)).run).toMatchObject({ state: 'failed', reason: 'other_wiki' });
    expect((await run(scan)).run).toMatchObject({ state: 'failed', reason: 'other_wiki' });
  });

  test('that does not exist is refused, whatever the tool says instead', async () => {
    for (const nothing of [
      says('Pile not found'),
      says({}),
      says('null'),
      says({ wiki: 'paperwiki', pages: {} }),
      says('', 404),
    ]) {
      answer = nothing;
      expect((await run(pile)).run).toMatchObject({ state: 'failed', reason: 'no_such_list' });
      expect((await run(scan)).run).toMatchObject({ state: 'failed', reason: 'no_such_list' });
    }
  });

  test('that never ends is refused', async () => {
    answer = (_, response) => {
      const more = () => response.write('x'.repeat(2 ** 20), (error) => error ?? more());
      more();
    };
    expect((await run(pile)).run).toMatchObject({ state: 'failed', reason: 'list_too_large' });
  });

  test('with no pages in it is done at once', async () => {
    answer = says({ wiki: 'paperwiki', pages: [] });
    const { run: begun } = await run(pile);
    while ((await walk.again(begun)).state === 'running') await walk.step(begun);
    expect((await walk.again(begun)).state).toBe('done');
    expect(await walk.store.members.count(begun)).toEqual([]);
  });

  test('of a tool that is away is waited for, and it is said for what', async () => {
    const away: RequestListener[] = [says('', 503), says('', 429), (request) => void request.socket.destroy()];
    for (const [at, listener] of away.entries()) {
      answer = listener;
      const begun = await walk.begin(scan, [], `away ${at}`);
      await expect(walk.step(begun)).rejects.toMatchObject({ code: 'petscan_away' });
      expect(await walk.again(begun)).toMatchObject({ state: 'running', waiting: 'petscan_away', step: 0 });
      answer = says({ wiki: 'paperwiki', pages: ['Mill_1'] });
      await walk.step(begun);
      expect(await walk.again(begun)).toMatchObject({ waiting: null, phase: 'resolving' });
    }
  });
});
