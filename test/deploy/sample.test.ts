/** The sample: what its articles cite is there, and each page answers as its manifest says. Against the real web and the real reader. */
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loadArticles } from '../../deploy/sample/articles.ts';
import { CaseName, loadCases } from '../../deploy/sample/cases.ts';
import { loadManifest, type Manifest } from '../../deploy/sample/manifest.ts';
import { createSampleWeb, type SampleWeb } from '../../deploy/sample/web.ts';
import type { Citation } from '../../shared/citation.ts';
import { createReader } from '../../workers/source/read.ts';

let web: SampleWeb;
let manifest: Manifest;

beforeAll(async () => {
  web = await createSampleWeb({ port: 0 });
  manifest = await loadManifest(web.port);
});
afterAll(() => web.stop());

describe('the sample wiki', () => {
  test('has at least five articles with 35 citations', async () => {
    const articles = await loadArticles();
    expect(articles.length).toBeGreaterThanOrEqual(5);
    const uses = articles.flatMap(({ text }) => text.match(/<ref[ >]|\{\{sfn\|/g) ?? []);
    expect(uses.length).toBeGreaterThanOrEqual(35);
  });

  test('cites only addresses that the web answers', async () => {
    const known = new Set(manifest.pages.map((page) => page.url));
    const cited = (await loadArticles(web.port)).flatMap(({ text }) => urlsIn(text));
    expect(cited.filter((url) => !known.has(url))).toEqual([]);
  });

  test('has every case at least once, each in an article that exists', async () => {
    const cases = await loadCases();
    const titles = (await loadArticles()).map(({ title }) => title);
    expect(CaseName.options.filter((name) => !cases.some((row) => row.case === name))).toEqual([]);
    expect(cases.filter((row) => !titles.includes(row.article))).toEqual([]);
  });

  test('names in its cases only addresses that the web answers', async () => {
    const known = new Set(['none', 'any', ...manifest.pages.map((page) => page.url)]);
    const named = (await loadCases(web.port)).flatMap(({ cites, expect: { suggestion, neverSuggested } }) => [
      ...cites,
      ...neverSuggested,
      suggestion,
    ]);
    expect(named.filter((url) => !known.has(url))).toEqual([]);
  });
});

describe('the sample web', () => {
  test('has at least 45 pages that can be read', () => {
    expect(web.pages.length).toBeGreaterThanOrEqual(45);
  });

  test('answers each address with the status and the type of its manifest', async () => {
    for (const { url, status, type, location } of manifest.pages) {
      const answer = await get(url);
      const expected = { url, status, type: expect.stringContaining(type), location };
      expect({ url, status: answer.status, type: answer.type, location: answer.location }).toEqual(expected);
    }
  });

  test('mentions no host outside of this machine', async () => {
    for (const { url } of manifest.pages.filter((page) => page.type === 'text/html')) {
      const { body } = await get(url);
      expect(urlsIn(body).filter((found) => !LOCAL.test(found))).toEqual([]);
    }
  });

  test('is read page for page, or is not for the reason that the manifest gives', async () => {
    const read = await readAll(manifest.pages.map((page) => page.url));
    const expected = manifest.pages.map((page) => [
      page.url,
      page.url === archived() ? 'readable' : (page.reason ?? 'readable'),
    ]);
    expect(Object.fromEntries(read.map(({ url, outcome }) => [url, outcome]))).toEqual(Object.fromEntries(expected));
  });

  test('says that an address it does not have is not found', async () => {
    expect((await get(`http://harbour-gazette.localhost:${web.port}/2030/none`)).status).toBe(404);
  });
});

describe('the archive of the sample web', () => {
  test('tells where the copy of a page that is gone lies, and hands it out', async () => {
    const asked = await get(
      `http://archive.localhost:${web.port}/wayback/available?url=${encodeURIComponent(archived())}&timestamp=20190311`,
    );
    const { closest } = JSON.parse(asked.body).archived_snapshots;
    expect(closest).toMatchObject({ available: true, status: '200', timestamp: expect.stringMatching(/^\d{14}$/) });
    const plain = await get(closest.url);
    const raw = await get(closest.url.replace(closest.timestamp, `${closest.timestamp}id_`));
    expect(plain.body).toContain('archive-banner');
    expect(raw.body).not.toContain('archive-banner');
    expect(raw.body).toContain('Lowell Brisk');
  });

  test('leads to the nearest copy where it has none of that time', async () => {
    const answer = await get(`http://archive.localhost:${web.port}/web/2019/${archived()}`);
    expect(answer).toMatchObject({
      status: 302,
      location: expect.stringContaining(`/web/20210304000000/${archived()}`),
    });
  });

  test('has no copy of the other pages', async () => {
    const url = encodeURIComponent(manifest.pages[0]?.url ?? '');
    const answer = await get(`http://archive.localhost:${web.port}/wayback/available?url=${url}`);
    expect(JSON.parse(answer.body).archived_snapshots).toEqual({});
  });
});

/** schema.org names vocabularies; nothing is fetched from it. */
const LOCAL = /^http:\/\/[a-z-]+\.localhost[:/]|^https:\/\/schema\.org/;

function archived(): string {
  return manifest.snapshots[0]?.url ?? '';
}

function urlsIn(text: string): string[] {
  return text.match(/https?:\/\/[^\s|}\]"<]+/g) ?? [];
}

async function readAll(urls: string[]): Promise<{ url: string; outcome: string }[]> {
  const reader = createReader({
    gateway: null,
    allowLoopback: true,
    waybackUrl: `http://archive.localhost:${web.port}`,
    userAgent: 'Sidelight tests',
  });
  const signal = AbortSignal.timeout(60_000);
  return Promise.all(
    urls.map(async (url) => {
      const source = await reader.read({ ...CITATION, url }, signal);
      return { url, outcome: source.kind === 'readable' ? 'readable' : source.reason };
    }),
  );
}

const CITATION: Citation = {
  hash: '0000000000000000',
  url: null,
  archiveUrl: null,
  urlStatus: null,
  title: null,
  text: '',
  accessDate: null,
  name: null,
  form: 'ref',
};

interface Got {
  status: number;
  type: string;
  location: string | undefined;
  body: string;
}

/** By the Host header, so that no name has to be resolved. */
function get(url: string): Promise<Got> {
  const { host, pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    const asked = request(
      { host: '127.0.0.1', port: web.port, path: pathname + search, headers: { host } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const { statusCode: status = 0, headers } = response;
          const body = Buffer.concat(chunks).toString('utf8');
          resolve({ status, type: headers['content-type'] ?? '', location: headers.location, body });
        });
      },
    );
    asked.on('error', reject).end();
  });
}
