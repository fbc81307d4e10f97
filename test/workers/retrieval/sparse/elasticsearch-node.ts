/** An Elasticsearch of the tests in this folder, and connections to it. */
import type { ElasticsearchSettings } from '../../../../shared/config.ts';
import {
  connectElasticsearch,
  type Elasticsearch,
} from '../../../../workers/retrieval/sparse/elasticsearch-connection.ts';
import { type RunningElasticsearch, startElasticsearch } from '../../../support/elasticsearch.ts';

/** Started before the tests of a `describe`, stopped after them. */
export function useElasticsearch(options: Parameters<typeof startElasticsearch>[0] = {}): () => RunningElasticsearch {
  let server: RunningElasticsearch | null = null;
  beforeAll(async () => {
    server = await startElasticsearch(options);
  }, START_MS);
  afterAll(() => server?.stop());
  return () => {
    if (server === null) throw new Error('it is started before the tests');
    return server;
  };
}

/** Close it when done. */
export function aConnection(
  { nodes }: { nodes: readonly { url: string }[] },
  settings: Partial<ElasticsearchSettings> = {},
): Elasticsearch {
  return connectElasticsearch({
    nodes: nodes.map(({ url }) => url),
    auth: null,
    ca: null,
    prefix: 'test',
    shards: 1,
    replicas: 0,
    timeoutMs: 10_000,
    ...settings,
  });
}

const START_MS = 300_000;
