/** What the sparse arm costs on top of Elasticsearch: its search beside a bare `_search` of the same query on the same index. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { z } from 'zod';
import { serveElasticsearch } from '../../../deploy/servers/elasticsearch/elasticsearch.ts';
import { freePort } from '../../../deploy/servers/port.ts';
import { createLogger } from '../../../shared/logger.ts';
import { createIndex, openElasticsearchIndex, toRequest } from '../../../workers/retrieval/sparse/elasticsearch.ts';
import {
  connectElasticsearch,
  type Elasticsearch,
} from '../../../workers/retrieval/sparse/elasticsearch-connection.ts';
import { toWords, type WeightedWord, weigh } from '../../../workers/retrieval/sparse/query.ts';
import { toWeightClasses } from '../../../workers/retrieval/sparse/sparse-index.ts';
import { median, time } from '../numbers.ts';
import { createProse, type Prose } from './prose.ts';

export interface ElasticsearchFigures {
  elasticsearch_passages: number;
  elasticsearch_add_ms_per_1000: number;
  /** p50. */
  elasticsearch_search_ms: number;
  elasticsearch_bare_search_ms: number;
  elasticsearch_search_ratio: number;
}

interface Sized {
  passages: number;
  /** Half as many come first, unwatched. */
  searches: number;
}

/** One node on this machine. Throws RefuseToStart where there is none: deploy/setup builds it. */
export async function compareWithElasticsearch({ passages, searches }: Sized): Promise<ElasticsearchFigures> {
  const dir = await mkdtemp(join(tmpdir(), 'sidelight-bench-'));
  const server = await serveElasticsearch({ port: await freePort(), dir, quickStart: false });
  const elasticsearch = connectElasticsearch({
    ...{ nodes: [server.url], auth: null, ca: null, prefix: 'bench', shards: 1, replicas: 0, timeoutMs: 30_000 },
  });
  try {
    return await compare(elasticsearch, server.url, { passages, searches });
  } finally {
    await elasticsearch.close();
    await server.stop();
    await rm(dir, { recursive: true });
  }
}

async function compare(
  elasticsearch: Elasticsearch,
  url: string,
  { passages, searches }: Sized,
): Promise<ElasticsearchFigures> {
  const name = 'bench-search';
  await createIndex(elasticsearch, name);
  const index = openElasticsearchIndex({ elasticsearch, index: name, log: createLogger('error', 'bench') });
  const prose = createProse(5);
  const added = await time(async () => {
    for (let at = 0; at < passages; at += BATCH)
      await index.add(makePassages(prose, at, Math.min(BATCH, passages - at)));
  });
  await index.count();
  const pool = new Pool(url);
  const arm: number[] = [];
  const bare: number[] = [];
  for (let round = -searches / 2; round < searches; round += 1) {
    const words = weigh(toWords({ title: prose.words(2), text: prose.sentence(20) }));
    const measured = [
      [arm, await time(() => index.search(words, TOP))],
      [bare, await time(() => searchBare(pool, name, words))],
      // each is first as often as the other: the second finds the query's blocks in memory
      [bare, await time(() => searchBare(pool, name, words))],
      [arm, await time(() => index.search(words, TOP))],
    ] as const;
    if (round >= 0) for (const [times, ms] of measured) times.push(ms);
  }
  await pool.close();
  return {
    elasticsearch_passages: passages,
    elasticsearch_add_ms_per_1000: (added / passages) * 1000,
    elasticsearch_search_ms: median(arm),
    elasticsearch_bare_search_ms: median(bare),
    elasticsearch_search_ratio: median(arm) / median(bare),
  };
}

async function searchBare(pool: Pool, index: string, words: readonly WeightedWord[]): Promise<number> {
  const { allow_partial_search_results: partial, ...query } = toRequest(toWeightClasses(words), ['en'], TOP, 30_000);
  const body = JSON.stringify(query);
  const headers = { 'content-type': 'application/json' };
  const path = `/${index}/_search?allow_partial_search_results=${partial}`;
  const response = await pool.request({ method: 'POST', path, headers, body });
  if (response.statusCode !== 200) throw new Error(await response.body.text());
  return Answer.parse(await response.body.json()).hits.hits.length;
}

const Answer = z.object({ hits: z.object({ hits: z.array(z.object({ _id: z.string() })) }) });

function makePassages(prose: Prose, from: number, count: number) {
  return Array.from({ length: count }, (_, at) => {
    const id = from + at + 1;
    const text = prose.page(95);
    return {
      ...{ id, pageId: id, sourceKey: null, url: `https://bench.example/${id}`, title: prose.words(3), text },
      ...{ start: 0, end: text.length, position: 0, domain: 'bench.example', language: 'en' },
      ...{ crawledAt: null, publishedAt: null },
    };
  });
}

const TOP = 100;
const BATCH = 1000;
