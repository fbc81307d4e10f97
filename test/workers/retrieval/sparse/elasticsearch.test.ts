import { freePort } from '../../../../deploy/servers/port.ts';
import type { ElasticsearchSettings } from '../../../../shared/config.ts';
import { RefuseToStart, RequestError, TransientError } from '../../../../shared/errors.ts';
import { createLogger } from '../../../../shared/logger.ts';
import { openElasticsearchPassages } from '../../../../workers/retrieval/corpus/elasticsearch-passages.ts';
import type { CorpusPassage } from '../../../../workers/retrieval/corpus/store.ts';
import { createIndex, openElasticsearchIndex, writeAlias } from '../../../../workers/retrieval/sparse/elasticsearch.ts';
import { MAPPING } from '../../../../workers/retrieval/sparse/elasticsearch-mapping.ts';
import { openFts5Index } from '../../../../workers/retrieval/sparse/fts5.ts';
import { describeWith } from '../../../support/describe-with.ts';
import { aPassage, bees, ferry, itIsASparseIndex, mill } from './contract.ts';
import { aConnection, useElasticsearch } from './elasticsearch-node.ts';
import { CERTIFICATE, type Stand, serveAnswer, serveGuarded } from './elasticsearch-server.ts';
import { theyAreGenerations } from './generations-in-elasticsearch.ts';

const log = createLogger('silent', 'test');
const MILL = [{ word: 'mill', weight: 1 }];

describe('SQLite FTS5', () => {
  itIsASparseIndex(async () => openFts5Index(':memory:'));
});

describeWith(['elasticsearch'], 'Elasticsearch', () => {
  const server = useElasticsearch();
  let created = 0;

  /** A new, empty index. */
  async function anIndex(settings: Partial<ElasticsearchSettings> = {}) {
    const elasticsearch = aConnection(server(), settings);
    created += 1;
    const name = `test-${created}`;
    await createIndex(elasticsearch, name);
    const refused: unknown[] = [];
    const onRefused = (passage: { id: number; url: string }, code: string) => refused.push({ ...passage, code });
    const index = openElasticsearchIndex({ elasticsearch, index: name, log, onRefused });
    return { name, elasticsearch, index: { ...index, close: () => elasticsearch.close() }, refused };
  }

  describe('as any index', () => itIsASparseIndex(async () => (await anIndex()).index));

  test('a passage is analysed as its language is, and another language as plain words', async () => {
    const { index } = await anIndex();
    await index.add([
      aPassage(1, 'Mühlen', 'Die Häuser an den Flüssen wurden verkauft.', 'de-AT'),
      aPassage(5, 'Moulins', 'Les maisons au bord des rivières furent vendues.', 'fr'),
      aPassage(3, 'Melinau', 'Gwerthwyd y tai ger yr afonydd.', 'cy'),
      aPassage(4, '水車小屋', '川のほとりの家は売られた。', 'ja'),
      mill,
    ]);
    await index.count();
    const find = async (word: string) =>
      (await index.search([{ word, weight: 1 }], 10)).hits.map((hit) => hit.passageId);
    expect(await find('haus')).toEqual([1]);
    expect(await find('vendue')).toEqual([5]);
    expect(await find('afonydd')).toEqual([3]);
    expect(await find('水車')).toEqual([4]);
    expect(await find('grind')).toEqual([mill.id]);
    await index.close();
  });

  test('a passage that is refused is named, and the others are taken', async () => {
    const { index, refused } = await anIndex();
    await index.add([ferry, { ...mill, publishedAt: 'long ago' }, bees]);
    expect(refused).toEqual([{ id: mill.id, url: mill.url, code: 'document_parsing_exception' }]);
    expect(await index.count()).toBe(2);
    expect(await index.missing([1, 2, 3])).toEqual([mill.id]);
    await index.close();
  });

  test('a field that the mapping does not have is refused', async () => {
    const { index, refused } = await anIndex();
    // a passage of another version of the program: the type does not allow it
    await index.add([{ ...ferry, mood: 'calm' } as CorpusPassage]);
    expect(refused).toMatchObject([{ id: ferry.id, code: 'strict_dynamic_mapping_exception' }]);
    await index.close();
  });

  test('more than one request holds is sent in several', async () => {
    const { index } = await anIndex();
    const text = 'the long shore '.repeat(2000);
    await index.add(Array.from({ length: 300 }, (_, id) => aPassage(id, 'Shore', text)));
    expect(await index.count()).toBe(300);
    await index.close();
  });

  test('a query costs no more words than the index allows, over many languages', async () => {
    const { index } = await anIndex();
    const languages = ['de', 'fr', 'it', 'es', 'pt', 'nl', 'sv', 'da', 'fi', 'ru', 'tr', 'hu', 'ro', 'el', 'ar', 'cy'];
    await index.add(languages.map((language, id) => aPassage(id, 'Marlo', 'Orrin Bay', language)));
    await index.count();
    const words = Array.from({ length: 128 }, (_, at) => ({ word: `name${at}`, weight: 1 + at }));
    expect((await index.search([...words, { word: 'orrin', weight: 200 }], 20)).hits).toHaveLength(languages.length);
    await index.close();
  });

  test('passages and pages are read without the corpus, as they were added', async () => {
    const { index, elasticsearch, name } = await anIndex();
    const first = { ...ferry, pageId: 7, publishedAt: '2020-02-29', sourceKey: null };
    const second = { ...aPassage(5, 'The ferry', 'It sank in 1931.'), pageId: 7, position: 1, start: first.end + 2 };
    await index.add([second, bees, { ...first, title: '' }]);
    await index.count();
    const reader = openElasticsearchPassages(elasticsearch, name);
    expect(await reader.passages([3, 99, 1])).toEqual([bees, { ...first, title: '' }]);
    expect(await reader.passages([])).toEqual([]);
    const page = await reader.page(7);
    expect(page).toMatchObject({
      id: 7,
      url: first.url,
      language: 'en',
      publishedAt: '2020-02-29',
      domain: 'pages.example',
    });
    expect(page?.text.slice(first.start, first.end)).toBe(first.text);
    expect(page?.text.slice(second.start)).toBe(second.text);
    expect(await reader.page(8)).toBeNull();
    await index.close();
  });

  test('an index that a full disk has made read-only takes nothing for now, and goes on answering', async () => {
    const { index, elasticsearch, name } = await anIndex();
    await index.add([mill]);
    await index.count();
    const block = { 'index.blocks.read_only_allow_delete': true };
    await elasticsearch.ask((client) => client.indices.putSettings({ index: name, settings: block }));
    await expect(index.add([ferry])).rejects.toBeInstanceOf(TransientError);
    expect((await index.search(MILL, 10)).hits).toHaveLength(1);
    await index.close();
  });

  test('an index without its shards is one that does not answer now', async () => {
    const elasticsearch = aConnection(server());
    const settings = { 'index.routing.allocation.require._name': 'nobody' };
    const body = { index: 'red', settings, mappings: MAPPING, wait_for_active_shards: 0 as const };
    await elasticsearch.ask((client) => client.indices.create(body));
    const index = openElasticsearchIndex({ elasticsearch, index: 'red', log });
    await expect(index.search(MILL, 10)).rejects.toBeInstanceOf(TransientError);
    await elasticsearch.close();
  });

  test('an index that was dropped is not created by what is still added to it', async () => {
    const { index, elasticsearch, name } = await anIndex();
    await index.add([ferry]);
    await elasticsearch.ask((client) => client.indices.delete({ index: name }));
    await expect(index.add([mill])).rejects.toMatchObject({ code: 'no_such_index' });
    await expect(index.remove([1])).rejects.toBeInstanceOf(RequestError);
    await expect(index.search(MILL, 10)).rejects.toBeInstanceOf(RequestError);
    const left = await elasticsearch.ask((client) => client.indices.exists({ index: [name, writeAlias(name)] }));
    expect(left).toBe(false);
    await index.close();
  });

  test('an Elasticsearch that is away is waited for, and asked again when it is back', async () => {
    const port = await freePort();
    const index = (nodes: { url: string }[]) => {
      const elasticsearch = aConnection({ nodes });
      return { elasticsearch, index: openElasticsearchIndex({ elasticsearch, index: 'any', log }) };
    };
    const away = index([{ url: `http://127.0.0.1:${port}` }]);
    await expect(away.index.search(MILL, 10)).rejects.toBeInstanceOf(TransientError);
    await away.elasticsearch.close();
    const oneAway = index([{ url: `http://127.0.0.1:${port}` }, ...server().nodes]);
    await expect(oneAway.index.search(MILL, 10)).rejects.toMatchObject({ code: 'no_such_index' });
    await oneAway.elasticsearch.close();
  });

  describe('generations', () => theyAreGenerations(server));

  describe('behind credentials', () => {
    let stand: Stand | null = null;
    afterEach(() => stand?.close());

    async function ask(url: string, settings: Partial<ElasticsearchSettings>): Promise<unknown> {
      const elasticsearch = aConnection({ nodes: [{ url }] }, settings);
      const index = openElasticsearchIndex({ elasticsearch, index: 'any', log });
      const answer = index.search(MILL, 10).catch((error: unknown) => error);
      return answer.finally(() => elasticsearch.close());
    }

    test.each([
      ['an API key', { apiKey: 'bWlsbDp3ZWly' }, 'ApiKey bWlsbDp3ZWly'],
      ['name and password', { username: 'miller', password: 'wéir:1' }, `Basic ${btoa('miller:w\u00c3\u00a9ir:1')}`],
    ])('%s are sent', async (_, auth, header) => {
      stand = await serveGuarded(server().url, header);
      expect(await ask(stand.url, { auth })).toMatchObject({ code: 'no_such_index' });
      const refused = await ask(stand.url, { auth: { apiKey: 'b3RoZXI=' } });
      expect(refused).toBeInstanceOf(RefuseToStart);
      expect(String(refused)).not.toContain('b3RoZXI=');
      expect(await ask(stand.url, {})).toBeInstanceOf(RefuseToStart);
    });

    test('a certificate is trusted only by its authority', async () => {
      stand = await serveGuarded(server().url, 'ApiKey bWlsbA==', 'https');
      const auth = { apiKey: 'bWlsbA==' };
      expect(await ask(stand.url, { auth, ca: CERTIFICATE })).toMatchObject({ code: 'no_such_index' });
      const untrusted = await ask(stand.url, { auth });
      expect(untrusted).toBeInstanceOf(RefuseToStart);
      expect(String(untrusted)).toContain('ELASTICSEARCH_CA');
      expect(() => aConnection(server(), { ca: '/none.pem' })).toThrow(RefuseToStart);
    });

    const product = { 'x-elastic-product': 'Elasticsearch' };
    test.each([
      ['Elasticsearch 7', 200, product, { version: { number: '7.17.29' } }],
      ['Elasticsearch 10', 200, product, { version: { number: '10.0.0' } }],
      ['Elasticsearch 7.10', 406, {}, { error: 'Content-Type header is not supported', status: 406 }],
      ['OpenSearch', 200, {}, { version: { distribution: 'opensearch', number: '2.19.1' } }],
    ])('%s is refused', async (_, status, headers, body) => {
      stand = await serveAnswer(status, headers, body);
      expect(await ask(stand.url, {})).toBeInstanceOf(RefuseToStart);
    });
  });
});
