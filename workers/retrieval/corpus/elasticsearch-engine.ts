/** Elasticsearch as the engine of all generations: their sparse arms and their manifests. In: settings. Out: what opens an arm. */
import type { ElasticsearchSettings } from '../../../shared/config.ts';
import type { Logger } from '../../../shared/logger.ts';
import { indexName, openElasticsearchIndex } from '../sparse/elasticsearch.ts';
import { connectElasticsearch } from '../sparse/elasticsearch-connection.ts';
import { openElasticsearchGenerations } from './elasticsearch-generations.ts';
import type { SparseEngine } from './sparse-engine.ts';

/** Asks nothing yet: an Elasticsearch that is away is noticed, with TransientError, when it is needed. */
export function openElasticsearchEngine(settings: ElasticsearchSettings, dataDir: string, log: Logger): SparseEngine {
  const elasticsearch = connectElasticsearch(settings);
  return {
    generations: openElasticsearchGenerations(elasticsearch, dataDir),
    describe: (generation) => ({ engine: 'elasticsearch', index: indexName(settings.prefix, generation) }),
    // created with its manifest, and never for one that was dropped
    open: async ({ sparse }) => openElasticsearchIndex({ elasticsearch, index: sparse.index, log }),
    close: () => elasticsearch.close(),
  };
}
