import { Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { BrowserContext } from 'playwright-core';
import { queueOptions } from '../../shared/queue.ts';
import { connectRedis } from '../../shared/redis.ts';
import { launchChromium } from '../support/chromium.ts';
import { describeWith } from '../support/describe-with.ts';
import { type RunningRedis, startRedis } from '../support/redis.ts';
import { type Served, type SignedIn, serve } from '../workers/review/served.ts';

const AT = '/maintain/queues';

describeWith(['redis', 'chromium'], 'the queues, job by job', () => {
  let server: RunningRedis;
  let redis: Redis;
  let served: Served;
  let queue: Queue;
  let maintainer: SignedIn;
  let browser: BrowserContext;

  beforeAll(async () => {
    server = await startRedis();
    redis = await connectRedis(server.url, 'producer');
    queue = new Queue('sources', queueOptions(redis));
    served = await serve({ queueRedis: redis });
    maintainer = await served.signIn('Maren', ['patroller', 'maintainer']);
    browser = await launchChromium();
  });
  afterAll(async () => {
    await Promise.all([browser.close(), served.close(), queue.close()]);
    redis.disconnect();
    await server.stop();
  });
  beforeEach(async () => {
    await queue.obliterate({ force: true });
    await failedJob('mill');
  });

  async function failedJob(id: string): Promise<void> {
    const waiting = await connectRedis(server.url, 'worker');
    const worker = new Worker('sources', async () => Promise.reject(new Error('the mill stands still')), {
      ...queueOptions(waiting),
    });
    const failed = new Promise((resolve) => worker.once('failed', resolve));
    await queue.add('sources', { version: 2 }, { jobId: id });
    await failed;
    await worker.close();
    waiting.disconnect();
  }

  function ask(path: string, headers: Record<string, string>, method = 'GET'): Promise<Response> {
    return fetch(`${served.origin}${AT}${path}`, { method, headers, redirect: 'manual' });
  }

  it('are shown to no stranger and no patroller, their scripts neither', async () => {
    const patroller = await served.signIn('Paul');
    for (const path of ['', '/', '/api/queues', '/static/js/lib-react.c037d5f57a.js', '/queue/sources']) {
      expect([path, (await ask(path, {})).status]).toEqual([path, 401]);
      expect([path, (await ask(path, patroller.headers)).status]).toEqual([path, 403]);
    }
    expect((await ask('/api/queues/sources/mill/retry', patroller.headers, 'PUT')).status).toBe(403);
    expect(await queue.getJobCounts('failed')).toEqual({ failed: 1 });
  });

  it('are changed by no page but their own', async () => {
    const { cookie = '' } = maintainer.headers;
    const elsewhere = { cookie, origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
    for (const headers of [{ cookie }, elsewhere]) {
      expect((await ask('/api/queues/sources/mill/retry', headers, 'PUT')).status).toBe(403);
      expect((await ask('/api/queues/sources/mill/clean', headers, 'PUT')).status).toBe(403);
    }
    expect(await queue.getJobCounts('failed', 'waiting')).toEqual({ failed: 1, waiting: 0 });
  });

  it.each([
    ['POST', '/api/queues/sources/add'],
    ['PUT', '/api/queues/sources/obliterate'],
    ['PUT', '/api/queues/sources/empty'],
    ['PUT', '/api/queues/sources/clean/failed'],
    ['PATCH', '/api/queues/sources/mill/update-data'],
    ['PUT', '/api/queues/pause'],
    ['PUT', '/api/queues/sources/..%2f..%2fpause/mill/retry'],
  ])('take no payload from hands, and are not emptied: %s %s', async (method, path) => {
    const { 'content-type': _, ...headers } = maintainer.headers;
    expect((await ask(path, headers, method)).status).toBeGreaterThanOrEqual(400);
    expect(await queue.getJobCounts('failed', 'waiting')).toEqual({ failed: 1, waiting: 0 });
  });

  it('show a maintainer in a browser what failed and why, and try it again', async () => {
    await browser.addCookies(maintainer.cookies);
    const page = await browser.newPage();
    const scripts: string[] = [];
    page.on('console', (message) => /script|eval/i.test(message.text()) && scripts.push(message.text()));
    page.on('pageerror', (error) => scripts.push(error.message));
    await page.goto(`${served.origin}${AT}/queue/sources?status=failed`);
    await page.getByText('the mill stands still').first().waitFor();
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/queue-board.png` });
    expect(scripts).toEqual([]);
    // as its buttons do
    const cookies = await browser.cookies(`${served.origin}${AT}/`);
    const token = decodeURIComponent(cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? '');
    const retry = async ([path = '', given = '']: string[]) => {
      const without = await fetch(path, { method: 'PUT' });
      return [without.status, (await fetch(path, { method: 'PUT', headers: { 'x-xsrf-token': given } })).status];
    };
    expect(await page.evaluate(retry, [`${AT}/api/queues/sources/mill/retry`, token])).toEqual([403, 204]);
    expect(await queue.getJobCounts('failed', 'waiting')).toEqual({ failed: 0, waiting: 1 });
    await page.close();
  });
});
